import BluethroatHTTPAsking
import BluethroatHTTPServing
import Foundation
import Testing

@testable import BluethroatMoneyBank

/// What is promised of banks with TLS does not come of it, and is tried without.
@Suite("The way to a bank with TLS", .timeLimit(.minutes(5)))
struct SecureTransportTests {
    private func asked(_ service: any HTTPService, patience: TimeInterval) async throws -> Result<
        HTTPReply, HTTPFailure
    > {
        let server = try await HTTPServer.start(service, host: "127.0.0.1", port: 0, longestBody: 16 << 10)
        let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/v1/bank"))
        let transport = SecureBankTransport(patience: patience)
        let result = await withCheckedContinuation { continuation in
            transport.post(Data("{}".utf8), to: url, fields: []) { continuation.resume(returning: $0) }
        }
        transport.cancel()
        await server.stop(within: 0)
        return result
    }

    @Test("A bank that asks for a password gets none, and is no bank")
    func password() async throws {
        let result = try await asked(
            Saying { HTTPAnswer(401, [("www-authenticate", "Basic realm=\"x\"")]) },
            patience: 2
        )
        guard case .failure(.unreachable) = result else {
            Issue.record("\(result)")
            return
        }
    }

    @Test("A bank whose answer comes byte by byte has twice the time in which it may say nothing")
    func trickling() async throws {
        let result = try await asked(Saying { HTTPAnswer(200, body: .pieces(Drops(count: 60))) }, patience: 1)
        guard case .failure(.late) = result else {
            Issue.record("\(result)")
            return
        }
    }

    @Test("A whole answer arrives, whatever its status is", arguments: [200, 307, 404])
    func whole(_ status: Int) async throws {
        let service = Saying { HTTPAnswer(status, [("location", "/elsewhere")], body: .bytes(Data("{}".utf8))) }
        let reply = try await asked(service, patience: 120).get()
        #expect(reply.status == status && reply.body == Data("{}".utf8))
    }
}

private struct Saying: HTTPService {
    let said: @Sendable () -> HTTPAnswer

    init(_ said: @escaping @Sendable () -> HTTPAnswer) { self.said = said }

    func refusal(of head: HTTPRequest) -> HTTPAnswer? { nil }

    func answer(_ request: HTTPRequest) async -> HTTPAnswer { said() }

    func answer(to fault: HTTPFault) -> HTTPAnswer { HTTPAnswer(fault.status) }
}

/// A byte each 100 ms.
private actor Drops: HTTPPieces {
    nonisolated let isEndless = true
    private var left: Int

    init(count: Int) { left = count }

    func next() async -> [UInt8]? {
        guard left > 0 else { return nil }
        left -= 1
        do { try await Task.sleep(for: .milliseconds(100)) } catch { return nil }
        return [0x20]
    }

    nonisolated func end() {}
}
