import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL

/// Reads one answer. What is behind it is not looked at.
final class HTTPReplyReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let exchange: HTTPExchange
    private let longestBody: Int
    private var status: Int?
    private var body = Data()

    /// How much of the body has come.
    var bodyLength: Int { body.count }

    init(_ exchange: HTTPExchange, longestBody: Int) {
        self.exchange = exchange
        self.longestBody = longestBody
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            // Another protocol, which nobody has asked for; the other answers before the answer do not come here.
            guard head.status.code >= 200 else { return exchange.end(.failure(.unreadable)) }
            for length in head.headers["content-length"] {
                guard let count = Int(length), (0...longestBody).contains(count) else {
                    return exchange.end(.failure(.tooLong))
                }
            }
            status = Int(head.status.code)
        case .body(let bytes):
            guard body.count + bytes.readableBytes <= longestBody else { return exchange.end(.failure(.tooLong)) }
            body.append(contentsOf: bytes.readableBytesView)
        case .end:
            guard let status else { return exchange.end(.failure(.unreadable)) }
            exchange.end(.success(HTTPReply(status: status, body: body)))
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is IdleStateHandler.IdleStateEvent { exchange.end(.failure(.late)) }
        context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        let failure: HTTPFailure =
            switch error {
            case let failure as HTTPFailure: failure
            case NIOSSLError.handshakeFailed: .untrusted
            case is NIOSSLExtraError: .untrusted
            case HTTPParserError.headerOverflow: .tooLong
            case HTTPParserError.invalidEOFState: .cutOff
            case is HTTPParserError, is ByteToMessageDecoderError: .unreadable
            default: .cutOff
            }
        exchange.end(.failure(failure))
    }

    func channelInactive(context: ChannelHandlerContext) { exchange.end(.failure(.cutOff)) }
}

/// Counts what comes; above TLS, what is no part of a body: heads before the head, lengths of parts, trailers.
final class HTTPByteLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let exchange: HTTPExchange
    private let limit: Int
    private let reader: HTTPReplyReader?
    private var heard = 0

    /// - Parameter reader: the body that it has read does not count.
    init(_ exchange: HTTPExchange, _ limit: Int, besides reader: HTTPReplyReader? = nil) {
        self.exchange = exchange
        self.limit = limit
        self.reader = reader
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        heard += unwrapInboundIn(data).readableBytes
        // The reader has read it after this.
        context.fireChannelRead(data)
        if heard - (reader?.bodyLength ?? 0) > limit { exchange.end(.failure(.tooLong)) }
    }
}
