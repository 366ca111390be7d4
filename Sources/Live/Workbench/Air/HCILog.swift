public import BluethroatSimulation
public import BluethroatVirtualTime
import DequeModule

/// The latest packets between each device's host and its controller.
///
/// Of each device `memory` bytes are kept; what fell out is counted.
public final class HCILog {
    /// A packet, H4 indicator first.
    public struct Packet: Hashable, Sendable {
        public let bytes: [UInt8]
        public let fromHost: Bool
        public let time: Instant
    }

    /// The packets of one device, the oldest first.
    public struct Conversation: Sendable {
        private var ring: Deque<Packet> = []
        private var size = 0
        /// How many have fallen out altogether.
        public private(set) var lostCount = 0

        public var packets: some BidirectionalCollection<Packet> & Sendable { ring }

        mutating func append(_ packet: Packet) {
            ring.append(packet)
            size += packet.bytes.count + HCILog.overhead
            while size > HCILog.memory, let oldest = ring.popFirst() {
                size -= oldest.bytes.count + HCILog.overhead
                lostCount += 1
            }
        }
    }

    public static let memory = 1 << 20
    /// What a packet takes besides its bytes, about.
    static let overhead = 32

    private var conversations: [DeviceID: Conversation] = [:]

    public init() {}

    public subscript(device: DeviceID) -> Conversation { conversations[device] ?? Conversation() }

    func add(_ packet: [UInt8], fromHost: Bool, of device: DeviceID, at now: Instant) {
        conversations[device, default: Conversation()].append(Packet(bytes: packet, fromHost: fromHost, time: now))
    }

    func forget(_ device: DeviceID) { conversations[device] = nil }
}
