import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A TCP port at which Bluetooth hosts find controllers: each connection is a link of its own.
///
/// What one client does (garbage, half a packet, never reading) ends that client's link and no other.
public final class HCIServer: Sendable {
    /// Where it listens, with the port that was picked if zero was asked for.
    public let address: HostPort
    private let channel: any Channel
    private let links: Links

    private init(address: HostPort, channel: any Channel, links: Links) {
        self.address = address
        self.channel = channel
        self.links = links
    }

    /// Opens the port. `accept` is called for each client, before anything it sent is read, and says whom to tell.
    public static func listen(
        on address: HostPort,
        accept: @escaping @Sendable (any HCITransport) -> HCITransportCallbacks
    ) async throws(HCITransportError) -> HCIServer {
        let links = Links()
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 128)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let transport = StreamTransport(channel: channel, peer: Self.name(of: channel.remoteAddress))
                    links.add(transport)
                    let callbacks = accept(transport)
                    let reader = StreamReader(from: .host, transport: transport, callbacks: callbacks) {
                        links.remove(transport)
                    }
                    try channel.pipeline.syncOperations.addHandler(reader)
                }
            }
        do {
            let channel = try await bootstrap.bind(host: address.host, port: address.port).get()
            let port = channel.localAddress?.port ?? address.port
            return HCIServer(address: HostPort(host: address.host, port: port), channel: channel, links: links)
        } catch {
            throw explain(error, address)
        }
    }

    /// Closes the port, then every link.
    public func close() async {
        try? await channel.close().get()
        for link in links.removeAll() { link.close() }
    }

    private static func name(of address: SocketAddress?) -> String {
        guard let address, let host = address.ipAddress, let port = address.port else { return "tcp client" }
        return "tcp:\(HostPort(host: host, port: port))"
    }

    private static func explain(_ error: any Error, _ address: HostPort) -> HCITransportError {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE:
            HCITransportError(
                "port \(address.port) on \(address.host) is taken; end the program that has it or choose another "
                    + "with --hci-listen HOST:PORT (port 0 picks a free one)"
            )
        case EACCES: HCITransportError("no permission to listen on port \(address.port); choose one above 1023")
        case EADDRNOTAVAIL: HCITransportError("\(address.host) is no address of this machine; listen on 127.0.0.1")
        default:
            error is SocketAddressError
                ? HCITransportError("no host is called \(address.host); listen on 127.0.0.1")
                : HCITransportError("cannot listen on \(address): \(SystemText.of(error))")
        }
    }
}

/// The links that are open, so that they can be closed with the port.
private final class Links: Sendable {
    private let open = Mutex<[ObjectIdentifier: StreamTransport]>([:])

    func add(_ link: StreamTransport) { open.withLock { $0[ObjectIdentifier(link)] = link } }

    func remove(_ link: StreamTransport) { open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(link)) } }

    func removeAll() -> [StreamTransport] {
        open.withLock { open in
            defer { open = [:] }
            return Array(open.values)
        }
    }
}
