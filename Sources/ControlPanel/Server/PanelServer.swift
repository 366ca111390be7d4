import FlyingFox
import FlyingSocks
import Foundation
import Synchronization

/// Serves the panel's page and its API over HTTP.
public final class PanelServer: Sendable {
    /// Why a panel cannot be served.
    public struct Failure: Error, CustomStringConvertible, Sendable {
        public let description: String
    }

    /// Where it listens, with the port that was picked.
    public let address: PanelAddress
    /// What somebody from another machine has to show; nil where nobody from there can come.
    public let token: String?

    private let server: HTTPServer
    private let hub: EventHub
    private let drain: @Sendable () async -> Void
    private let work: Task<Void, Never>

    /// Where to point a browser.
    public var url: String { "http://\(address)/" + (token.map { "?\(Doorkeeper.tokenName)=\($0)" } ?? "") }

    private init(
        address: PanelAddress,
        token: String?,
        server: HTTPServer,
        hub: EventHub,
        drain: @escaping @Sendable () async -> Void,
        work: Task<Void, Never>
    ) {
        self.address = address
        self.token = token
        self.server = server
        self.hub = hub
        self.drain = drain
        self.work = work
    }

    /// Opens the port and answers from then on.
    ///
    /// - Parameters:
    ///   - endpoints: what can be asked, besides the page and `/openapi.json`.
    ///   - hub: whose event streams end with the server.
    ///   - token: what visitors have to show; required where other machines can reach the address.
    public static func start(
        on address: PanelAddress,
        token: String? = nil,
        endpoints: [Endpoint],
        hub: EventHub
    ) async throws(Failure) -> PanelServer {
        precondition(token != nil || address.isLoopback, "an open door needs a token")
        let desk = FrontDesk(
            doorkeeper: Doorkeeper(address: address, token: token),
            router: Router(endpoints),
            pages: .bundled()
        )
        let pool = PromptPool(HTTPServer.defaultPool())
        let within = innerAddress()
        let (server, running) = try await serve(desk, on: within, pool)
        let port: UInt16
        let door: @Sendable () async -> Void
        let drain: @Sendable () async -> Void
        do {
            let gate = try gate(on: address, to: within, pool)
            port = gate.port
            door = { await gate.run() }
            drain = { await gate.drain(within: .seconds(1)) }
        } catch {
            await server.stop()
            running.cancel()
            throw error as? Failure ?? Failure(description: "cannot serve the panel on \(address): \(reason(error))")
        }
        let work = Task {
            await withDiscardingTaskGroup { group in
                group.addTask { await door() }
                while !Task.isCancelled {
                    try? await Task.sleep(for: .seconds(15))
                    hub.beat()
                }
                group.cancelAll()
            }
            running.cancel()
        }
        return PanelServer(
            address: PanelAddress(host: address.host, port: port),
            token: token,
            server: server,
            hub: hub,
            drain: drain,
            work: work
        )
    }

    /// Ends all streams and closes the port.
    public func stop() async {
        hub.close()
        await server.stop(timeout: 1)
        await drain()
        work.cancel()
    }

    /// In seconds. A world whose time is virtual answers when somebody lets time pass.
    private static let longestAnswer = 86_400.0

    /// The server behind the gate, up and listening where only this process asks.
    private static func serve(
        _ desk: FrontDesk,
        on address: some SocketAddress,
        _ pool: some AsyncSocketPool
    ) async throws(Failure) -> (HTTPServer, Task<Void, Never>) {
        let server = HTTPServer(
            config: HTTPServer.Configuration(
                address: address,
                timeout: longestAnswer,
                pool: pool,
                logger: .disabled
            ),
            handler: ClosureHTTPHandler { await desk.answer($0) }
        )
        let failure = Mutex<String?>(nil)
        // Heard of when the server is up, or never will be.
        let (outcomes, outcome) = AsyncStream.makeStream(of: Void.self)
        let running = Task {
            do {
                try await server.run()
            } catch {
                failure.withLock { $0 = reason(error) }
            }
            outcome.finish()
        }
        Task {
            try? await server.waitUntilListening()
            outcome.finish()
        }
        for await _ in outcomes {}
        guard await server.isListening else {
            running.cancel()
            throw Failure(description: "cannot serve the panel: \(failure.withLock { $0 } ?? "it does not come up")")
        }
        return (server, running)
    }

    /// Where nobody else finds the server: on Linux a name that is no file, elsewhere a file.
    private static func innerAddress() -> sockaddr_un {
        let name = "bluethroat-panel-\(UUID().uuidString)"
        #if os(Linux)
            return .unix(abstractNamespace: name)
        #else
            return .unix(path: FileManager.default.temporaryDirectory.appendingPathComponent(name).path)
        #endif
    }

    private static func gate<Pool: AsyncSocketPool>(
        on address: PanelAddress,
        to server: sockaddr_un,
        _ pool: Pool
    ) throws -> Gate<Pool> {
        let reach: @Sendable (Pool) async throws -> AsyncSocket = { try await .connected(to: server, pool: $0) }
        let host = address.host == "localhost" ? "127.0.0.1" : address.host
        if host.contains(":"), let place = try? sockaddr_in6.inet6(ip6: host, port: address.port) {
            return try Gate(on: place, pool: pool, reach: reach)
        }
        if let place = try? sockaddr_in.inet(ip4: host, port: address.port) {
            return try Gate(on: place, pool: pool, reach: reach)
        }
        throw Failure(description: "\"\(address.host)\" is no IP address the panel could listen on; try 127.0.0.1")
    }

    private static func reason(_ error: any Error) -> String {
        guard case SocketError.failed(_, let number, let message) = error else { return "\(error)" }
        switch number {
        case EADDRINUSE: return "the port is in use; choose another with --panel-listen, or 0 for any"
        case EACCES: return "not allowed; choose a port above 1023"
        case EADDRNOTAVAIL: return "this machine has no such address"
        default: return message
        }
    }
}
