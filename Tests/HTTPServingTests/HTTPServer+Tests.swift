import BluethroatListening

@testable import BluethroatHTTPServing

extension HTTPServer {
    /// A server of a service, on a port of its own, for as long as the body runs, which hears the port.
    static func withServer(
        of service: some HTTPService,
        _ limits: ListeningLimits,
        _ body: (Int) async throws -> Void
    ) async throws {
        let server = try await HTTPServer.start(
            service,
            host: "127.0.0.1",
            port: 0,
            longestBody: 1000,
            limits: limits
        )
        do {
            try await body(server.port)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }
}
