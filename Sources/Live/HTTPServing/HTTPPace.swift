import NIOCore

/// Tells the conversation that bytes have come, before they are read: a request that has begun has its time.
final class HTTPPace: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let conversation: HTTPConversation

    init(_ conversation: HTTPConversation) { self.conversation = conversation }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        conversation.bytesCame()
        context.fireChannelRead(data)
    }
}
