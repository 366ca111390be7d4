import BluethroatListening
import Foundation
import RawPeers
import Synchronization
import Testing

@testable import BluethroatHTTPServing

/// Answers when it is let; `/stream` is answered at once, without an end.
private final class Patient: HTTPService {
    let asked = Atomic<Int>(0)
    private let gate: AsyncStream<Never>
    private let opening: AsyncStream<Never>.Continuation

    init() { (gate, opening) = AsyncStream.makeStream(of: Never.self) }

    func open() { opening.finish() }

    func refusal(of head: HTTPRequest) -> HTTPAnswer? { nil }

    func answer(_ request: HTTPRequest) async -> HTTPAnswer {
        if request.path == "/stream" { return HTTPAnswer(200, body: .pieces(Stream())) }
        asked.wrappingAdd(1, ordering: .relaxed)
        for await _ in gate {}
        return HTTPAnswer(200)
    }

    func answer(to fault: HTTPFault) -> HTTPAnswer { HTTPAnswer(fault.status, body: .bytes(Data("\(fault)".utf8))) }

    /// Says nothing until its connection ends.
    private struct Stream: HTTPPieces {
        var isEndless: Bool { true }

        func next() async -> [UInt8]? {
            try? await Task.sleep(for: .seconds(3600))
            return nil
        }

        func end() {}
    }
}

@Suite("Places of a port that many want", .timeLimit(.minutes(5)))
struct CrowdedPlacesTests {
    private func withServer(_ service: Patient, _ body: (Int) async throws -> Void) async throws {
        try await HTTPServer.withServer(of: service, ListeningLimits(connections: 8), body)
    }

    private func said(_ peer: RawPeer) async -> String { String(decoding: await peer.hear() ?? [], as: UTF8.self) }

    @Test("Who comes while all are being served waits, and is answered; each answer meanwhile is a connection's last")
    func order() async throws {
        let service = Patient()
        try await withServer(service) { port in
            var peers: [RawPeer] = []
            for number in 0..<40 {
                let peer = try RawPeer(port: port)
                // With more questions behind it, which others need not wait for.
                await peer.send("GET /a HTTP/1.1\r\n\r\nGET /b HTTP/1.1\r\n\r\n")
                peers.append(peer)
                while number < 6, service.asked.load(ordering: .relaxed) <= number { await Task.yield() }
            }
            service.open()
            for (number, peer) in peers.enumerated() {
                let answer = await said(peer)
                #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "peer \(number): \(answer)")
                guard number == 0 else { continue }
                #expect(answer.contains("connection: close"))
                #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
            }
        }
    }

    @Test("A connection ends after a hundred answers, whatever waits behind them")
    func enough() async throws {
        let one = "GET /a HTTP/1.1\r\n\r\n"
        let served = try await ServedConnection.run([Array(String(repeating: one, count: 300).utf8)])
        #expect(served.asked.count == 100)
        let sent = String(decoding: served.sent, as: UTF8.self)
        #expect(sent.components(separatedBy: "HTTP/1.1 200 OK").count == 101)
        #expect(sent.components(separatedBy: "connection: close").count == 2)
    }

    @Test("Answers without an end have half of the places; one more is refused, and one is given when there is room")
    func streams() async throws {
        let service = Patient()
        service.open()
        let ask = "GET /stream HTTP/1.1\r\nconnection: close\r\n\r\n"
        try await withServer(service) { port in
            var streams: [RawPeer] = []
            for _ in 0..<4 {
                let peer = try RawPeer(port: port)
                await peer.send(ask)
                #expect(await peer.hear(15) == Array("HTTP/1.1 200 OK".utf8))
                streams.append(peer)
            }
            let fifth = try RawPeer(port: port)
            await fifth.send(ask)
            let refusal = await said(fifth)
            #expect(refusal.hasPrefix("HTTP/1.1 503 ") && refusal.hasSuffix("tooManyStreams"))
            let other = try RawPeer(port: port)
            await other.send("GET /a HTTP/1.1\r\nconnection: close\r\n\r\n")
            #expect(await said(other).hasPrefix("HTTP/1.1 200 OK"))
            streams.removeAll()
            var answer: [UInt8]? = []
            let end = ContinuousClock.now + .seconds(30)
            while answer != Array("HTTP/1.1 200 OK".utf8), ContinuousClock.now < end {
                let next = try RawPeer(port: port)
                await next.send(ask)
                answer = await next.hear(15)
            }
            #expect(answer == Array("HTTP/1.1 200 OK".utf8))
        }
    }
}
