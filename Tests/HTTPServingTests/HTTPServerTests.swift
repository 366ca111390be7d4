import BluethroatListening
import Foundation
import NIOCore
import RawPeers
import Testing

@testable import BluethroatHTTPServing

/// Answers with what it was asked. `/endless` is one answer without an end.
private struct Echo: HTTPService {
    var given = GivenUp()

    func refusal(of head: HTTPRequest) -> HTTPAnswer? {
        head.path == "/forbidden" ? HTTPAnswer(403, body: .bytes(Data("no".utf8))) : nil
    }

    func answer(_ request: HTTPRequest) async -> HTTPAnswer {
        if request.path == "/endless" { return HTTPAnswer(200, body: .pieces(Endless(given: given))) }
        let size = request.queries["size"].flatMap { Int($0) }
        let text =
            "\(request.method) \(request.path) \(request["x"] ?? "")[\(String(decoding: request.body, as: UTF8.self))]"
        return HTTPAnswer(200, body: .bytes(size.map { Data(repeating: 0x2E, count: $0) } ?? Data(text.utf8)))
    }

    func answer(to fault: HTTPFault) -> HTTPAnswer { HTTPAnswer(fault.status, body: .bytes(Data("\(fault)".utf8))) }
}

private struct Endless: HTTPPieces {
    let given: GivenUp

    var isEndless: Bool { true }

    func next() async -> [UInt8]? { Task.isCancelled ? nil : [UInt8](repeating: 0x2E, count: 1 << 16) }

    func end() { given.note() }
}

/// Hears that an answer is not read any more.
private final class GivenUp: Sendable {
    private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

    func note() { continuation.finish() }

    func wait() async { for await _ in stream {} }
}

@Suite("Requests and answers over HTTP", .timeLimit(.minutes(5)))
struct HTTPServerTests {
    private func withServer(
        _ limits: ListeningLimits = ListeningLimits(connections: 64),
        _ service: Echo = Echo(),
        _ body: (Int) async throws -> Void
    ) async throws {
        try await HTTPServer.withServer(of: service, limits, body)
    }

