import BluethroatListening
import NIOCore
import NIOSSL
import Synchronization

/// A server that says the same to everybody, whatever it is.
final class RogueServer: Sendable {
    enum Ending: Sendable {
        /// The connection stays, and nothing follows.
        case silence
        case close
        /// As if its wire were cut: with TLS, without its goodbye.
        case vanish
        /// The same piece over and over, until so many bytes have been said.
        case flood(String, upTo: Int)
        /// A piece each so many milliseconds, so many times, and then the end.
        case trickle(String, milliseconds: Int64, times: Int)
    }

    private let said: String
    private let ending: Ending
    /// With TLS, if it is not nil.
    private let certificate: TestCertificates.Server?
    private let heard = Mutex<[String]>([])

    init(_ said: String, then ending: Ending = .close, as certificate: TestCertificates.Server? = nil) {
        self.said = said
        self.ending = ending
        self.certificate = certificate
    }

    /// What each connection has brought.
    var questions: [String] { heard.withLock { $0 } }

    func withPort(_ body: (Int) async throws -> Void) async throws {
        let context = try certificate.map(TestCertificates.context)
        let listener = try await Listener.open(at: .tcp(host: "127.0.0.1", port: 0)) { connection in
            connection.takeYourTime()
            if let context {
                try connection.channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
            }
            try connection.channel.pipeline.syncOperations.addHandler(Speaker(self))
        }
        do {
            try await body(listener.port)
        } catch {
            await listener.close()
            throw error
        }
        await listener.close()
    }

    private final class Speaker: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let server: RogueServer
        private var question = ""

        init(_ server: RogueServer) { self.server = server }

        func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { context.read() } }

        func channelActive(context: ChannelHandlerContext) { context.read() }

        func channelReadComplete(context: ChannelHandlerContext) { context.read() }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            question += String(buffer: unwrapInboundIn(data))
            if question.hasPrefix("POST") {
                guard question.contains("\r\n\r\n"), question.hasSuffix("?") else { return }
                server.heard.withLock { $0.append(question) }
            }
            let channel = context.channel
            channel.writeAndFlush(ByteBuffer(string: server.said), promise: nil)
            Speaker.end(channel, server.ending)
        }

        private static func end(_ channel: any Channel, _ ending: Ending) {
            switch ending {
            case .silence: break
            case .close: channel.close(promise: nil)
            case .vanish:
                let tls = try? channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
                tls?.close(promise: nil) ?? channel.close(promise: nil)
            case .flood(let piece, let rest):
                guard rest > 0 else { return channel.close(promise: nil) }
                let many = String(repeating: piece, count: max(1, (32 << 10) / piece.utf8.count))
                channel.writeAndFlush(ByteBuffer(string: many)).whenSuccess {
                    end(channel, .flood(piece, upTo: rest - many.utf8.count))
                }
            case .trickle(let piece, let milliseconds, let times):
                guard times > 0 else { return channel.close(promise: nil) }
                channel.eventLoop.scheduleTask(in: .milliseconds(milliseconds)) {
                    channel.writeAndFlush(ByteBuffer(string: piece)).whenSuccess {
                        end(channel, .trickle(piece, milliseconds: milliseconds, times: times - 1))
                    }
                }
            }
        }
    }
}
