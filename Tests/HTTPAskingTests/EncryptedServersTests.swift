import Foundation
import Testing

@testable import BluethroatHTTPAsking

@Suite("Questions over HTTP, to servers with TLS", .timeLimit(.minutes(5)))
struct EncryptedServersTests {
    private static let head = "HTTP/1.1 200 OK\r\n"

    /// What comes of one question to `https://NAME`, asked by somebody who trusts the authority of these tests.
    private func asked(
        _ server: RogueServer,
        name: String = "127.0.0.1",
        trusts: Bool = true,
        _ change: (inout HTTPAskingLimits) -> Void = { _ in }
    ) async throws -> Result<HTTPReply, HTTPFailure> {
        var result: Result<HTTPReply, HTTPFailure>?
        try await TestCertificates.withAuthority { authority in
            try await server.withPort { port in
                var limits = HTTPAskingLimits()
                (limits.silence, limits.answer) = (60, 60)
                change(&limits)
                let client = HTTPClient(limits: limits, certificates: trusts ? authority : nil)
                let url = try #require(URL(string: "https://\(name):\(port)/v1/balance"))
                let question = HTTPQuestion("POST", url, body: Data("Well?".utf8))
                result = await client.answer(try #require(question))
                #expect(client.openCount == 0)
            }
        }
        return try #require(result)
    }

    private func failure(_ server: RogueServer) async throws -> HTTPFailure? {
        if case .failure(let failure) = try await asked(server) { failure } else { nil }
    }

    @Test("A server that is vouched for is asked once, and answers", arguments: ["127.0.0.1", "localhost"])
    func whole(_ name: String) async throws {
        let server = RogueServer(Self.head + "content-length: 2\r\n\r\n{}", as: .here)
        let reply = try await asked(server, name: name).get()
        #expect(reply.status == 200 && reply.body == Data("{}".utf8))
        #expect(server.questions.count == 1)
    }

    @Test(
        "A server that does not prove to have its name is asked nothing: no TLS, another's name, its address, nobody's word",
        arguments: [(nil, true), (.elsewhere, true), (.address, true), (.here, false)]
            as [(TestCertificates.Server?, Bool)]
    )
    func unproven(_ certificate: TestCertificates.Server?, _ trusts: Bool) async throws {
        let server = RogueServer(Self.head + "content-length: 2\r\n\r\n{}", as: certificate)
        for name in ["127.0.0.1", "localhost"] where certificate != .address || name == "localhost" {
            guard case .failure(.untrusted) = try await asked(server, name: name, trusts: trusts) else {
                Issue.record("\(name) was believed")
                continue
            }
        }
        #expect(server.questions.isEmpty)
    }

    @Test("A server is known by its address where it was asked by that")
    func address() async throws {
        let server = RogueServer(Self.head + "content-length: 2\r\n\r\n{}", as: .address)
        #expect(try await asked(server).get().status == 200)
    }

    @Test(
        "A name is one that the certificate has, whatever the case; a star is for one part of a name",
        arguments: [
            ("elsewhere.example", true), ("dot.example", true), ("ELSEWHERE.example.", true), ("a.star.example", true),
            ("a.b.star.example", false), ("star.example", false), ("*.star.example", true), (".star.example", false),
            ("elsewhere", false), ("not-elsewhere.example", false), ("127.0.0.2", false), ("localhost", false),
            ("", false),
        ]
    )
    func names(_ name: String, _ isIts: Bool) throws {
        #expect(try TestCertificates.certificate(of: .elsewhere).hasName(name) == isIts)
    }

    @Test("Certificates that cannot be read vouch for nobody")
    func noCertificates() async throws {
        try await RogueServer("", as: .here).withPort { port in
            for name in ["127.0.0.1", "localhost"] {
                let client = HTTPClient(certificates: "/nowhere/authority.pem")
                let url = try #require(URL(string: "https://\(name):\(port)/"))
                guard case .failure(.untrusted) = await client.answer(try #require(HTTPQuestion("POST", url))) else {
                    Issue.record("no certificates at \(name)")
                    continue
                }
            }
        }
    }

    @Test("An answer without a length ends with a goodbye, and who cuts the connection makes no answer shorter")
    func endings() async throws {
        let said = Self.head + "\r\n{}"
        #expect(try await asked(RogueServer(said, as: .here)).get().body == Data("{}".utf8))
        #expect(try await failure(RogueServer(said, then: .vanish, as: .here)) == .cutOff)
    }

    @Test(
        "What a server with TLS says has the limits of any other",
        arguments: [
            (head + "content-length: 9223372036854775807\r\n\r\n", ""), (head + "\r\n", "          "),
            (head + "transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n", "x: y\r\n"),
        ]
    )
    func floods(_ said: String, _ piece: String) async throws {
        let ending: RogueServer.Ending = piece.isEmpty ? .silence : .flood(piece, upTo: 64 << 20)
        #expect(try await failure(RogueServer(said, then: ending, as: .here)) == .tooLong)
    }

    @Test("What TLS itself sends is counted as well")
    func encryptedBytes() async throws {
        let server = RogueServer(Self.head + "content-length: 2\r\n\r\n{}", as: .here)
        guard case .failure(.tooLong) = try await asked(server, { $0.encrypted = 500 }) else {
            Issue.record("a handshake of 500 bytes")
            return
        }
    }

    @Test("A server with TLS has its time, in silence and byte by byte")
    func late() async throws {
        let cases: [(RogueServer.Ending, WritableKeyPath<HTTPAskingLimits, Double>)] = [
            (.silence, \.silence), (.trickle(" ", milliseconds: 20, times: 2_000), \.answer),
        ]
        for (ending, limit) in cases {
            let server = RogueServer(Self.head + "\r\n", then: ending, as: .here)
            guard case .failure(.late) = try await asked(server, { $0[keyPath: limit] = 1 }) else {
                Issue.record("\(ending)")
                continue
            }
        }
    }
}
