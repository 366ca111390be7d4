private import Synchronization

/// How much an app may still write to a channel: the state of its output stream.
final class ChannelOutput: Sendable {
    /// The result of a write.
    enum Writing {
        /// There is room for so many bytes, which counts as taken.
        case room(Int)
        /// The stream is not open, or can take nothing any more.
        case failed
        /// There is no room yet. Signalled when that changes.
        case full(DispatchSemaphore)
    }

    private struct State {
        var life = StreamLife()
        let capacity: Int
        var used = 0
        var waiting: [DispatchSemaphore] = []
        /// The app has not been notified of room since it wrote last.
        var hasUnreportedRoom = true

        var room: Int { max(0, capacity - used) }

        mutating func takeEvent() -> Stream.Event? {
            guard life.isOpen else { return nil }
            if let opening = life.takeOpening() { return opening }
            guard !life.hasEnded else { return life.takeEnd() }
            guard hasUnreportedRoom, room > 0 else { return nil }
            hasUnreportedRoom = false
            return .hasSpaceAvailable
        }

        mutating func takeWaiting() -> [DispatchSemaphore] {
            defer { waiting = [] }
            return waiting
        }
    }

    private let state: Mutex<State>
    private let reference = Mutex(WeakEvents())

    /// How the stream calls its delegate; nil while there is none.
    var events: StreamEvents? {
        get { reference.withLock { $0.events } }
        set { reference.withLock { $0.events = newValue } }
    }

    init(capacity: Int) { state = Mutex(State(capacity: capacity)) }

    // MARK: The phone

    /// So many bytes have left.
    func giveBack(_ count: Int) {
        let waiting = state.withLock { state in
            state.used = max(0, state.used - count)
            return state.takeWaiting()
        }
        for waiter in waiting { waiter.signal() }
    }

    /// Nothing more can be sent.
    func end(_ error: NSError?) {
        let waiting = state.withLock { state in
            state.life.end(error)
            return state.takeWaiting()
        }
        for waiter in waiting { waiter.signal() }
    }

    // MARK: The app

    func open() { state.withLock { $0.life.open() } }

    func close() {
        let waiting = state.withLock { state in
            state.life.close()
            return state.takeWaiting()
        }
        for waiter in waiting { waiter.signal() }
    }

    func take(_ length: Int, canWait: Bool) -> Writing {
        state.withLock { state in
            guard state.life.isOpen else { return .failed }
            guard !state.life.hasEnded else {
                state.life.failLate(StreamError.brokenPipe)
                return .failed
            }
            let count = min(length, state.room)
            guard count > 0 else {
                let waiter = DispatchSemaphore(value: 0)
                if canWait { state.waiting.append(waiter) }
                return .full(waiter)
            }
            state.used += count
            state.hasUnreportedRoom = true
            return .room(count)
        }
    }

    var hasSpace: Bool { state.withLock { $0.life.isOpen && !$0.life.hasEnded && $0.room > 0 } }
    var isClosed: Bool { state.withLock(\.life.isClosed) }
    var status: Stream.Status { state.withLock { $0.life.status(isDone: true) } }
    var error: NSError? { state.withLock(\.life.error) }

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
