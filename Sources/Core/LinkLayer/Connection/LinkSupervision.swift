import BluethroatBluetoothValues
import BluethroatVirtualTime

/// What was heard of the peer last, and when the connection is lost unless something is heard.
/// Core 6.0, Vol 6, Part B, 4.5.2.
struct LinkSupervision: Sendable {
    private let created: Instant
    /// When a packet with a right CRC came last; nil until the connection is established.
    private var lastHeard: Instant?
    /// How strong it was.
    private(set) var strength: SignalStrength?
    /// Whether the last new PDU of the peer had a payload.
    private(set) var lastHadPayload = false

    init(createdAt now: Instant) { created = now }

    var isEstablished: Bool { lastHeard != nil }

    /// When the connection is lost.
    func deadline(_ parameters: ConnectionParameters) -> Instant {
        guard let lastHeard else { return created + parameters.interval.span * 6 }
        return lastHeard + parameters.supervisionTimeout.span
    }

    mutating func heard(at now: Instant, _ strength: SignalStrength) {
        lastHeard = now
        self.strength = strength
    }

    /// The packet just heard was a new one.
    mutating func noteNewPDU(hasPayload: Bool) { lastHadPayload = hasPayload }

    /// The timeout is counted from the instant of a connection update.
    mutating func restart(at now: Instant) {
        if let lastHeard { self.lastHeard = max(lastHeard, now) }
    }
}
