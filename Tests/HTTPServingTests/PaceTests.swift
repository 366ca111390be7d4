import BluethroatListening
import Foundation
import NIOCore
import NIOEmbedded
import Testing

@testable import BluethroatHTTPServing
@testable import BluethroatListening

/// Refuses one path.
private struct Closed: HTTPService {
    func refusal(of head: HTTPRequest) -> HTTPAnswer? {
        head.path == "/forbidden" ? HTTPAnswer(403) : nil
    }

    func answer(_ request: HTTPRequest) async -> HTTPAnswer { HTTPAnswer(200) }

    func answer(to fault: HTTPFault) -> HTTPAnswer { HTTPAnswer(fault.status) }
}

/// Counts what the parser gets.
private final class Probe: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private(set) var pieces: [Int] = []

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        pieces.append(unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }
}

/// Keeps a channel without a socket open when its output is closed, as a socket stays.
private final class HalfClosing: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .output { promise?.succeed() } else { context.close(mode: mode, promise: promise) }
    }
}

@Suite("How much of what comes is parsed, and when")
struct PaceTests {
    /// What is sent back to these bytes, which come at once, and the sizes of what has been parsed of them.
    private func give(_ text: String) throws -> (sent: String, pieces: [Int]) {
        let channel = EmbeddedChannel()
        let connections = OpenConnections(capacity: 4)
        let connection = AcceptedConnection(channel, number: 1, limits: ListeningLimits(), all: connections)
        channel.closeFuture.whenComplete { _ in connection.end() }
        #expect(connections.add(connection) == nil)
        channel.allowRemoteHalfClosure = true
        try HTTPServer.addHandlers(to: connection, Closed(), longestBody: 1 << 16)
        try channel.pipeline.syncOperations.addHandler(HalfClosing(), position: .first)
        let probe = Probe()
        let operations = channel.pipeline.syncOperations
        try operations.addHandler(probe, position: .after(operations.handler(type: HTTPPace.self)))
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        _ = try? channel.writeInbound(ByteBuffer(string: text))
        channel.embeddedEventLoop.run()
        var sent = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { sent += String(buffer: bytes) }
        _ = try? channel.finish()
        return (sent, probe.pieces)
    }

    private static let chunked = " HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n"

    @Test("What comes behind a refusal is not parsed")
    func refused() throws {
        let chunks = String(repeating: "1\r\n \r\n", count: 10_000)
        let (sent, pieces) = try give("PUT /forbidden" + Self.chunked + chunks)
        #expect(sent.hasPrefix("HTTP/1.1 403 ") && pieces == [HTTPPace.piece])
    }

    @Test("A body in very small chunks is refused soon, and what is behind it is not parsed")
    func smallChunks() throws {
        let chunks = String(repeating: "1\r\n \r\n", count: 10_000)
        let (sent, pieces) = try give("PUT /a" + Self.chunked + chunks)
        #expect(sent.hasPrefix("HTTP/1.1 400 ") && pieces == [HTTPPace.piece, HTTPPace.piece])
    }

    @Test(
        "A request has no more bytes than its head and body need",
        arguments: [
            ("PUT /a" + chunked + "1;", "a", 1 << 20), ("", "\r\n", 1 << 19), ("PUT /a" + chunked, longChunk, 300),
        ]
    )
    func tooMuch(beginning: String, rest: String, count: Int) throws {
        let (sent, pieces) = try give(beginning + String(repeating: rest, count: count))
        #expect(sent.hasPrefix("HTTP/1.1 400 "))
        #expect(pieces.reduce(0, +) <= HTTPConversation.longestRequest(1 << 16))
    }

    /// One byte with a long extension.
    private static let longChunk = "1;" + String(repeating: "a", count: 4096) + "\r\n \r\n"
}
