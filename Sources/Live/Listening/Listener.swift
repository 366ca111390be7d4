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
    private let door: Door
    private let connections: OpenConnections

    /// Where those who connect come in.
    private enum Door: Sendable {
        case socket(any Channel)
        case socketFile(any Channel, PrivateSocket.Place)
        #if os(Linux)
            case terminals(TerminalPort, LineQueue, any EventLoop)
        #endif

        var eventLoop: any EventLoop {
            switch self {
            case .socket(let channel), .socketFile(let channel, _): channel.eventLoop
            #if os(Linux)
                case .terminals(_, _, let eventLoop): eventLoop
            #endif
            }
        }

        func close() async {
            switch self {
            case .socket(let channel): try? await channel.close().get()
            case .socketFile(let channel, let place):
                try? await channel.close().get()
                place.remove()
            #if os(Linux)
                case .terminals(let port, let queue, _):
                    await port.close()
                    await queue.close()
            #endif
            }
        }
    }

    private init(port: Int, door: Door, connections: OpenConnections) {
        self.port = port
        self.door = door
        self.connections = connections
    }

    /// Opens the port.
    ///
    /// - Parameters:
    ///   - newcomersWait: whether those who connect while all are being served wait until some have been answered. Without it
    ///     they are refused, as suits a protocol whose peers are served for as long as they like.
    ///   - serve: called on the channel's thread for each connection, before anything is read; the peer has
    ///     `ListeningLimits.message` from then on. Channels do not read by themselves (`autoRead` is off).
    public static func open(
        at place: ListeningPlace,
        limits: ListeningLimits = ListeningLimits(),
        newcomersWait: Bool = false,
        serve: @escaping @Sendable (AcceptedConnection) throws -> Void
    ) async throws(ListeningFailure) -> Listener {
        let connections = OpenConnections(capacity: limits.connections / place.descriptorsPerConnection)
        let numbers = Numbers()
        let isPrivate = if case .unix = place { true } else { false }
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let begin: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
            channel.eventLoop.makeCompletedFuture {
                if isPrivate, !PrivateSocket.isOwn(channel) { throw NoRoom() }
                let connection = AcceptedConnection(channel, number: numbers.next(), limits: limits, all: connections)
                let victim = connections.add(connection)
                guard victim !== connection else { throw NoRoom() }
                channel.closeFuture.whenComplete { _ in connection.end() }
                victim?.drop(.crowdedOut)
                connection.expect(within: limits.message)
                try serve(connection)
            }
        }
        let bootstrap = ServerBootstrap(group: eventLoop)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard newcomersWait else { return }
                    try channel.pipeline.syncOperations.addHandler(AcceptGate(connections))
                }
            }
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer(begin)
        do {
            switch place {
            case .tcp(let host, let port):
                let channel =
                    try await bootstrap
                    .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .bind(host: host, port: port).get()
                let picked = channel.localAddress?.port ?? port
                return Listener(port: picked, door: .socket(channel), connections: connections)
            case .unix(let path):
                let (channel, place) = try await PrivateSocket.bind(bootstrap, to: path)
                return Listener(port: 0, door: .socketFile(channel, place), connections: connections)
            case .terminal(let path):
                #if os(Linux)
                    let queue = try await LineQueue(on: eventLoop) { descriptor in
                        // A channel that is not made has closed the descriptor, or the process has no more room.
                        _ = ClientBootstrap(group: eventLoop)
                            .channelOption(.autoRead, value: false)
                            .channelInitializer(begin)
                            .withConnectedSocket(descriptor)
                    }
                    do {
                        let port = try TerminalPort(at: path, accept: queue.add)
                        return Listener(port: 0, door: .terminals(port, queue, eventLoop), connections: connections)
                    } catch {
                        await queue.close()
                        throw error
                    }
                #else
                    throw ListeningFailure.other("pseudo-terminals are offered on Linux only")
                #endif
            }
        } catch {
            throw error as? ListeningFailure ?? ListeningFailure(error)
        }
    }

    /// Closes the port; connections that are being served have this long to end, all others end at once.
    public func close(within time: TimeAmount = .zero) async {
        await door.close()
        let loop = door.eventLoop
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

extension ListeningPlace {
    /// A pseudo-terminal is carried to a socket and back.
    fileprivate var descriptorsPerConnection: Int { if case .terminal = self { 3 } else { 1 } }
}

/// A connection is not taken, since the port is full or closed, or since it is another user's.
private struct NoRoom: Error {}

private final class Numbers: Sendable {
    private let last = Atomic<Int>(0)

    func next() -> Int { last.wrappingAdd(1, ordering: .relaxed).newValue }
}
