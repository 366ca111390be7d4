public import BluethroatHCITransports
public import BluethroatListening
import Foundation
import NIOCore

/// A port at which Bluetooth hosts find controllers: each connection is a link of its own.
///
/// What one client does (garbage, half a packet, never reading) ends that client's link and no other. A client that has
/// sent no complete packet after ten seconds loses its link, as does one that leaves a later packet unfinished so long, and
/// one that takes nothing of what it is sent for fifteen.
public final class HCIServer: Sendable {
    /// Where it listens, with the port that was picked if zero was asked for.
    public let place: HCIListeningPlace
    private let listener: Listener

    private init(_ place: HCIListeningPlace, _ listener: Listener) {
        self.place = place
        self.listener = listener
    }

    /// The TCP port's address; without a meaning for a Unix socket.
    public var address: HostPort { place.address ?? HostPort(host: "", port: 0) }

    /// Opens the port. `accept` is called for each client, before anything it sent is read, and returns its callbacks.
    public static func listen(
        on address: HostPort,
        limits: ListeningLimits = ListeningLimits(),
        accept: @escaping @Sendable (any HCITransport) -> HCITransportCallbacks
    ) async throws(HCITransportError) -> HCIServer {
        try await listen(at: .tcp(address), limits: limits, accept: accept)
    }

    /// The same at a TCP port, or at a Unix socket or pseudo-terminals for processes of this user alone.
    public static func listen(
        at place: HCIListeningPlace,
        limits: ListeningLimits = ListeningLimits(),
        accept: @escaping @Sendable (any HCITransport) -> HCITransportCallbacks
    ) async throws(HCITransportError) -> HCIServer {
        do {
            let listener = try await Listener.open(at: place.listening, limits: limits) { connection in
                try attach(connection, place, accept)
            }
            return HCIServer(place.with(port: listener.port), listener)
        } catch {
            throw explain(error, place, await occupant(of: place, error))
        }
    }

    /// Who has the place, if it is taken.
    private static func occupant(of place: HCIListeningPlace, _ failure: ListeningFailure) async -> HCIOccupant {
        switch (failure, place) {
        case (.portTaken, .tcp(let address)) where address.port > 0: await HCIEndpoint.tcp(address).occupant()
        case (.pathTaken, .unix(let path)): await HCIEndpoint.unix(path: path).occupant()
        default: .nobody
        }
    }

    private static func attach(
        _ connection: AcceptedConnection,
        _ place: HCIListeningPlace,
        _ accept: (any HCITransport) -> HCITransportCallbacks
    ) throws {
        let channel = connection.channel
        let transport = StreamTransport(
            channel: channel,
            peer: name(of: channel.remoteAddress, at: place),
            patience: connection.limits.unread
        )
        connection.whenDropped { reason in
            switch reason {
            case .late: transport.finish(with: .unfinished)
            case .crowdedOut: transport.finish(with: .crowdedOut)
            case .stopped:
                transport.finish(with: .closedHere)
                // What was sent before goes out first.
                transport.writePending()
            }
        }
        let reader = StreamReader(
            transport: transport,
            callbacks: accept(transport),
            timing: PacketTiming(connection)
        )
        // Each read is asked for, and there is no more of it than that.
        try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
        try channel.syncOptions?.setOption(
            .recvAllocator,
            value: FixedSizeRecvByteBufferAllocator(capacity: HCITransportLimits.readOfHost)
        )
        try channel.pipeline.syncOperations.addHandler(reader)
    }

    /// Closes the port and every link.
    public func close() async { await listener.close() }

    private static func name(of address: SocketAddress?, at place: HCIListeningPlace) -> String {
        guard case .tcp = place else { return "\(place)" }
        guard let address, let host = address.ipAddress, let port = address.port else { return "tcp client" }
        return "tcp:\(HostPort(host: host, port: port))"
    }

    private static func explain(
        _ failure: ListeningFailure,
        _ place: HCIListeningPlace,
        _ occupant: HCIOccupant
    ) -> HCITransportError {
        guard case .tcp(let address) = place else {
            guard failure == .pathTaken else { return HCITransportError("cannot listen on \(place): \(failure.text)") }
            if occupant == .controller {
                return HCITransportError(
                    "another world is at \(place) already; join its air with --controller \(place), end it, or choose "
                        + "another path"
                )
            }
            return HCITransportError(
                "there is a file where \(place) should be, or a program listens there; remove the file, end that "
                    + "program, or choose another path"
            )
        }
        switch failure {
        case .portTaken where occupant == .controller:
            return HCITransportError(
                "another world is at port \(address.port) on \(address.host) already; join its air with --controller "
                    + "\(place), end it, or choose another port with --hci-listen HOST:PORT (port 0 picks a free one)"
            )
        case .portTaken, .pathTaken:
            return HCITransportError(
                "port \(address.port) on \(address.host) is taken by a program that offers no controllers; end that "
                    + "program or choose another port with --hci-listen HOST:PORT (port 0 picks a free one)"
            )
        case .notPermitted:
            return HCITransportError("no permission to listen on port \(address.port); choose one above 1023")
        case .notThisMachine:
            return HCITransportError("\(address.host) is no address of this machine; listen on 127.0.0.1")
        case .unknownHost:
            return HCITransportError("no host is called \(address.host); listen on 127.0.0.1")
        case .other(let text): return HCITransportError("cannot listen on \(address): \(text.lowercasedFirst)")
        }
    }
}

extension ListeningFailure {
    fileprivate var text: String {
        switch self {
        case .notPermitted: "no permission to make a file there"
        case .other(let text): text.lowercasedFirst
        case .portTaken, .pathTaken, .notThisMachine, .unknownHost: "\(self)"
        }
    }
}
