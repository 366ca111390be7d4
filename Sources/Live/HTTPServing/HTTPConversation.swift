import BluethroatListening
import Foundation
import NIOCore
import NIOHTTP1

/// Requests and answers on one connection, one after the other.
///
/// Nothing is read while an answer is made. What had been read by then waits: here what has been parsed, a piece of
/// `HTTPPace` at most, and there the rest.
final class HTTPConversation: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private enum State {
        /// A head is to come.
        case head
        /// The rest of a body is to come.
        case body(HTTPRequest, isLast: Bool)
        case answering(Task<Void, Never>?)
        /// All has been said; what still comes is not looked at.
        case lingering
        case closed
    }

    /// After so many answers a connection ends: one that has been served much gives its place back.
    static let mostAnswers = 100
    /// A body in chunks may come in so many pieces, and in one more for each `shortChunk` bytes.
    static let mostShortChunks = 256
    static let shortChunk = 32
    /// How long a peer that is still sending may go on, so that it gets the answer.
    private static let lingering = TimeAmount.seconds(3)
    private static let mostLingeringReads = (8 << 20) / HTTPPace.piece

    private let service: any HTTPService
    let connection: AcceptedConnection
    private let longestBody: Int
    private var state = State.head
    private var waiting = CircularBuffer<HTTPServerRequestPart>()
    /// How many bytes have come since the last answer.
    private var byteCount = 0
    private var pieceCount = 0
    private var answerCount = 0
    private var fault: HTTPFault?
    private var hasInputEnded = false
    /// Whether what is being answered ends with the peer alone.
    private var isEndless = false
    private var lingeringReads = 0

    init(_ service: any HTTPService, _ connection: AcceptedConnection, longestBody: Int) {
        self.service = service
        self.connection = connection
        self.longestBody = longestBody
    }

    // MARK: What comes in

    func channelActive(context: ChannelHandlerContext) { context.read() }

    func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { context.read() } }

    /// How many bytes a request may have, with the sizes of its chunks, what stands beside them and behind them.
    static func longestRequest(_ longestBody: Int) -> Int { 2 * (HTTPHead.longest + longestBody) }

    /// So many bytes have come, and are not read yet. A request has its time from its first byte on. False if it has too many.
    func bytesCame(_ count: Int) -> Bool {
        if case .head = state, byteCount == 0 { connection.expect(within: connection.limits.message) }
        byteCount += count
        return byteCount <= Self.longestRequest(longestBody)
    }

    /// Whether what comes is looked at, now or when an answer has been given.
    var isListening: Bool {
        switch state {
        case .head, .body, .answering: true
        case .lingering, .closed: false
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        switch state {
        case .head, .body: take(part, context)
        case .answering: waiting.append(part)
        case .lingering, .closed: break
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        switch state {
        case .head, .body: context.read()
        case .lingering:
            lingeringReads += 1
            if lingeringReads < Self.mostLingeringReads { context.read() } else { context.close(promise: nil) }
        case .answering, .closed: break
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // The parser reads nothing behind what it cannot read; a peer that goes on sending gets the error.
        if case ByteToMessageDecoderError.dataReceivedInErrorState = error { return }
        guard let fault = error as? HTTPFault ?? HTTPHead.fault(error) else { return context.close(promise: nil) }
        switch state {
        case .head, .body: refuse(fault, context)
        case .answering: self.fault = fault
        case .lingering, .closed: break
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else { return context.fireUserInboundEventTriggered(event) }
        hasInputEnded = true
        switch state {
        case .head, .body, .lingering: context.close(promise: nil)
        // An endless answer ends when the peer closes its side.
        case .answering(let task): if isEndless { task?.cancel() }
        case .closed: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if case .answering(let task) = state { task?.cancel() }
        state = .closed
        waiting = []
    }

    // MARK: Requests

    private func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch (part, state) {
        case (.head(let head), .head):
            do throws(HTTPFault) {
                let request = try HTTPHead.request(head, longestBody: longestBody)
                if let refusal = service.refusal(of: request) {
                    return end(with: refusal, isHead: request.method == "HEAD", context)
                }
                connection.expect(within: connection.limits.message)
                if head.version == .http1_1, request["expect"]?.lowercased() == "100-continue" {
                    context.writeAndFlush(wrapOutboundOut(.head(.goOn)), promise: nil)
                }
                pieceCount = 0
                state = .body(request, isLast: !head.isKeepAlive || head.headers.contains(name: "upgrade"))
            } catch {
                refuse(error, context)
            }
        case (.body(let bytes), .body(var request, let isLast)):
            guard request.body.count + bytes.readableBytes <= longestBody else {
                return refuse(.bodyTooLong(longestBody), context)
            }
            pieceCount += 1
            let most = Self.mostShortChunks + request.body.count / Self.shortChunk
            guard pieceCount <= most || request["transfer-encoding"] == nil else {
                return refuse(.unreadable("the body comes in too many small chunks"), context)
            }
            // One owner at a time, so that nothing is copied twice.
            state = .head
            request.body.append(contentsOf: bytes.readableBytesView)
            state = .body(request, isLast: isLast)
        case (.end, .body(let request, let isLast)): answer(request, isLast, context)
        default: break
        }
    }

    private func answer(_ request: HTTPRequest, _ isLast: Bool, _ context: ChannelHandlerContext) {
        connection.takeYourTime()
        connection.keep()
        answerCount += 1
        isEndless = false
        let writer = HTTPWriter(self, context, isHead: request.method == "HEAD")
        state = .answering(
            Task { [service] in
                var answer = await service.answer(request)
                answer.isLast = answer.isLast || isLast
                await writer.write(answer)
            }
        )
    }

    /// What is answered in place of an answer without an end, if there are many such already.
    func refusal(of answer: HTTPAnswer) -> HTTPAnswer? {
        guard case .pieces(let pieces) = answer.body, pieces.isEndless else { return nil }
        isEndless = connection.beginStream()
        guard !isEndless else { return nil }
        var refusal = service.answer(to: .tooManyStreams)
        refusal.isLast = answer.isLast
        return refusal
    }

    /// The answer has begun; says whether it will be the last. While others wait for the place, it is.
    func begin(_ answer: HTTPAnswer) -> Bool {
        let isAllSaid = hasInputEnded && waiting.isEmpty && fault == nil
        let isEnough = answerCount >= Self.mostAnswers || connection.isWanted
        return answer.isLast || isAllSaid || isEnough || connection.isStopping
    }

    /// The answer has been taken, or the connection is gone.
    func answered(_ isLast: Bool, _ context: ChannelHandlerContext) {
        if isEndless { connection.endStream() }
        guard case .answering = state else { return }
        guard !isLast, !connection.isStopping else { return linger(context) }
        state = .head
        byteCount = 0
        connection.wait()
        connection.expect(within: connection.limits.idle)
        while isReading, let part = waiting.popFirst() { take(part, context) }
        guard isReading else { return }
        if let fault {
            refuse(fault, context)
        } else if hasInputEnded {
            context.close(promise: nil)
        } else {
            context.read()
        }
    }

    var isReading: Bool {
        switch state {
        case .head, .body: true
        case .answering, .lingering, .closed: false
        }
    }

    // MARK: The end

    private func refuse(_ fault: HTTPFault, _ context: ChannelHandlerContext) {
        end(with: service.answer(to: fault), isHead: false, context)
    }

    /// Answers without having read everything, and ends.
    private func end(with answer: HTTPAnswer, isHead: Bool, _ context: ChannelHandlerContext) {
        var answer = answer
        answer.isLast = true
        state = .answering(nil)
        let writer = HTTPWriter(self, context, isHead: isHead)
        // One that has a body in pieces is none.
        guard case .bytes(let bytes) = answer.body else { return context.close(promise: nil) }
        writer.put(answer, bytes)
        linger(context)
    }

    /// Sends nothing more, and reads a while longer: a peer that is still sending would not get the answer otherwise.
    private func linger(_ context: ChannelHandlerContext) {
        guard !hasInputEnded else {
            state = .closed
            return context.close(promise: nil)
        }
        state = .lingering
        waiting = []
        connection.wait()
        connection.expect(within: Self.lingering)
        context.close(mode: .output, promise: nil)
        context.read()
    }
}

extension HTTPResponseHead {
    /// The head has been read and is good; a peer that asked for it sends the body now. RFC 9110, 10.1.1.
    fileprivate static let goOn = HTTPResponseHead(version: .http1_1, status: .continue)
}