    /// Sends pieces, and answers what comes back until the end.
    private func say(_ text: String, inPiecesOf count: Int = .max, to port: Int) async throws -> String {
        let peer = try RawPeer(port: port)
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            await peer.send(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return String(decoding: try #require(await peer.hear()), as: UTF8.self)
    }

    private func status(_ answer: String) -> Int {
        answer.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }

    @Test("Requests are answered in their order, however they arrive", arguments: [1, 2, 7, .max])
    func order(pieces: Int) async throws {
        try await withServer { port in
            let put = "PUT /a HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\n{\"a\"}"
            let chunks =
                "PUT /b HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\n{\"a\r\n2;name=x\r\n\"}\r\n0\r\nTrailer: y\r\n\r\n"
            let last = "GET /c?d=e HTTP/1.1\r\nX: 1\r\nConnection: close\r\n\r\n"
            let answer = try await say(put + chunks + last, inPiecesOf: pieces, to: port)
            let parts = answer.components(separatedBy: "HTTP/1.1 200 OK\r\n").dropFirst()
            #expect(
                parts.map { $0.components(separatedBy: "\r\n\r\n")[1] } == [
                    "PUT /a [{\"a\"}]", "PUT /b [{\"a\"}]", "GET /c 1[]",
                ]
            )
        }
    }

    @Test("A peer that has asked and says no more is answered; HEAD has the length and no body; what is refused ends")
    func ends() async throws {
        try await withServer { port in
            let peer = try RawPeer(port: port)
            await peer.send("GET /a HTTP/1.1\r\n\r\n")
            peer.finishSending()
            #expect(String(decoding: try #require(await peer.hear()), as: UTF8.self).hasSuffix("GET /a []"))
            let head = try await say("HEAD /a HTTP/1.1\r\nConnection: close\r\n\r\n", to: port)
            #expect(head.contains("content-length: 10\r\n") && head.hasSuffix("\r\n\r\n"))
            let refused = try await say("PUT /forbidden HTTP/1.1\r\ncontent-length: 9\r\n\r\n", to: port)
            #expect(status(refused) == 403 && refused.contains("connection: close"))
            let long = try await say("GET /a?size=1000000 HTTP/1.0\r\n\r\n", to: port)
            #expect(long.utf8.count > 1_000_000 && long.contains("content-length: 1000000"))
        }
    }

    @Test(
        "What two readers could read in two ways is refused, and what is no HTTP",
        arguments: [
            "PUT /a HTTP/1.1\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n",
            "PUT /a HTTP/1.1\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n",
            "PUT /a HTTP/1.1\r\ncontent-length: +5\r\n\r\n", "PUT /a HTTP/1.1\r\ncontent-length: ٥\r\n\r\n",
            "PUT /a HTTP/1.1\r\ncontent-length:\r\n\r\n", "PUT /a HTTP/1.1\r\ntransfer-encoding: gzip, chunked\r\n\r\n",
            "PUT /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
            "PUT /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n\r\n",
            "PUT /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n7fffffffffffffffff\r\n",
            "PUT /a HTTP/1.0\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            "GET /a HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n", "GET /a HTTP/1.1\r\nhost : a\r\n\r\n",
            "GET /a HTTP/1.1\r\nx: y\r\n host: b\r\n\r\n", "GET /a HTTP/1.1\r\nhost: a\u{1}\r\n\r\n",
            "GET /a\r\n\r\n", "PUT /a HTTP/1.1\r\ncontent-length: 99999999999999999999\r\n\r\n",
            "get /a HTTP/1.1\r\n\r\n", "GET a HTTP/1.1\r\n\r\n",
            "GET /a HTTP/2.0\r\n\r\n", ": x\r\n\r\n", "\u{16}\u{3}\u{1}\r\n\r\n", "CONNECT a:80 HTTP/1.1\r\n\r\n",
        ]
    )
    func ambiguities(text: String) async throws {
        try await withServer { port in
            let answer = try await say(text, to: port)
            #expect(status(answer) == 400, "\(answer)")
        }
    }

    @Test(
        "Chunks of a body may be small, but not very small and many",
        arguments: [(1, 200, 200), (32, 31, 200), (1, 900, 400)]
    )
    func chunks(size: Int, count: Int, expected: Int) async throws {
        try await withServer { port in
            let chunk = "\(String(size, radix: 16))\r\n\(String(repeating: "y", count: size))\r\n"
            let head = "PUT /a HTTP/1.1\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n"
            let answer = try await say(head + String(repeating: chunk, count: count) + "0\r\n\r\n", to: port)
            #expect(status(answer) == expected, "\(answer)")
        }
    }

    @Test(
        "JSON is what is said to be JSON, and nothing that only begins so",
        arguments: [
            ("application/json", true), ("Application/JSON ; charset=utf-8", true), ("application/jsonp", false),
            ("application/json-seq", false), ("text/plain;application/json", false), ("", false),
        ]
    )
    func json(type: String, isJSON: Bool) {
        #expect(HTTPRequest(method: "PUT", target: "/", fields: ["content-type": type]).isJSON == isJSON)
    }

    @Test("What is too long is refused as soon as that is known, in a time that does not grow with it")
    func lengths() async throws {
        try await withServer { port in
            for (head, expected) in [
                ("GET /a HTTP/1.1\r\nx: " + String(repeating: "y", count: 200_000), 431),
                ("GET /" + String(repeating: "y", count: 200_000), 431),
                ("GET /" + String(repeating: "y", count: 3000) + " HTTP/1.1\r\n\r\n", 431),
                ("GET /a HTTP/1.1\r\nauthorization: " + String(repeating: "y", count: 3000) + "\r\n\r\n", 431),
                ("GET /a HTTP/1.1\r\n" + String(repeating: "x: y\r\n", count: 10_000), 431),
                ("PUT /a HTTP/1.1\r\ncontent-length: 1001\r\n\r\n", 413),
                ("PUT /a HTTP/1.1\r\ncontent-length: 999999999999999999\r\n\r\n", 413),
                (
                    "PUT /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3e9\r\n"
                        + String(repeating: "y", count: 1001), 413
                ),
            ] {
                let began = ContinuousClock.now
                let answer = try await say(head, to: port)
                #expect(status(answer) == expected, "\(head.prefix(40)): \(answer)")
                // Linear, this takes milliseconds; with the square of the length it would take many seconds.
                #expect(ContinuousClock.now - began < .seconds(8))
            }
            let cookies =
                "GET /a HTTP/1.1\r\ncookie: a=\(String(repeating: "b", count: 20_000))\r\nconnection: close\r\n\r\n"
            let answer = try await say(cookies, to: port)
            #expect(status(answer) == 200)
        }
    }

    @Test(
        "Half a head, half a body, silence between requests and an answer that is not read end when their time is over"
    )
    func unfinished() async throws {
        let limits = ListeningLimits(
            connections: 64,
            message: .milliseconds(200),
            idle: .milliseconds(200),
            unread: .milliseconds(200)
        )
        let given = GivenUp()
        try await withServer(limits, Echo(given: given)) { port in
            for text in ["GET /a HT", "PUT /a HTTP/1.1\r\ncontent-length: 5\r\n\r\n{"] {
                #expect(try await say(text, to: port) == "")
            }
            #expect(try await say("GET /a HTTP/1.1\r\n\r\n", to: port).hasSuffix("GET /a []"))
            // It hears nothing until the server has given it up, and then finds the end of what has no end.
            let deaf = try RawPeer(port: port)
            await deaf.send("GET /endless HTTP/1.1\r\n\r\n")
            await given.wait()
            #expect(await deaf.hear() != nil)
        }
    }

    @Test("A second request has the time of a request from its first byte on, and not that between requests")
    func secondRequest() async throws {
        let limits = ListeningLimits(connections: 64, message: .milliseconds(200), idle: .hours(1))
        try await withServer(limits) { port in
            for beginning in ["\r", "G", "GET /a HT", "PUT /a HTTP/1.1\r\ncontent-length: 5\r\n\r\n{"] {
                let peer = try RawPeer(port: port)
                await peer.send("GET /a HTTP/1.1\r\n\r\n")
                #expect(await peer.hear(1) != nil)
                await peer.send(beginning)
                #expect(await peer.hear() != nil)
            }
        }
    }

    @Test("A peer that asks whether to send its body is told so, unless its head is refused; of HTTP/1.0 it is not")
    func expectation() async throws {
        let head = "PUT /a HTTP/1.1\r\nexpect: 100-Continue\r\nconnection: close\r\ncontent-length: "
        try await withServer { port in
            let peer = try RawPeer(port: port)
            await peer.send(head + "2\r\n\r\n")
            let goOn = "HTTP/1.1 100 Continue\r\n\r\n"
            let heard = try #require(await peer.hear(goOn.utf8.count))
            #expect(String(decoding: heard, as: UTF8.self) == goOn)
            await peer.send("{}")
            let answer = String(decoding: try #require(await peer.hear()), as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n") && answer.hasSuffix("PUT /a [{}]"))
            #expect(status(try await say(head + "1001\r\n\r\n", to: port)) == 413)
            let old = head.replacing("HTTP/1.1", with: "HTTP/1.0") + "2\r\n\r\n{}"
            #expect(status(try await say(old, to: port)) == 200)
        }
    }

    @Test("No bytes make it trip: it answers the next request")
    func rubbish() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var state = seed
        func draw(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        let good = Array("PUT /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}".utf8)
        try await withServer { port in
            for _ in 0..<200 {
                var bytes = good
                for _ in 0...draw(5) {
                    let place = draw(bytes.count)
                    if draw(2) == 0 { bytes[place] = UInt8(draw(256)) } else { bytes.remove(at: place) }
                }
                let peer = try RawPeer(port: port)
                await peer.send(bytes)
                peer.finishSending()
                let answer = String(decoding: try #require(await peer.hear()), as: UTF8.self)
                #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 "), "seed \(seed)")
            }
            let answer = try await say("GET /a HTTP/1.1\r\nconnection: close\r\n\r\n", to: port)
            #expect(status(answer) == 200)
        }
    }
}
