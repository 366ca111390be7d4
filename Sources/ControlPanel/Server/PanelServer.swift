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
    private let work: Task<Void, Never>

    /// Where to point a browser.
    public var url: String { "http://\(address)/" + (token.map { "?\(Doorkeeper.tokenName)=\($0)" } ?? "") }

    private init(address: PanelAddress, token: String?, server: HTTPServer, hub: EventHub, work: Task<Void, Never>) {
        self.address = address
        self.token = token
        self.server = server
        self.hub = hub
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
        let server = HTTPServer(
            config: try configuration(address),
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
        guard let port = await port(of: server) else {
            running.cancel()
            let why = failure.withLock { $0 } ?? "it does not come up"
            throw Failure(description: "cannot serve the panel on \(address): \(why)")
        }
        let work = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(15))
                hub.beat()
            }
            running.cancel()
        }
        return PanelServer(
            address: PanelAddress(host: address.host, port: port),
            token: token,
            server: server,
            hub: hub,
            work: work
        )
    }

    /// Ends all streams and closes the port.
    public func stop() async {
        work.cancel()
        hub.close()
        await server.stop(timeout: 1)
    }

    /// In seconds. A world whose time is virtual answers when somebody lets time pass.
    private static let longestAnswer = 86_400.0

    private static func configuration(_ address: PanelAddress) throws(Failure) -> HTTPServer.Configuration {
        let host = address.host == "localhost" ? "127.0.0.1" : address.host
        do {
            if host.contains(":") { return configuration(try sockaddr_in6.inet6(ip6: host, port: address.port)) }
            return configuration(try sockaddr_in.inet(ip4: host, port: address.port))
        } catch {
            throw Failure(description: "\"\(address.host)\" is no IP address the panel could listen on; try 127.0.0.1")
        }
    }

    private static func configuration(_ address: some SocketAddress) -> HTTPServer.Configuration {
        HTTPServer.Configuration(
            address: address,
            timeout: longestAnswer,
            pool: PromptPool(HTTPServer.defaultPool()),
            logger: .disabled
        )
    }

    private static func port(of server: HTTPServer) async -> UInt16? {
        switch await server.listeningAddress {
        case .ip4(_, let port), .ip6(_, let port): port
        default: nil
        }
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
