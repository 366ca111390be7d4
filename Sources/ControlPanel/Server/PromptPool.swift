import FlyingSocks
import Foundation

/// A pool whose sockets send at once what they are given. Otherwise the body of an answer, which is written after its
/// head, waits up to 40 ms for the visitor's word that the head has come.
struct PromptPool<Base: AsyncSocketPool>: AsyncSocketPool {
    let base: Base

    init(_ base: Base) { self.base = base }

    func prepare() async throws { try await base.prepare() }

    func run() async throws { try await base.run() }

    /// Each socket waits for its first request, so that none is missed.
    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        Self.send(promptlyOn: socket)
        try await base.suspendSocket(socket, untilReadyFor: events)
    }

    /// Without it the panel is slower, and that is all.
    static func send(promptlyOn socket: Socket) {
        var yes: CInt = 1
        _ = setsockopt(
            socket.file.rawValue,
            CInt(IPPROTO_TCP),
            TCP_NODELAY,
            &yes,
            socklen_t(MemoryLayout<CInt>.size)
        )
    }
}
