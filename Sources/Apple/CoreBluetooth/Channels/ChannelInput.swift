private import DequeModule
private import Synchronization

/// What has come over a channel and is still to be read: the state of its input stream.
final class ChannelInput: Sendable {
    /// The result of a read.
    enum Reading {
        /// So many bytes, of which the last of so many blocks; none where everything was read that there will be.
        case read(Int, blocks: Int)
        /// The stream is not open, or has failed.
        case failed
        /// There is nothing yet. Signalled when that changes.
        case empty(DispatchSemaphore)
    }

    private struct State {
        var life = StreamLife()
        var blocks: Deque<[UInt8]> = []
        /// How many bytes of the first block have been read.
        var offset = 0
        var waiting: [DispatchSemaphore] = []
        /// There are bytes, or more of them, since the delegate was notified or the app has read.
        var hasUnreportedBytes = false

        var isEmpty: Bool { blocks.isEmpty }

        mutating func takeEvent() -> Stream.Event? {
            guard life.isOpen else { return nil }
            if let opening = life.takeOpening() { return opening }
            guard !isEmpty else { return life.takeEnd() }
            guard hasUnreportedBytes else { return nil }
            hasUnreportedBytes = false
            return .hasBytesAvailable
        }

        mutating func takeWaiting() -> [DispatchSemaphore] {
            defer { waiting = [] }
            return waiting
        }

        mutating func dropBlock() {
            blocks.removeFirst()
            offset = 0
        }
    }

    private let state = Mutex(State())
    private let reference = Mutex(WeakEvents())

    /// How the stream calls its delegate; nil while there is none.
    var events: StreamEvents? {
        get { reference.withLock { $0.events } }
        set { reference.withLock { $0.events = newValue } }
    }

    // MARK: The phone

    /// False if it can never be read.
    func receive(_ block: [UInt8]) -> Bool {
        let (isTaken, waiting) = state.withLock { state -> (Bool, [DispatchSemaphore]) in
            guard !state.life.isClosed else { return (false, []) }
            state.blocks.append(block)
            state.hasUnreportedBytes = true
            return (true, state.takeWaiting())
        }
        for waiter in waiting { waiter.signal() }
        return isTaken
    }

    /// Nothing more will come.
    func end(_ error: NSError?) {
        let waiting = state.withLock { state in
            state.life.end(error)
            return state.takeWaiting()
        }
        for waiter in waiting { waiter.signal() }
    }

    // MARK: The app

    func open() { state.withLock { $0.life.open() } }

    /// Returns how many blocks remain unread.
    func close() -> Int {
        let (count, waiting) = state.withLock { state in
            state.life.close()
            let count = state.blocks.count
            state.blocks = []
            state.offset = 0
            return (count, state.takeWaiting())
        }
        for waiter in waiting { waiter.signal() }
        return count
    }

    func read(_ buffer: UnsafeMutablePointer<UInt8>, _ length: Int, canWait: Bool) -> Reading {
        state.withLock { state in
            guard state.life.isOpen else { return .failed }
            if state.isEmpty {
                guard state.life.hasEnded else {
                    let waiter = DispatchSemaphore(value: 0)
                    if canWait { state.waiting.append(waiter) }
                    return .empty(waiter)
                }
                return state.life.error == nil ? .read(0, blocks: 0) : .failed
            }
            var count = 0
            var finished = 0
            while count < length, !state.isEmpty {
                let block = state.blocks[0]
                let part = min(length - count, block.count - state.offset)
                block.withUnsafeBufferPointer { bytes in
                    (buffer + count).update(from: bytes.baseAddress.unsafelyUnwrapped + state.offset, count: part)
                }
                count += part
                state.offset += part
                if state.offset == block.count {
                    state.dropBlock()
                    finished += 1
                }
            }
            state.hasUnreportedBytes = true
            return .read(count, blocks: finished)
        }
    }

    var hasBytes: Bool { state.withLock { $0.life.isOpen && !$0.isEmpty } }
    var isClosed: Bool { state.withLock(\.life.isClosed) }
    var status: Stream.Status { state.withLock { $0.life.status(isDone: $0.isEmpty) } }
    var error: NSError? { state.withLock { $0.isEmpty ? $0.life.error : nil } }

    /// Takes the next event for the delegate.
    func nextEvent() -> Stream.Event? { state.withLock { $0.takeEvent() } }

    /// Whether there is an event for the delegate.
    var hasEvent: Bool {
        state.withLock { state in
            var state = state
            return state.takeEvent() != nil
        }
    }
}
