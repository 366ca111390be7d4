public import NIOCore

/// What a port takes from those who connect.
public struct ListeningLimits: Sendable {
    /// How many connections it has at once.
    public var connections: Int
    /// How long a peer may take for its first complete message, and for the rest of a message that it has begun.
    public var message: TimeAmount
    /// How long an open connection may be without a message, where the protocol lets the peer connect again.
    public var idle: TimeAmount
    /// How long a peer may leave a piece of what it is sent unread.
    public var unread: TimeAmount

    public init(
        connections: Int = Self.connections(descriptors: DescriptorLimit.current),
        message: TimeAmount = .seconds(10),
        idle: TimeAmount = .seconds(10),
        unread: TimeAmount = .seconds(15)
    ) {
        self.connections = connections
        self.message = message
        self.idle = idle
        self.unread = unread
    }

    /// Descriptors that no port uses: files, threads, the world's own links.
    package static let reserve = 64
    /// A port has room for so many in any case; with fewer, clients that come together would push each other out before they
    /// speak.
    package static let least = 8
    /// A process has three ports at most: HCI, panel and bank. The fourth part is for connections that are closing.
    private static let shares = 4

    /// How many connections a port has if the process may have so many descriptors open.
    public static func connections(descriptors: Int) -> Int {
        min(1024, max(least, (descriptors - reserve) / shares))
    }
}
