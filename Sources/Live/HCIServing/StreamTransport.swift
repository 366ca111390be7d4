import BluethroatHCITransports
import NIOCore
import Synchronization

/// HCI over a TCP or Unix stream socket that was accepted: a queue in front of a channel.
///
/// Senders only append under a lock; one task on the channel's thread then writes all there is, so a burst of packets
/// costs one wake-up and one system call.
final class StreamTransport: HCITransport {
    private struct Outbox {
        var pending: [UInt8] = []
        /// Bytes handed to the channel and not yet taken by the operating system.
        var inFlight = 0
        var isScheduled = false
        var end: HCITransportEnd?
    }

    let peer: String
    private let channel: any Channel
    private let backlog: Int
    private let outbox = Mutex(Outbox())

    init(channel: any Channel, peer: String, backlog: Int = HCITransportLimits.backlog) {
        self.channel = channel
        self.peer = peer
        self.backlog = backlog
    }

    func send(_ packet: [UInt8]) {
        enum Step { case nothing, write, giveUp }
        let step: Step = outbox.withLock { outbox in
            guard outbox.end == nil else { return .nothing }
            guard outbox.pending.count + outbox.inFlight + packet.count <= backlog else {
                outbox.end = .peerTooSlow
                outbox.pending = []
                return .giveUp
            }
            outbox.pending += packet
            guard !outbox.isScheduled else { return .nothing }
            outbox.isScheduled = true
            return .write
        }
        switch step {
        case .nothing: break
        case .write: channel.eventLoop.execute { self.writePending() }
        case .giveUp: channel.close(promise: nil)
        }
    }

    func close() { end(.closedHere) }

    /// Closes for a reason, unless there is one already.
    func end(_ reason: HCITransportEnd) {
        finish(with: reason)
        // What was sent before goes out first: writes and the close meet on the channel's thread in this order.
        channel.eventLoop.execute {
            self.writePending()
            self.channel.close(promise: nil)
        }
    }

    /// Notes why the link ends and returns the first reason that was noted.
    @discardableResult
    func finish(with reason: HCITransportEnd) -> HCITransportEnd {
        outbox.withLock { outbox in
            let first = outbox.end ?? reason
            outbox.end = first
            return first
        }
    }

    /// Writes what waits. On the channel's thread.
    func writePending() {
        let bytes = outbox.withLock { outbox in
            let bytes = outbox.pending
            outbox.pending = []
            outbox.inFlight += bytes.count
            outbox.isScheduled = false
            return bytes
        }
        guard !bytes.isEmpty else { return }
        channel.writeAndFlush(channel.allocator.buffer(bytes: bytes)).whenComplete { _ in
            self.outbox.withLock { $0.inFlight -= bytes.count }
        }
    }
}
