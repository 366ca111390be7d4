import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import Synchronization

/// One question, and its answer or what came instead. On the event loop's thread.
final class HTTPExchange: Sendable {
    private struct State {
        var then: HTTPClient.Then?
        var timer: Scheduled<Void>?
        var channel: (any Channel)?
    }

    private let limits: HTTPAskingLimits
    private let trust: ServerTrust
    private let eventLoop: any EventLoop
    private let state: Mutex<State>

    init(
        _ limits: HTTPAskingLimits,
        _ trust: ServerTrust,
        _ eventLoop: any EventLoop,
        then: @escaping HTTPClient.Then
    ) {
        self.limits = limits
        self.trust = trust
        self.eventLoop = eventLoop
        state = Mutex(State(then: then))
    }

    func begin(_ question: HTTPQuestion) {
        let timer = eventLoop.scheduleTask(in: .span(limits.answer)) { self.end(.failure(.late)) }
        state.withLock { $0.timer = timer }
        connect(to: question).whenComplete { result in
            switch result {
            case .success(let channel): self.send(question, on: channel)
            case .failure(let error): self.end(.failure(HTTPFailure(connecting: error)))
            }
        }
    }

    /// The first end counts.
    func end(_ result: Result<HTTPReply, HTTPFailure>) {
        let (then, timer, channel) = state.withLock { state in
            defer { state = State() }
            return (state.then, state.timer, state.channel)
        }
        timer?.cancel()
        channel?.close(promise: nil)
        then?(result)
    }

    private func connect(to question: HTTPQuestion) -> EventLoopFuture<any Channel> {
        let bootstrap = ClientBootstrap(group: eventLoop)
            .connectTimeout(.span(limits.silence))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            // The question comes before its answer.
            .channelOption(.autoRead, value: false)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try self.addHandlers(to: channel, for: question) }
            }
        guard let address = try? SocketAddress(ipAddress: question.host, port: question.port) else {
            return bootstrap.connect(host: question.host, port: question.port)
        }
        return bootstrap.connect(to: address)
    }

    func addHandlers(to channel: any Channel, for question: HTTPQuestion) throws {
        var heads = NIOHTTPDecoderLimitConfiguration()
        heads.maxHeaderFieldSize = limits.head
        heads.maxHeaderListSize = limits.head
        heads.maxHeaderFieldCount = limits.fields
        let decoder = HTTPResponseDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: heads)
        let reader = HTTPReplyReader(self, longestBody: limits.body)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(IdleStateHandler(readTimeout: .span(limits.silence)))
        if question.isEncrypted {
            try pipeline.addHandler(HTTPByteLimit(self, limits.encrypted))
            try pipeline.addHandler(trust.handler(for: question.host))
        }
        try pipeline.addHandlers(
            HTTPByteLimit(self, limits.rest, besides: reader),
            HTTPRequestEncoder(),
            ByteToMessageHandler(decoder),
            reader
        )
    }

    func send(_ question: HTTPQuestion, on channel: any Channel) {
        let isWanted = state.withLock { state in
            guard state.then != nil else { return false }
            state.channel = channel
            return true
        }
        guard isWanted else { return channel.close(promise: nil) }
        var fields = HTTPHeaders([("host", question.authority), ("connection", "close")])
        fields.add(name: "content-length", value: String(question.body.count))
        for (name, value) in question.fields { fields.replaceOrAdd(name: name, value: value) }
        let head = HTTPRequestHead(
            version: .http1_1,
            method: HTTPMethod(rawValue: question.method),
            uri: question.target,
            headers: fields
        )
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.write(HTTPClientRequestPart.body(.byteBuffer(ByteBuffer(bytes: question.body))), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
        channel.setOption(.autoRead, value: true).whenFailure { _ in self.end(.failure(.cutOff)) }
    }
}

extension HTTPFailure {
    /// Why there is no connection.
    fileprivate init(connecting error: any Error) {
        // One for each address of a name.
        let errors = (error as? NIOConnectionError)?.connectionErrors.map(\.error) ?? [error]
        let isOfTLS = errors.contains { $0 is NIOSSLError || $0 is NIOSSLExtraError || $0 is BoringSSLError }
        self = isOfTLS ? .untrusted : .unreachable
    }
}

extension TimeAmount {
    /// So many seconds, a day at most.
    fileprivate static func span(_ seconds: Double) -> Self {
        .milliseconds(Int64(max(0.001, min(seconds, 86_400)) * 1_000))
    }
}
