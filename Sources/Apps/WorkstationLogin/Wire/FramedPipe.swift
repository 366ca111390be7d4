import BluethroatAppEnvironment
import Foundation

/// Whole messages, both ways, over a link that takes packets: cut up, put together, checked, and confirmed by the other
/// side one after the other.
final class FramedPipe {
    /// How a packet leaves. `send` says no while there is no room; `isReady` has to be called when there is again.
    struct Outlet {
        /// How many bytes a packet may have at the moment.
        let capacity: () -> Int
        let send: (Data) -> Bool
    }

    enum Failure: Error, Equatable {
        /// The other side refused it, three times where it would have helped to repeat it.
        case refused(Frame.Refusal)
        /// The other side was sent everything three times, and says nothing.
        case unanswered
        /// The link has ended.
        case closed
        /// Too much waits already.
        case full
    }

    private struct Outgoing {
        let id: UInt32
        let message: Data
        let digest: Data
        let ended: (Failure?) -> Void
        var position: Int?
        var number: UInt8 = 1
        var attempts = 1
    }

    private static let attempts = 3
    /// How long a confirmation may take before everything is sent again, in seconds.
    private static let patience: TimeInterval = 10
    /// How many answers wait for room. A peer that waits for its answers needs one.
    private static let mostConfirmations = 8
    /// How much may wait to be sent, in messages and in bytes: they are made faster than the air takes them.
    private static let mostWaiting = (messages: 1_000, bytes: 8 << 20)

    /// A message has come.
    var received: (Data) -> Void = { _ in }
    /// How many packets of all were no packets of this protocol.
    private(set) var strayCount = 0
    /// Messages that have not been confirmed yet.
    var waitingCount: Int { queue.count }
    private var waitingBytes = 0
    /// Bytes of the message under way that were handed over, and all of them.
    var progress: (sent: Int, total: Int)? { queue.first.map { ($0.position ?? 0, $0.message.count) } }

    private let outlet: Outlet
    private let clock: AppClock
    private var assembler: FrameAssembler
    private var queue: [Outgoing] = []
    /// Answers that the outlet had no room for, at most `mostConfirmations`.
    private var confirmations: [Data] = []
    /// What there was no room for.
    private var saved: Data?
    private var nextID: UInt32
    private var isSending = false
    private var alarm: AppTimer?

    init(_ outlet: Outlet, maximumLength: Int, clock: AppClock, random: RandomBytes) {
        self.outlet = outlet
        self.clock = clock
        assembler = FrameAssembler(maximumLength: maximumLength)
        nextID = random(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Sends a message when those before it are confirmed; then `ended` is called, or with what went wrong.
    func send(_ message: Data, ended: @escaping (Failure?) -> Void = { _ in }) {
        guard Self.hasRoom(for: message.count, behind: queue.count, of: waitingBytes) else { return ended(.full) }
        waitingBytes += message.count
        queue.append(Outgoing(id: nextID, message: message, digest: Frame.digest(of: message), ended: ended))
        nextID &+= 1
        isReady()
    }

    /// Whether a message of so many bytes may wait behind others, so many and with so many bytes together.
    static func hasRoom(for length: Int, behind messages: Int, of bytes: Int) -> Bool {
        messages < mostWaiting.messages && bytes + length <= mostWaiting.bytes
    }

    /// There may be room again.
    func isReady() {
        guard !isSending else { return }
        isSending = true
        defer { isSending = false }
        while let packet = saved ?? nextPacket() {
            saved = packet
            guard outlet.send(packet) else { return }
            saved = nil
        }
    }

    func receive(_ packet: Data) {
        switch Frame(packet) {
        case .begin(let id, let length, let digest, let payload):
            conclude(assembler.begin(id: id, length: length, digest: digest, payload: payload))
        case .more(let number, let payload): conclude(assembler.more(number: number, payload: payload))
        case .received(let id): confirmed(id, nil)
        case .refused(let id, let refusal): confirmed(id, refusal)
        case nil: strayCount += 1
        }
    }

    /// The link has ended: what waits will not be sent.
    func close() {
        alarm?.cancel()
        let lost = queue
        queue = []
        waitingBytes = 0
        confirmations = []
        saved = nil
        assembler = FrameAssembler(maximumLength: assembler.maximumLength)
        for outgoing in lost { outgoing.ended(.closed) }
    }

    private func nextPacket() -> Data? {
        if !confirmations.isEmpty { return confirmations.removeFirst() }
        guard var front = queue.first else { return nil }
        let capacity = max(outlet.capacity(), Frame.beginOverhead + 1)
        let frame: Frame
        if let position = front.position {
            guard position < front.message.count else { return nil }
            let end = min(position + capacity - Frame.moreOverhead, front.message.count)
            frame = .more(number: front.number, payload: front.message.part(position..<end))
            front.number &+= 1
            front.position = end
        } else {
            let end = min(capacity - Frame.beginOverhead, front.message.count)
            frame = .begin(
                id: front.id,
                length: UInt32(front.message.count),
                digest: front.digest,
                payload: front.message.part(0..<end)
            )
            front.position = end
        }
        queue[0] = front
        if front.position == front.message.count { awaitConfirmation(of: front.id) }
        return frame.packet
    }

    private func awaitConfirmation(of id: UInt32) {
        alarm?.cancel()
        alarm = clock.once(after: Self.patience) { [weak self] in
            self?.repeatOrEnd(id, as: .unanswered)
        }
    }

    private func conclude(_ outcome: FrameAssembler.Outcome) {
        switch outcome {
        case .nothing: return
        case .message(let id, let message):
            confirm(.received(id: id))
            isReady()
            received(message)
        case .again(let id): confirm(.received(id: id))
        case .refuse(let id, let refusal): confirm(.refused(id: id, refusal))
        }
        isReady()
    }

    /// A peer that sends and takes no answer loses the answers over the limit; one that waits for them sends again.
    private func confirm(_ frame: Frame) {
        guard confirmations.count < Self.mostConfirmations else { return }
        confirmations.append(frame.packet)
    }

    private func confirmed(_ id: UInt32, _ refusal: Frame.Refusal?) {
        guard let front = queue.first, front.id == id else { return }
        alarm?.cancel()
        switch refusal {
        case nil: end(front, nil)
        case .tooLong: end(front, .refused(.tooLong))
        case .gap, .damaged: repeatOrEnd(id, as: .refused(refusal!))
        }
    }

    private func repeatOrEnd(_ id: UInt32, as failure: Failure) {
        guard var front = queue.first, front.id == id else { return }
        guard front.attempts < Self.attempts else { return end(front, failure) }
        front.attempts += 1
        front.position = nil
        front.number = 1
        queue[0] = front
        isReady()
    }

    private func end(_ front: Outgoing, _ failure: Failure?) {
        queue.removeFirst()
        waitingBytes -= front.message.count
        front.ended(failure)
        isReady()
    }
}

extension Data {
    /// Some of it, counted from its beginning, with indices from zero.
    func part(_ range: Range<Int>) -> Data {
        Data(self[index(startIndex, offsetBy: range.lowerBound)..<index(startIndex, offsetBy: range.upperBound)])
    }
}
