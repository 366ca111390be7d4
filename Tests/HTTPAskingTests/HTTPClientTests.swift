import Foundation
import Testing

@testable import BluethroatHTTPAsking

@Suite("Questions over HTTP, to servers that may be anybody", .timeLimit(.minutes(5)))
struct HTTPClientTests {
    private static let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n"

    /// Limits of a test that has to share its machine.
    private static var patient: HTTPAskingLimits {
        var limits = HTTPAskingLimits()
        (limits.silence, limits.answer) = (30, 60)
        return limits
    }

    /// What comes of one question.
    private func asked(
        _ server: RogueServer,
        _ limits: HTTPAskingLimits = HTTPClientTests.patient,
        name: String = "127.0.0.1"
    ) async throws -> Result<HTTPReply, HTTPFailure> {
        var result: Result<HTTPReply, HTTPFailure>?
        try await server.withPort { port in
            let client = HTTPClient(limits: limits)
            let url = try #require(URL(string: "http://\(name):\(port)/v1/balance"))
            let question = HTTPQuestion("POST", url, fields: [("Content-Type", "text/plain")], body: Data("Well?".utf8))
            result = await client.answer(try #require(question))
            #expect(client.openCount == 0)
        }
        return try #require(result)
    }

    private func failure(
        _ server: RogueServer,
        _ limits: HTTPAskingLimits = HTTPClientTests.patient
    ) async throws -> HTTPFailure? {
        if case .failure(let failure) = try await asked(server, limits) { failure } else { nil }
    }

    // MARK: Answers

    @Test(
        "A question is asked once, and its answer is what the server has said",
        arguments: ["127.0.0.1", "localhost"]
    )
    func whole(_ name: String) async throws {
        let server = RogueServer(Self.head + "content-length: 2\r\n\r\n{}")
        let reply = try await asked(server, name: name).get()
        #expect(reply.status == 200 && reply.body == Data("{}".utf8))
        let question = try #require(server.questions.first)
        #expect(server.questions.count == 1)
        #expect(question.hasPrefix("POST /v1/balance HTTP/1.1\r\nhost: \(name):"))
        #expect(question.contains("\r\ncontent-length: 5\r\nContent-Type: text/plain\r\n"))
        #expect(question.hasSuffix("\r\n\r\nWell?"))
    }

    @Test(
        "An answer has a length, comes in parts, or ends with its connection",
        arguments: [
            "content-length: 2\r\n\r\n{}HTTP/1.1 500 Another\r\n\r\n",
            "transfer-encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n",
            "\r\n{}",
        ]
    )
    func framing(_ rest: String) async throws {
        let reply = try await asked(RogueServer(Self.head + rest)).get()
        #expect(reply.status == 200 && reply.body == Data("{}".utf8))
    }

    @Test(
        "What an answer asks for is not done: no password, no other address, no other protocol",
        arguments: [
            (401, "www-authenticate: Basic realm=\"x\""), (401, "www-authenticate: Digest realm=\"x\", nonce=\"y\""),
            (407, "proxy-authenticate: Basic"), (302, "location: /v1/elsewhere"),
            (307, "location: http://127.0.0.1:1/"),
        ]
    )
    func demands(_ status: Int, _ field: String) async throws {
        let server = RogueServer("HTTP/1.1 \(status) X\r\n\(field)\r\ncontent-length: 0\r\n\r\n", then: .silence)
        let reply = try await asked(server).get()
        #expect(reply.status == status && reply.body.isEmpty)
        #expect(server.questions.count == 1)
    }

    // MARK: Limits

    @Test(
        "A length that no answer has is none, before a byte of it has come",
        arguments: ["9223372036854775807", "99999999999999999999999", "1048577", "-5"]
    )
    func lengths(_ length: String) async throws {
        let server = RogueServer(Self.head + "content-length: \(length)\r\n\r\n{}", then: .silence)
        let failure = try await failure(server)
        #expect(failure == .tooLong || failure == .unreadable)
        if length == "1048577" || length == "9223372036854775807" { #expect(failure == .tooLong) }
    }

    @Test(
        "Of an answer that goes on, so many bytes are read, whatever they are",
        arguments: [
            ("HTTP/1.1 200 OK\r\n", "x: yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\r\n"), ("HTTP/1.1 200 OK\r\nx: ", "yyyyyyyy"),
            ("", "HTTP/1.1 100 Continue\r\n\r\n"), ("", "HTTP/1.1 103 Early\r\nlink: x\r\n\r\n"),
            (head + "\r\n", "          "), (head + "transfer-encoding: chunked\r\n\r\n", "1\r\n \r\n"),
            (head + "transfer-encoding: chunked\r\n\r\n2;", "yyyyyyyyyy"),
            (head + "transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n", "x: y\r\n"),
        ]
    )
    func floods(_ said: String, _ piece: String) async throws {
        let failure = try await failure(RogueServer(said, then: .flood(piece, upTo: 64 << 20)))
        #expect(failure == .tooLong)
    }

    @Test("A body comes in so many parts, small as they are")
    func parts() async throws {
        func body(_ parts: Int) -> String {
            Self.head + "transfer-encoding: chunked\r\n\r\n" + String(repeating: "1\r\n \r\n", count: parts)
                + "0\r\n\r\n"
        }
        #expect(try await asked(RogueServer(body(10_000))).get().body.count == 10_000)
        #expect(try await failure(RogueServer(body(100_000), then: .silence)) == .tooLong)
    }

    @Test("A head has so many fields")
    func fields() async throws {
        let many = String(repeating: "x: y\r\n", count: 101)
        #expect(try await failure(RogueServer(Self.head + many + "content-length: 2\r\n\r\n{}")) == .tooLong)
    }

    @Test("An answer that comes byte by byte has its time, and no more")
    func trickling() async throws {
        var limits = Self.patient
        limits.answer = 0.5
        let server = RogueServer(Self.head + "\r\n", then: .trickle(" ", milliseconds: 20, times: 250))
        #expect(try await failure(server, limits) == .late)
    }

    @Test("A server that says nothing has its time")
    func silence() async throws {
        var limits = Self.patient
        limits.silence = 0.2
        #expect(try await failure(RogueServer("", then: .silence), limits) == .late)
        #expect(try await failure(RogueServer(Self.head, then: .silence), limits) == .late)
    }

    // MARK: What is no answer

    @Test(
        "What ends before its end is no answer",
        arguments: ["", "HTTP/1.1 200", head, head + "content-length: 9\r\n\r\n{}"]
    )
    func ends(_ said: String) async throws { #expect(try await failure(RogueServer(said)) == .cutOff) }

    @Test(
        "What is not HTTP is no answer",
        arguments: [
            "hello\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/1.1 101 X\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n",
            head + "transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
        ]
    )
    func rubbish(_ said: String) async throws {
        #expect(try await failure(RogueServer(said, then: .silence)) == .unreadable)
    }

    @Test("Where nobody listens there is no answer")
    func nobody() async throws {
        var free = 0
        try await RogueServer("").withPort { free = $0 }
        let question = HTTPQuestion("GET", try #require(URL(string: "http://127.0.0.1:\(free)")))
        let result = await HTTPClient(limits: Self.patient).answer(try #require(question))
        guard case .failure(.unreachable) = result else {
            Issue.record("\(result)")
            return
        }
    }

    // MARK: The end of who asks

    @Test("Who is not waited for any more is told so, and asks nobody")
    func cancellation() async throws {
        try await RogueServer("", then: .silence).withPort { port in
            let client = HTTPClient(limits: Self.patient)
            let url = try #require(URL(string: "http://127.0.0.1:\(port)/"))
            let question = try #require(HTTPQuestion("POST", url, body: Data("?".utf8)))
            async let open = client.answer(question)
            while client.openCount == 0 { await Task.yield() }
            client.cancel()
            for result in [await open, await client.answer(question)] {
                guard case .failure(.cancelled) = result else {
                    Issue.record("\(result)")
                    continue
                }
            }
            #expect(client.openCount == 0)
        }
    }

    // MARK: Addresses

    @Test(
        "An address is what it says",
        arguments: [
            ("http://127.0.0.1:6404/v1/bank", "127.0.0.1", 6404, "/v1/bank", "127.0.0.1:6404"),
            ("http://[::1]:6404/v1", "::1", 6404, "/v1", "[::1]:6404"), ("http://bank", "bank", 80, "/", "bank"),
            ("http://a:b@bank/a%20b?c=d#e", "bank", 80, "/a%20b?c=d", "bank"),
            ("https://bank", "bank", 443, "/", "bank"), ("https://bank:6404", "bank", 6404, "/", "bank:6404"),
        ]
    )
    func addresses(_ text: String, _ host: String, _ port: Int, _ target: String, _ authority: String) throws {
        let question = try #require(URL(string: text).flatMap { HTTPQuestion("GET", $0) })
        #expect(question.host == host && question.port == port)
        #expect(question.target == target && question.authority == authority)
        #expect(question.isEncrypted == text.hasPrefix("https:"))
    }

    @Test(
        "What has another protocol, no host or a port that there is not is no address",
        arguments: ["ftp://bank", "http:///v1", "http://bank:99999", "http://bank:0", "file:///etc/passwd"]
    )
    func noAddresses(_ text: String) { #expect(URL(string: text).flatMap { HTTPQuestion("GET", $0) } == nil) }
}

extension HTTPClient {
    func answer(_ question: HTTPQuestion) async -> Result<HTTPReply, HTTPFailure> {
        await withCheckedContinuation { continuation in ask(question) { continuation.resume(returning: $0) } }
    }
}
