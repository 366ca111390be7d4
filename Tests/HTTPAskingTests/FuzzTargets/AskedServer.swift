import Foundation
import FuzzInputs
import NIOCore
import NIOEmbedded
import Synchronization

@testable import BluethroatHTTPAsking

/// One question without a socket, from the connection to its end.
struct AskedServer {
    /// Small enough that inputs come to them.
    private static let limits = {
        var limits = HTTPAskingLimits()
        (limits.body, limits.rest, limits.head, limits.fields) = (1_000, 3_000, 500, 10)
        return limits
    }()

    let results: [Result<HTTPReply, HTTPFailure>]
    /// What the server was asked.
    private let sent: String

    var result: Result<HTTPReply, HTTPFailure>? { results.first }

    /// Asks a server that says these pieces, and then leaves or waits without end.
    static func ask(_ pieces: [[UInt8]], leaves: Bool) throws -> AskedServer {
        guard let url = URL(string: "http://127.0.0.1:1/v1/balance"),
            let question = HTTPQuestion("POST", url, body: Data("Well?".utf8))
        else { preconditionFailure("the question is one") }
        let channel = EmbeddedChannel()
        let results = Mutex<[Result<HTTPReply, HTTPFailure>]>([])
        let exchange = HTTPExchange(limits, ServerTrust(nil), channel.eventLoop) { result in
            results.withLock { $0.append(result) }
        }
        try exchange.addHandlers(to: channel, for: question)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        exchange.send(question, on: channel)
        for piece in pieces where channel.isActive {
            // Errors are told to the reader, too.
            _ = try? channel.writeInbound(ByteBuffer(bytes: piece))
            hold(channel.isActive == results.withLock(\.isEmpty), "a connection without a question")
        }
        if leaves {
            _ = try? channel.close().wait()
        } else {
            // The time of IdleStateHandler is the machine's own.
            channel.pipeline.fireUserInboundEventTriggered(IdleStateHandler.IdleStateEvent.read)
        }
        channel.embeddedEventLoop.run()
        hold(!channel.isActive, "the connection is still there")
        var sent = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { sent += String(buffer: bytes) }
        return AskedServer(results: results.withLock(\.self), sent: sent)
    }

    /// What holds whatever the server has said.
    func check() {
        hold(results.count == 1, "\(results.count) results: \(results)")
        hold(sent.hasPrefix("POST /v1/balance HTTP/1.1\r\n") && sent.hasSuffix("\r\n\r\nWell?"), sent)
        guard case .success(let reply) = result else { return }
        hold(reply.body.count <= Self.limits.body, "a body of \(reply.body.count) bytes")
        hold((200...999).contains(reply.status), "status \(reply.status)")
    }
}
