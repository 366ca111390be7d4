/// A way for HCI packets to and from another process or device. A packet is one `[UInt8]` whose first byte
/// is the H4 packet indicator (Core 6.0, Vol 4, Part A, 2).
public protocol HCITransport: AnyObject, Sendable {
    /// Who is at the other end, for messages: `tcp:127.0.0.1:6402`.
    var peer: String { get }

    /// Queues a packet and returns at once, on any thread; after the end packets vanish. A peer that leaves more than
    /// `HCITransportLimits.backlog` bytes unread loses the link.
    func send(_ packet: [UInt8])

    /// Ends the link; `ended` follows with `.closedHere`, unless it has ended already.
    func close()
}

/// The calls from a transport to its owner, on a thread of its own, one after the other.
public struct HCITransportCallbacks: Sendable {
    /// Packets came in.
    public var received: @Sendable (HCIBatch) -> Void
    /// Nothing follows; called once.
    public var ended: @Sendable (HCITransportEnd) -> Void

    public init(
        received: @escaping @Sendable (HCIBatch) -> Void,
        ended: @escaping @Sendable (HCITransportEnd) -> Void
    ) {
        self.received = received
        self.ended = ended
    }
}

/// Why a link is no more.
public enum HCITransportEnd: Hashable, Sendable {
    /// `close()` was called.
    case closedHere
    /// The peer closed between two packets.
    case closedByPeer
    /// The peer closed, or died, in the middle of a packet.
    case cutMidPacket
    /// The peer sent something that is no H4 packet; the message says what.
    case notHCI(String)
    /// The peer let more than `HCITransportLimits.backlog` bytes pile up, or a host took nothing of what it was sent for
    /// fifteen seconds.
    case peerTooSlow
    /// The peer began a packet, or connected, and sent no whole packet within ten seconds.
    case unfinished
    /// The port was full, and this client had not sent a packet.
    case crowdedOut
    /// The operating system reported an error.
    case failed(String)
}

extension HCITransportEnd: CustomStringConvertible {
    public var description: String {
        switch self {
        case .closedHere: "closed"
        case .closedByPeer: "the other side closed the connection; is its program still running?"
        case .cutMidPacket: "the other side closed the connection in the middle of a packet"
        case .notHCI(let what): "the other side does not speak H4: \(what)"
        case .peerTooSlow: "the other side does not read what it is sent"
        case .unfinished: "the other side did not finish a packet in time"
        case .crowdedOut: "the port has too many clients"
        case .failed(let what): what
        }
    }
}

/// How much a transport keeps for a peer or an owner that is slower than the other.
public enum HCITransportLimits {
    /// Bytes queued for a peer, beyond what the operating system holds, before it is given up.
    public static let backlog = 4 << 20
    /// Bytes received and not yet let go of by the owner, beyond which nothing more is read; each packet counts as 60 more.
    public static let unconsumed = 256 << 10
    /// The same for what a host has sent, which has to wait for answers.
    package static let unconsumedOfHost = 16 << 10
    /// How much is read of a host at once.
    package static let readOfHost = 1 << 10
    /// Bytes queued for a host beyond which its commands are not read.
    package static let unreadByHost = 64 << 10
}

/// Packets that arrived together. As long as a batch is kept, its bytes count as not consumed, and a transport whose
/// owner keeps too many stops reading; so use it and let it go.
public final class HCIBatch: Sendable {
    public let packets: [[UInt8]]
    private let byteCount: Int
    private let held: HeldBytes
    private let hasRoomAgain: @Sendable () -> Void

    /// - Parameters:
    ///   - held: what of the link is kept; this counts as part of it.
    ///   - hasRoomAgain: called when this is let go of, and more may be read that was not to be read before.
    package init(_ packets: [[UInt8]], in held: HeldBytes, hasRoomAgain: @escaping @Sendable () -> Void) {
        self.packets = packets
        byteCount = packets.reduce(0) { $0 + $1.count + Self.keeping }
        self.held = held
        self.hasRoomAgain = hasRoomAgain
        held.add(byteCount)
    }

    /// What a packet costs besides its bytes, in memory and in work: the shortest have four.
    private static let keeping = 60

    deinit { if held.remove(byteCount) { hasRoomAgain() } }
}

/// Why a link could not be made or a port not be opened: one line that says what was wrong and what to do.
public struct HCITransportError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
    /// Whether the only reason is that no program listens at the address: it has to be started first.
    public let isUnattended: Bool

    package init(_ description: String, isUnattended: Bool = false) {
        self.description = description
        self.isUnattended = isUnattended
    }

    /// The command to be started if the caller names no other.
    public static let usualOpener = "bluethroat keyfob"

    /// The description, and what to do if no program listens: start `opener`, a command.
    public func advised(opener: String = usualOpener) -> String {
        isUnattended ? "\(description); start `\(opener)` or give another controller" : description
    }
}

extension HCITransportEnd {
    /// Whether the peer did what it should not have done, rather than come and go.
    public var isMisbehaviour: Bool {
        switch self {
        case .notHCI, .peerTooSlow, .cutMidPacket: true
        case .closedHere, .closedByPeer, .unfinished, .crowdedOut, .failed: false
        }
    }
}
