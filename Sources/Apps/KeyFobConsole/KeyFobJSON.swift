public import BluethroatBluetoothValues
import BluethroatEvents
import BluethroatHost
public import BluethroatKeyFob
public import BluethroatVirtualTime

/// What `bluethroat keyfob --json` prints; `docs/cli-json.md` is its page.
public enum KeyFobJSON {
    /// The first object: which fob this is.
    public static func fob(_ address: DeviceAddress, _ vocabulary: KeyFobWord.Vocabulary = .hardware) -> String {
        var line = JSONLine(event: "fob")
        line.add("address", address.description)
        line.add("addressType", addressType(address))
        if vocabulary == .phone { line.add("personality", "phone") }
        return line.text
    }

    /// The second object: where hosts attach, `tcp:HOST:PORT`.
    public static func listening(on transport: String) -> String {
        var line = JSONLine(event: "listening")
        line.add("hci", transport)
        return line.text
    }

    /// Where a browser finds the control panel, and what programs show there: `Authorization: Bearer TOKEN`.
    public static func panel(_ url: String, token: String) -> String {
        var line = JSONLine(event: "panel")
        line.add("url", url)
        line.add("token", token)
        return line.text
    }

    /// The second object where the fob runs on an external controller.
    public static func controller(_ transport: String) -> String {
        var line = JSONLine(event: "controller")
        line.add("hci", transport)
        return line.text
    }

    /// An error, or an unknown word.
    public static func error(_ message: String, at time: Instant) -> String {
        var line = JSONLine(event: "error", time: time)
        line.add("message", message)
        return line.text
    }

    /// One change. Silence and the end of an alert say what ended: what the fob was doing in `view`, before this.
    public static func notice(_ notice: KeyFobNotice, after view: KeyFobView? = nil) -> String {
        func line(_ event: String) -> JSONLine { JSONLine(event: event, time: notice.time) }
        var object: JSONLine
        switch notice.change {
        case .advertising(let on):
            object = line("advertising")
            object.add("on", on)
        case .connected(let peer):
            object = line("connected")
            add(peer, to: &object)
        case .recognised(let peer, let identity):
            object = line("recognised")
            add(peer, to: &object)
            object.add("identity", identity.description)
            object.add("identityType", addressType(identity))
        case .disconnected(let peer, let reason):
            object = line("disconnected")
            add(peer, to: &object)
            object.add("reason", reason.name)
            object.add("code", Int(reason.rawValue))
        case .keys(let keys):
            object = line("key")
            object.add("state", Int(keys.rawValue))
        case .alert(let level, let source):
            object = line("alert")
            object.add("level", name(of: level))
            if let source = source ?? view?.alertSource { object.add("source", name(of: source)) }
        case .tone(let hertz):
            object = line("beep")
            object.add("on", hertz != nil)
            if let hertz = hertz ?? view?.tone { object.add("hertz", hertz) }
        case .led(let led, let on):
            object = line("led")
            object.add("name", name(of: led))
            object.add("on", on)
        case .battery(let percent):
            object = line("battery")
            object.add("percent", Int(percent))
        case .transmitPower(let dBm):
            object = line("txPower")
            object.add("dBm", Int(dBm))
        case .accelerometer(let enabled):
            object = line("accelerometer")
            object.add("enabled", enabled)
        case .subscribed(let peer, let uuid, let handle, let on):
            object = line("subscribed")
            add(peer, to: &object)
            object.add("uuid", uuid.description)
            object.add("handle", Int(handle.rawValue))
            object.add("on", on)
        case .passkey(let peer, let passkey):
            object = line("passkey")
            add(peer, to: &object)
            object.add("passkey", passkey.description)
        case .paired(let peer, let pairing):
            object = line("paired")
            add(peer, to: &object)
            object.add(pairing)
        case .pairingFailed(let peer, let failure):
            object = line("pairingFailed")
            add(peer, to: &object)
            object.add("message", failure.sentence)
            if let reason = failure.reason { object.add("smpReason", Int(reason)) }
        case .encrypted(let peer, let security):
            object = line("encrypted")
            add(peer, to: &object)
            object.add(security)
        case .keyMissing(let peer):
            object = line("keyMissing")
            add(peer, to: &object)
        case .bondRemoved(let peer):
            object = line("bondRemoved")
            add(peer, to: &object)
        case .bondsFailed(let failure):
            return error(failure.description, at: notice.time)
        case .radioFailed(let failure):
            return error(failure.description, at: notice.time)
        }
        return object.text
    }

    private static func add(_ peer: DeviceAddress, to line: inout JSONLine) {
        line.add("peer", peer.description)
        line.add("addressType", addressType(peer))
    }

    private static func addressType(_ address: DeviceAddress) -> String {
        switch address.kind {
        case .public: "public"
        case .random: "random"
        }
    }

    private static func name(of level: AlertLevel) -> String {
        switch level {
        case .none: "none"
        case .mild: "mild"
        case .high: "high"
        }
    }

    private static func name(of source: AlertSource) -> String {
        switch source {
        case .immediate: "immediate"
        case .linkLoss: "linkLoss"
        }
    }

    private static func name(of led: KeyFobLED) -> String {
        switch led {
        case .led1: "LED1"
        case .led2: "LED2"
        }
    }
}
