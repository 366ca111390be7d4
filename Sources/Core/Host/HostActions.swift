/// What a host asks its caller to do after an input: packets for its controller and events for its application.
///
/// The caller owns the lists, carries out what they hold in order, and empties them for the next call.
public struct HostActions: Sendable {
    /// HCI packets for the controller, each with its H4 indicator as the first byte.
    public var packets: [[UInt8]] = []
    public var events: [HostEvent] = []

    public init() {}

    /// Empties both lists and keeps their storage for the next call.
    @inlinable
    public mutating func removeAll() {
        packets.removeAll(keepingCapacity: true)
        events.removeAll(keepingCapacity: true)
    }
}
