import BluethroatHost
public import BluethroatKeyFob
package import BluethroatVirtualTime

/// Changes in words for people, one line each.
public enum KeyFobSentences {
    /// `  12.345 s  LED1 on`
    public static func line(_ notice: KeyFobNotice) -> String { line(sentence(notice.change), at: notice.time) }

    /// A sentence with the time since the beginning in front of it, in seconds.
    package static func line(_ sentence: String, at time: Instant) -> String {
        let milliseconds = time.sinceStart.milliseconds
        let rest = String(milliseconds % 1_000)
        let time = "\(milliseconds / 1_000)." + String(repeating: "0", count: 3 - rest.count) + rest
        return String(repeating: " ", count: max(0, 8 - time.count)) + time + " s  " + sentence
    }

    public static func sentence(_ change: KeyFobNotice.Change) -> String {
        switch change {
        case .advertising(let on): on ? "advertising" : "no longer advertising"
        case .connected(let peer): "connected with \(peer)"
        case .recognised(let peer, let identity):
            peer == identity ? "\(peer) is bonded" : "\(peer) is the bonded \(identity)"
        case .disconnected(let peer, let reason): "disconnected from \(peer): \(reason)"
        case .keys(let keys): "keys: \(Self.keys(keys))"
        case .alert(let level, let source): "alert: \(alert(level, source))"
        case .tone(let hertz): hertz.map { "buzzer: \($0) Hz" } ?? "buzzer: silent"
        case .led(let led, let on): "\(led == .led1 ? "LED1" : "LED2") \(on ? "on" : "off")"
        case .battery(let percent): "battery: \(percent) %"
        case .transmitPower(let dBm): "transmit power: \(dBm) dBm"
        case .accelerometer(let enabled): "accelerometer \(enabled ? "on" : "off")"
        case .subscribed(let peer, let uuid, let handle, let on):
            "\(peer) \(on ? "subscribes to" : "unsubscribes from") \(uuid) (\(handle))"
        case .passkey(let peer, let passkey): "\(peer) pairs; its passkey is \(passkey)"
        case .paired(let peer, let pairing): "paired with \(peer): \(pairing.sentence)"
        case .pairingFailed(let peer, let failure): "pairing with \(peer) failed: \(failure.sentence)"
        case .encrypted(let peer, let security):
            security.isEncrypted ? "link to \(peer) is encrypted" : "link to \(peer) is not encrypted any more"
        case .keyMissing(let peer): "\(peer) wants to encrypt with a key that the fob does not have"
        case .bondRemoved(let peer): "bond with \(peer) removed"
        case .bondsFailed(let error): "bonds: \(error)"
        case .radioFailed(let failure): "radio: \(failure)"
        }
    }

    static func keys(_ keys: KeyFobKeys) -> String {
        switch keys {
        case .left: "left"
        case .right: "right"
        case [.left, .right]: "left and right"
        default: "none"
        }
    }

    static func alert(_ level: AlertLevel, _ source: AlertSource?) -> String {
        let why =
            switch source {
            case nil: ""
            case .immediate: ", from the central"
            case .linkLoss: ", link lost"
            }
        return switch level {
        case .none: "none"
        case .mild: "mild" + why
        case .high: "high" + why
        }
    }
}
