import BluethroatHCITransports
import NIOCore
import Synchronization

/// HCI over a TCP or Unix stream socket that was accepted: a queue in front of a channel.
///
/// Senders only append under a lock. What waits is written piece by piece on the channel's thread, the next one when the
/// operating system has taken the last: a burst of small packets is a few pieces in memory, and a few system calls. A
/// host that does not read, so that a piece is not taken for too long, loses the link.
final class StreamTransport: HCITransport {
    /// Packets together in one piece; one that is longer is a piece of its own.
    private static let pieceLength = 16 << 10

    private struct Outbox {
        /// Pieces that get no more packets, in their order, and the one behind them that does.
        var pieces: CircularBuffer<ByteBuffer> = []
        var last = ByteBuffer()
        /// Bytes in all of these.
        var waiting = 0
        /// Bytes handed to the channel and not yet taken by the operating system.
        var inFlight = 0
        /// Runs while there are such.
        var timer: Scheduled<Void>?
        /// Whether a write is under way, or scheduled.
        var isScheduled = false
        var end: HCITransportEnd?

        mutating func append(_ packet: [UInt8]) {
            if last.readableBytes > 0, last.readableBytes + packet.count > StreamTransport.pieceLength {
                pieces.append(last)
                last = ByteBuffer()
            }
            last.writeBytes(packet)
            waiting += packet.count
        }

        /// The next piece to be written; nil if there is none, or if the last one has not been taken.
        mutating func takePiece() -> ByteBuffer? {
            guard inFlight == 0 else { return nil }
            if let piece = pieces.popFirst() { return fly(piece) }
            defer { last = ByteBuffer() }
            isScheduled = last.readableBytes > 0
            return isScheduled ? fly(last) : nil
        }

        private mutating func fly(_ piece: ByteBuffer) -> ByteBuffer {
            inFlight = piece.readableBytes
            waiting -= inFlight
            return piece
        }

        mutating func drop() { (pieces, last, waiting) = ([], ByteBuffer(), 0) }
    }

    let peer: String
    private let channel: any Channel
    private let backlog: Int
    private let patience: TimeAmount
    private let outbox = Mutex(Outbox())
    private let whenTaken = Mutex<(@Sendable () -> Void)?>(nil)

    /// - Parameter patience: how long a piece may wait for the operating system, which takes none that the peer leaves no
    ///   room for.
    init(channel: any Channel, peer: String, patience: TimeAmount, backlog: Int = HCITransportLimits.backlog) {
        self.channel = channel
        self.peer = peer
        self.patience = patience
        self.backlog = backlog
    }

    /// What is to be done, on the channel's thread, when all that waited has been taken; nil to let go of it.
    func whenTaken(_ body: (@Sendable () -> Void)?) { whenTaken.withLock { $0 = body } }

    /// Whether a peer that asks is to be answered: false where it leaves much unread.
    var hasRoom: Bool { outbox.withLock { $0.waiting + $0.inFlight <= HCITransportLimits.unreadByHost } }

    func send(_ packet: [UInt8]) {
        enum Step { case nothing, write, giveUp }
        let step: Step = outbox.withLock { outbox in
            guard outbox.end == nil else { return .nothing }
            guard outbox.waiting + outbox.inFlight + packet.count <= backlog else {
                outbox.end = .peerTooSlow
                outbox.drop()
                return .giveUp
            }
            outbox.append(packet)
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

    /// Writes what waits, as far as it is taken. On the channel's thread.
    func writePending() {
        while let piece = outbox.withLock({ $0.takePiece() }) {
            channel.writeAndFlush(piece).whenComplete { _ in self.pieceWasTaken() }
            guard outbox.withLock({ $0.inFlight == 0 }) else { return awaitReading() }
        }
        whenTaken.withLock(\.self)?()
    }

    /// The piece that was written last has not been taken at once.
    private func awaitReading() {
        let timer = channel.eventLoop.scheduleTask(in: patience) {
            self.finish(with: .peerTooSlow)
            self.channel.close(promise: nil)
        }
        outbox.withLock { $0.timer = timer }
    }

    /// Or the channel is closed, and takes nothing more. Without a timer it was taken at once, and the writer goes on.
    private func pieceWasTaken() {
        let timer = outbox.withLock { outbox in
            outbox.inFlight = 0
            return outbox.timer.take()
        }
        guard let timer else { return }
        timer.cancel()
        writePending()
    }
}
