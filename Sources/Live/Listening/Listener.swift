import Foundation
public import NIOCore
import NIOPosix
import Synchronization

/// A port that stays open whatever its peers do: it has a limit of connections and a time limit for each, and prefers
/// peers that say something to peers that do not.
///
/// Everything of one port happens on one thread, so that a connection that has to go has gone before the next is
/// accepted. If the process has no descriptor left, the port waits a second and goes on.
public final class Listener: Sendable {
    /// The TCP port that was picked; 0 for a Unix socket.
    public let port: Int
    private let channel: any Channel
    private let connections: OpenConnections
    private let socketFile: String?

    private init(port: Int, channel: any Channel, connections: OpenConnections, socketFile: String?) {
        self.port = port
        self.channel = channel
        self.connections = connections
        self.socketFile = socketFile
    }

    /// Opens the port.
    ///
    /// - Parameter serve: called on the channel's thread for each connection, before anything is read; the peer has
    ///   `ListeningLimits.message` from then on. Channels do not read by themselves (`autoRead` is off).
    public static func open(
        at place: ListeningPlace,
        limits: ListeningLimits = ListeningLimits(),
        serve: @escaping @Sendable (AcceptedConnection) throws -> Void
    ) async throws(ListeningFailure) -> Listener {
        let connections = OpenConnections(capacity: limits.connections)
        let numbers = Numbers()
        let isPrivate = if case .unix = place { true } else { false }
        let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton.next())
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if isPrivate, !PrivateSocket.isOwn(channel) { throw NoRoom() }
                    let connection = AcceptedConnection(
                        channel,
                        number: numbers.next(),
                        limits: limits,
                        all: connections
                    )
                    let victim = connections.add(connection)
                    guard victim !== connection else { throw NoRoom() }
                    channel.closeFuture.whenComplete { _ in connection.end() }
                    victim?.drop(.crowdedOut)
                    connection.expect(within: limits.message)
                    try serve(connection)
                }
            }
        do {
            switch place {
            case .tcp(let host, let port):
                let channel =
                    try await bootstrap
                    .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .bind(host: host, port: port).get()
                return Listener(
                    port: channel.localAddress?.port ?? port,
                    channel: channel,
                    connections: connections,
                    socketFile: nil
                )
            case .unix(let path):
                let channel = try await PrivateSocket.bind(bootstrap, to: path)
                return Listener(port: 0, channel: channel, connections: connections, socketFile: path)
            }
        } catch {
            throw error as? ListeningFailure ?? ListeningFailure(error)
        }
    }

    /// Closes the port; connections that are being served have this long to end, all others end at once.
    public func close(within time: TimeAmount = .zero) async {
        try? await channel.close().get()
        if let socketFile { unlink(socketFile) }
        let loop = channel.eventLoop
        let isEmpty = loop.makePromise(of: Void.self)
        let open = connections.stop(isEmpty)
        loop.execute {
            for (connection, isKept) in open where !isKept || time == .zero { connection.drop(.stopped) }
        }
        let timer = loop.scheduleTask(in: time) { for (connection, _) in open { connection.drop(.stopped) } }
        try? await isEmpty.futureResult.get()
        timer.cancel()
    }
}

/// A connection is not taken, since the port is full or closed, or since it is another user's.
private struct NoRoom: Error {}

private final class Numbers: Sendable {
    private let last = Atomic<Int>(0)

    func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
