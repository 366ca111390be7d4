import NIOCore

/// Gives the parser what has come in small pieces, one in each turn of the thread, and only while the conversation reads: the
/// work of a turn is bounded whatever a peer sends, and what comes while an answer is made, or after the last one, costs
/// nothing.
///
/// A piece is what one read of the socket takes, so that the thread looks after all its sockets between two of them. A peer
/// that closes its side has everything read at once, and pieces of it follow each other with pauses as long as the last one
/// took, its answer included, up to a second: NIO looks after no socket while there is a task whose time has come, and many such
/// peers would always have one.
///
/// Tells the conversation that bytes have come, before they are read: a request that has begun has its time.
final class HTTPPace: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = Never
    typealias OutboundOut = Never

    /// How many bytes are parsed at once: with many small requests in them, or a body in very small chunks, work enough.
    static let piece = 1 << 10
    private static let longestPause = TimeAmount.seconds(1)

    private let conversation: HTTPConversation
    /// How many bytes may wait: a request, and some more. A peer that closes its side has all read that it has sent.
    private let mostHeld: Int
    private var held = ByteBuffer()
    private var hasEnded = false
    /// Whether more has come than may wait.
    private var isCut = false
    private var isScheduled = false
    /// Whether a piece was given in this turn of the thread.
    private var hasGiven = false
    /// When the last piece was given.
    private var given: NIODeadline?

    init(_ conversation: HTTPConversation, longestBody: Int) {
        self.conversation = conversation
        mostHeld = HTTPConversation.longestRequest(longestBody) + (64 << 10)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard conversation.isListening else { return }
        var bytes = unwrapInboundIn(data)
        let room = mostHeld - held.readableBytes
        guard !isCut, var first = bytes.readSlice(length: min(room, bytes.readableBytes)) else { return }
        isCut = bytes.readableBytes > 0
        if held.readableBytes == 0 { held = first } else { held.writeBuffer(&first) }
        guard !isScheduled, !hasGiven, conversation.isReading else { return }
        give(context)
        hasGiven = true
        let here = NIOLoopBound(self, eventLoop: context.eventLoop)
        context.eventLoop.execute { here.value.hasGiven = false }
    }

    /// The conversation wants more.
    func read(context: ChannelHandlerContext) {
        guard held.readableBytes > 0 || hasEnded else { return context.read() }
        guard !isScheduled else { return }
        isScheduled = true
        let here = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        loop.scheduleTask(in: given.map { min(loop.now - $0, Self.longestPause) } ?? .zero) {
            let (pace, context) = here.value
            pace.isScheduled = false
            pace.give(context)
            context.fireChannelReadComplete()
        }
    }

    private func give(_ context: ChannelHandlerContext) {
        given = context.eventLoop.now
        if conversation.isListening {
            if let piece = held.readSlice(length: min(Self.piece, held.readableBytes)), piece.readableBytes > 0 {
                if conversation.bytesCame(piece.readableBytes) {
                    context.fireChannelRead(wrapInboundOut(piece))
                } else {
                    context.fireErrorCaught(HTTPFault.unreadable("a request has too many bytes"))
                }
            }
        } else {
            held.clear()
        }
        guard held.readableBytes == 0 else { return }
        held = ByteBuffer()
        if isCut, conversation.isListening { return context.close(promise: nil) }
        passEnd(context)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard case ChannelEvent.inputClosed = event else { return context.fireUserInboundEventTriggered(event) }
        hasEnded = true
        passEnd(context)
    }

    /// The peer's end comes behind its last byte.
    private func passEnd(_ context: ChannelHandlerContext) {
        guard hasEnded, held.readableBytes == 0 || !conversation.isListening else { return }
        hasEnded = false
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }
}
