import NIOCore

/// Leaves those who connect in the system's queue while a port serves as many as it can: they are accepted in their order as
/// soon as others have been answered, where they would have been refused. A few are accepted in each turn of the thread.
final class AcceptGate: ChannelOutboundHandler {
    typealias OutboundIn = any Channel

    private let connections: OpenConnections

    init(_ connections: OpenConnections) { self.connections = connections }

    func read(context: ChannelHandlerContext) {
        let here = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        let loop = context.eventLoop
        let isOpen = connections.isAccepting {
            loop.execute { here.value.0.read(context: here.value.1) }
        }
        guard isOpen else { return }
        // Without effect on a channel that is closed.
        try? context.channel.syncOptions?.setOption(.maxMessagesPerRead, value: UInt(connections.acceptedAtOnce))
        context.read()
    }
}
