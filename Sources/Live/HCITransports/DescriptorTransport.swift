import Foundation
import Synchronization

/// HCI over an open file descriptor: a connected stream socket, a terminal line, or a kernel adapter whose every read and
/// write is one packet. One thread waits for both directions.
final class DescriptorTransport: HCITransport {
    private struct Outbox {
        var pending: [[UInt8]] = []
        var byteCount = 0
        var end: HCITransportEnd?
        /// Whether the thread has been notified of what is above and has not looked yet.
        var isAnnounced = false
        /// The end of the pipe that wakes the thread; nil once the thread is gone.
        var bell: CInt?
    }

    let peer: String
    private let descriptor: CInt
    private let isSocket: Bool
    private let peerRole: HCIRole
    private let wakeUp: CInt
    private let backlog: Int
    private let outbox: Mutex<Outbox>

    /// Takes over the descriptor, which must not block. Nothing is read before `start`, which has to follow.
    ///
    /// - Parameters:
    ///   - isSocket: whether it is a stream socket.
    ///   - peerRole: which end of HCI is at the other side.
    init(
        owning descriptor: CInt,
        isSocket: Bool = false,
        peer: String,
        peerRole: HCIRole = .controller,
        backlog: Int = HCITransportLimits.backlog
    ) throws(HCITransportError) {
        var pipe: [CInt] = [-1, -1]
        guard Self.makePipe(&pipe) else {
            _ = closeDescriptor(descriptor)
            throw HCITransportError("cannot talk to \(peer): \(SystemText.of(errno: errno))")
        }
        self.peer = peer
        self.descriptor = descriptor
        self.isSocket = isSocket
        self.peerRole = peerRole
        self.backlog = backlog
        wakeUp = pipe[0]
        outbox = Mutex(Outbox(bell: pipe[1]))
    }

    /// Starts the thread, once. Packets that were read already are the first that are received.
    func start(with packets: [[UInt8]] = [], _ callbacks: HCITransportCallbacks) {
        Thread.detachNewThread { self.run(callbacks, beginningWith: packets) }
    }

    func send(_ packet: [UInt8]) {
        outbox.withLock { outbox in
            guard outbox.end == nil else { return }
            if outbox.byteCount + packet.count > backlog {
                outbox.end = .peerTooSlow
                outbox.pending = []
            } else {
                outbox.pending.append(packet)
                outbox.byteCount += packet.count
            }
            Self.ring(&outbox)
        }
    }

    func close() {
        outbox.withLock { outbox in
            if outbox.end == nil { outbox.end = .closedHere }
            Self.ring(&outbox)
        }
    }

    /// The pipe holds at most one byte at a time, so ringing never blocks.
    private static func ring(_ outbox: inout Outbox) {
        guard !outbox.isAnnounced, let bell = outbox.bell else { return }
        outbox.isAnnounced = true
        var byte: UInt8 = 0
        _ = write(bell, &byte, 1)
    }

    private static func makePipe(_ ends: inout [CInt]) -> Bool {
        guard pipe(&ends) == 0 else { return false }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return true
    }
}

// MARK: The thread

extension DescriptorTransport {
    private func run(_ callbacks: HCITransportCallbacks, beginningWith packets: [[UInt8]]) {
        let held = HeldBytes()
        deliver(packets, held, callbacks)
        var reader = DescriptorReader(descriptor: descriptor, from: peerRole)
        var unsent = PacketQueue(isForSocket: isSocket, isForAdapter: peerRole == .host)
        var end: HCITransportEnd?
        while end == nil {
            let reads = held.hasRoom
            let ready = Self.wait(descriptor, reads: reads, writes: !unsent.isEmpty, wakeUp: wakeUp)
            if ready.wakeUp { unsent.append(takePending()) }
            if ready.descriptor, reads {
                end = reader.read()
                deliver(reader.takePackets(), held, callbacks)
            }
            let written = unsent.write(to: descriptor)
            end = end ?? written.end
            outbox.withLock { outbox in
                outbox.byteCount -= written.byteCount
                end = outbox.end ?? end
            }
        }
        finish(end ?? .closedHere, callbacks)
    }

    private func takePending() -> [[UInt8]] {
        var byte: UInt8 = 0
        _ = read(wakeUp, &byte, 1)
        return outbox.withLock { outbox in
            defer { outbox.pending = [] }
            outbox.isAnnounced = false
            return outbox.pending
        }
    }

    private func deliver(_ packets: [[UInt8]], _ held: HeldBytes, _ callbacks: HCITransportCallbacks) {
        guard !packets.isEmpty else { return }
        callbacks.received(
            HCIBatch(packets, in: held) { [weak self] in self?.outbox.withLock { Self.ring(&$0) } }
        )
    }

    private func finish(_ end: HCITransportEnd, _ callbacks: HCITransportCallbacks) {
        let bell = outbox.withLock { outbox in
            defer { outbox.bell = nil }
            outbox.end = end
            outbox.pending = []
            return outbox.bell
        }
        _ = closeDescriptor(descriptor)
        _ = closeDescriptor(wakeUp)
        if let bell { _ = closeDescriptor(bell) }
        callbacks.ended(end)
    }

    /// Blocks until something can be done.
    private static func wait(
        _ descriptor: CInt,
        reads: Bool,
        writes: Bool,
        wakeUp: CInt
    ) -> (descriptor: Bool, wakeUp: Bool) {
        let wanted = (reads ? POLLIN : 0) | (writes ? POLLOUT : 0)
        // A line that hung up reports so without being asked, again and again; ask only when something is wanted.
        var polled = [
            pollfd(fd: wanted == 0 ? -1 : descriptor, events: Int16(wanted), revents: 0),
            pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&polled, 2, -1)
        let readable = polled[0].revents & Int16(POLLIN | POLLHUP | POLLERR | POLLNVAL) != 0
        return (readable, polled[1].revents != 0)
    }
}
