import BluethroatHTTPServing
public import BluethroatListening
import Foundation

/// Serves the panel's page and its API over HTTP.
public final class PanelServer: Sendable {
    /// Why a panel cannot be served.
    public struct Failure: Error, CustomStringConvertible, Sendable {
        public let description: String
    }

    /// Where it listens, with the port that was picked.
    public let address: PanelAddress
    /// What each request has to show.
    public let token: String

    private let server: HTTPServer
    private let hub: EventHub
    private let beats: Task<Void, Never>

    /// Where to point a browser on this machine.
    public var url: String { url(at: address.here) }
    /// Where to point a browser on another machine, if it can reach this one.
    public var urlFromElsewhere: String { url(at: address.elsewhere) }

    private func url(at address: PanelAddress) -> String {
        "http://\(address)/?\(RequestAuthorization.tokenName)=\(token)"
    }

    private init(address: PanelAddress, token: String, server: HTTPServer, hub: EventHub) {
        self.address = address
        self.token = token
        self.server = server
        self.hub = hub
        beats = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: .seconds(15))
                hub.beat()
            }
        }
    }

    /// Opens the port and answers from then on.
    ///
    /// - Parameters:
    ///   - token: what each request has to show, from this machine, too: it has other users.
    ///   - endpoints: what can be asked, besides the page and `/openapi.json`.
    ///   - hub: whose event streams end with the server.
    public static func start(
        on address: PanelAddress,
        token: String,
        endpoints: [Endpoint],
        hub: EventHub,
        limits: ListeningLimits = ListeningLimits()
    ) async throws(Failure) -> PanelServer {
        guard address.isIPAddress else {
            throw Failure(description: "\"\(address.host)\" is no IP address the panel could listen on; try 127.0.0.1")
        }
        guard let pages = Pages.bundled() else {
            throw Failure(
                description: "cannot serve the panel: its pages are not beside the program; run it where it was built, "
                    + "or install it with make install"
            )
        }
        let service = PanelService(
            authorization: RequestAuthorization(address: address, token: token),
            router: Router(endpoints),
            pages: pages
        )
        let server: HTTPServer
        do {
            server = try await HTTPServer.start(
                service,
                host: address.host,
                port: Int(address.port),
                longestBody: PanelService.longestBody,
                limits: limits
            )
        } catch {
            throw Failure(description: "cannot serve the panel on \(address): \(reason(error))")
        }
        let picked = PanelAddress(host: address.host, port: UInt16(clamping: server.port))
        return PanelServer(address: picked, token: token, server: server, hub: hub)
    }

    /// Ends all streams and closes the port.
    public func stop() async {
        beats.cancel()
        hub.close()
        await server.stop(within: 1)
    }

    private static func reason(_ failure: ListeningFailure) -> String {
        switch failure {
        case .portTaken, .pathTaken: "the port is in use; choose another with --panel-listen, or 0 for any"
        case .notPermitted: "not allowed; choose a port above 1023"
        case .notThisMachine, .unknownHost: "this machine has no such address"
        case .other(let text): text
        }
    }
}
