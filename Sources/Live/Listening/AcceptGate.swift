import NIOCore

/// Leaves those who connect in the system's queue while a port serves as many as it can: they are accepted in their order as
/// soon as others have been answered, where they would have been refused.
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
        if isOpen { context.read() }
    }
}
