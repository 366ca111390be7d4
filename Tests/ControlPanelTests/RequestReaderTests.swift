import Foundation
import Testing

@testable import ControlPanel

@Suite("What is let through of requests")
struct RequestReaderTests {
    private static let plain = "GET /api/world HTTP/1.1\r\nHost: 127.0.0.1:6480\r\nAccept: */*\r\nUser-Agent: x\r\n\r\n"

    private func passed(_ text: String, inPiecesOf count: Int = .max) throws -> String {
        var reader = RequestReader()
        var out: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            out += try reader.take(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return String(decoding: out, as: UTF8.self)
    }

    @Test("Of a head those fields alone that the panel reads, however it arrives", arguments: [1, 2, 7, .max])
    func heads(pieces: Int) throws {
        #expect(
            try passed(Self.plain, inPiecesOf: pieces)
                == "GET /api/world HTTP/1.1\r\nhost: 127.0.0.1:6480\r\n\r\n"
        )
    }

    @Test("Of cookies the panel's own; others are nobody's business, however long", arguments: [10, 20_000])
    func cookies(length: Int) throws {
        let other = "session=" + String(repeating: "x", count: length)
        let head = "GET / HTTP/1.1\r\nCookie: \(other); bluethroat-token=abc; y=z\r\n\r\n"
        #expect(try passed(head) == "GET / HTTP/1.1\r\ncookie: bluethroat-token=abc\r\n\r\n")
        #expect(try passed("GET / HTTP/1.1\r\nCookie: \(other)\r\n\r\n") == "GET / HTTP/1.1\r\n\r\n")
    }

    @Test("Bodies pass as they are, and the next request begins behind them", arguments: [1, 5, .max])
    func bodies(pieces: Int) throws {
        let put = "PUT /a HTTP/1.1\r\ncontent-length: 5\r\n\r\n{\"a\"}"
        #expect(try passed(put + Self.plain, inPiecesOf: pieces).hasPrefix(put + "GET /api/world"))
        let chunked = "PUT /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n"
        let chunks = "3\r\n{\"a\r\n2;name=x\r\n\"}\r\n0\r\nTrailer: y\r\n\r\n"
        #expect(
            try passed(chunked + chunks + Self.plain, inPiecesOf: pieces)
                == chunked + "3\r\n{\"a\r\n2\r\n\"}\r\n0\r\n\r\nGET /api/world HTTP/1.1\r\nhost: 127.0.0.1:6480\r\n\r\n"
        )
    }

    @Test(
        "What two readers could read in two ways is refused",
        arguments: [
            "PUT /a HTTP/1.1\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n",
            "PUT /a HTTP/1.1\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n",
            "PUT /a HTTP/1.1\r\ncontent-length: +5\r\n\r\n", "PUT /a HTTP/1.1\r\ncontent-length: ٥\r\n\r\n",
            "PUT /a HTTP/1.1\r\ncontent-length:\r\n\r\n", "PUT /a HTTP/1.1\r\ntransfer-encoding: gzip, chunked\r\n\r\n",
            "PUT /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
            "PUT /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n\r\n",
            "PUT /a HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n7fffffffffffffff\r\n",
            "GET /a HTTP/1.1\r\nhost: a\r\nhost: b\r\n\r\n", "GET /a HTTP/1.1\r\nhost : a\r\n\r\n",
            "GET /a HTTP/1.1\r\nx: y\r\n host: b\r\n\r\n", "GET /a HTTP/1.1\r\nhost: a\u{1}\r\n\r\n",
            "GET /a\r\n\r\n", "GET  /a HTTP/1.1\r\n\r\n", "get /a HTTP/1.1\r\n\r\n", "GET a HTTP/1.1\r\n\r\n",
            "GET /a HTTP/2.0\r\n\r\n", ": x\r\n\r\n", "\u{16}\u{3}\u{1}\r\n\r\n",
        ]
    )
    func ambiguities(text: String) throws {
        let error = #expect(throws: PanelError.self) { try passed(text) }
        #expect(error?.kind == .badRequest)
        #expect(error?.message.isEmpty == false)
    }

    @Test("What is too long is refused as soon as that is known")
    func lengths() throws {
        var reader = RequestReader()
        let error = #expect(throws: PanelError.self) {
            while true { _ = try reader.take([UInt8](repeating: 0x78, count: 4096)) }
        }
        #expect(error?.kind == .headTooLarge)
        let long = String(repeating: "x", count: RequestReader.longestLine)
        for head in ["GET /\(long) HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nauthorization: Bearer \(long)\r\n\r\n"] {
            #expect(#expect(throws: PanelError.self) { try passed(head) }?.kind == .headTooLarge)
        }
        // What the panel does not read may be longer.
        #expect(try passed("GET / HTTP/1.1\r\nx: \(long)\(long)\r\n\r\n") == "GET / HTTP/1.1\r\n\r\n")
        let put = "PUT / HTTP/1.1\r\ncontent-length: \(FrontDesk.longestBody + 1)\r\n\r\n"
        #expect(#expect(throws: PanelError.self) { try passed(put) }?.kind == .tooLarge)
        var stream = RequestReader()
        _ = try stream.take(Array("PUT / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n".utf8))
        let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0x20, count: 0x10000) + Array("\r\n".utf8)
        let endless = #expect(throws: PanelError.self) { while true { _ = try stream.take(chunk) } }
        #expect(endless?.kind == .tooLarge)
    }

    @Test("No bytes make it trip, and what it lets through it would let through again")
    func rubbish() throws {
        var random = SystemRandomNumberGenerator()
        let seed = UInt64.random(in: 0...UInt64.max, using: &random)
        var state = seed
        func draw(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        let good = Array("PUT /api/devices/0/keys HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}".utf8)
        for _ in 0..<3000 {
            var bytes = good
            for _ in 0...draw(5) {
                let place = draw(bytes.count)
                if draw(2) == 0 { bytes[place] = UInt8(draw(256)) } else { bytes.remove(at: place) }
            }
            var reader = RequestReader()
            guard let once = try? reader.take(bytes) else { continue }
            var again = RequestReader()
            #expect((try? again.take(once)) == once, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
        }
    }
}
