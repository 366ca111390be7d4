import Foundation
import NIOCore
import NIOPosix

/// Connects to controllers that listen on TCP or on a Unix socket.
enum StreamClient {
    private static let patience = TimeAmount.seconds(5)

    static func connect(
        to address: HostPort,
        callbacks: HCITransportCallbacks
    ) async throws(HCITransportError) -> StreamTransport {
        let channel: any Channel
        do {
            channel = try await bootstrap()
                .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                .connect(host: address.host, port: address.port).get()
        } catch {
            throw explain(error, address)
        }
        return try await attach(channel, peer: "tcp:\(address)", callbacks)
    }

    static func connect(
        toSocket path: String,
        callbacks: HCITransportCallbacks
    ) async throws(HCITransportError) -> StreamTransport {
        let channel: any Channel
        do {
            channel = try await bootstrap().connect(unixDomainSocketPath: path).get()
        } catch {
            throw explain(error, path)
        }
        return try await attach(channel, peer: "unix:\(path)", callbacks)
    }

    private static func bootstrap() -> ClientBootstrap {
        // Nothing is read before the reader is in place: several addresses may be tried, and only one wins.
        ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .channelOption(.autoRead, value: false)
            .connectTimeout(patience)
    }

    private static func attach(
        _ channel: any Channel,
        peer: String,
        _ callbacks: HCITransportCallbacks
    ) async throws(HCITransportError) -> StreamTransport {
        let transport = StreamTransport(channel: channel, peer: peer)
        do {
            try await channel.eventLoop.submit {
                let reader = StreamReader(from: .controller, transport: transport, callbacks: callbacks)
                try channel.pipeline.syncOperations.addHandler(reader)
            }.get()
        } catch {
            throw HCITransportError("\(peer) closed the connection at once")
        }
        return transport
    }

    private static func explain(_ error: any Error, _ address: HostPort) -> HCITransportError {
        if let error = error as? NIOConnectionError {
            guard let first = error.connectionErrors.first?.error else {
                return HCITransportError("no host is called \(address.host); check the name")
            }
            return explain(first, address)
        }
        switch (error as? IOError)?.errnoCode {
        case ECONNREFUSED:
            return HCITransportError("nothing listens on \(address)", isUnattended: true)
        case EHOSTUNREACH, ENETUNREACH:
            return HCITransportError("no way to \(address); check the network")
        case ETIMEDOUT:
            return silent(address)
        default:
            if case .connectTimeout = error as? ChannelError { return silent(address) }
            return HCITransportError("cannot connect to \(address): \(SystemText.of(error))")
        }
    }

    private static func silent(_ address: HostPort) -> HCITransportError {
        HCITransportError("\(address) does not answer; check the address and the network")
    }

    private static func explain(_ error: any Error, _ path: String) -> HCITransportError {
        switch (error as? IOError)?.errnoCode {
        case ENOENT: HCITransportError("there is no socket \(path); start the controller that makes it")
        case ECONNREFUSED: HCITransportError("nothing listens on \(path); start the controller that owns it")
        case EACCES: HCITransportError("no permission to use \(path)")
        default: HCITransportError("cannot connect to \(path): \(SystemText.of(error))")
        }
    }
}
