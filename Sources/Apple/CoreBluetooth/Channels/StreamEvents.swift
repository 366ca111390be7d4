private import Synchronization

/// How a stream calls its delegate.
///
/// In real time it does so in the run loops in which it is scheduled. In virtual time there is no run loop: a stream that
/// is scheduled in any calls its delegate at the instant of the event, where the world runs. What the app itself has
/// caused then comes back through the world, as an echo, so that no delegate is called from within a call of the app.
final class StreamEvents: Sendable {
    private struct State: @unchecked Sendable {
        weak var stream: Stream?
        weak var delegate: (any StreamDelegate)?
        /// Where the stream is scheduled, in virtual time.
        var places: Set<Place> = []
        var isDelivering = false
        /// Something happened while others were being delivered.
        var hasMore = false
        var isEchoAwaited = false

        /// Whether there is something to deliver; if not, delivery has ended.
        mutating func takeTurn() -> Bool {
            defer { hasMore = false }
            if !hasMore { isDelivering = false }
            return hasMore
        }
    }

    private struct Place: Hashable {
        let runLoop: ObjectIdentifier
        let mode: RunLoop.Mode
    }

    private let state = Mutex(State())
    private let isDue: @Sendable () -> Bool
    private let next: @Sendable () -> Stream.Event?
    /// Orders an echo; nil in real time.
    private let echo: (@Sendable () -> Void)?
    private let source = Mutex<RunLoopSource?>(nil)

    /// - Parameters:
    ///   - isDue: whether there is an event.
    ///   - next: takes it.
    ///   - echo: nil in real time.
    init(
        isDue: @escaping @Sendable () -> Bool,
        next: @escaping @Sendable () -> Stream.Event?,
        echo: (@Sendable () -> Void)?
    ) {
        self.isDue = isDue
        self.next = next
        self.echo = echo
    }

    func attach(_ stream: Stream) {
        let reference = Unchecked(value: stream)
        state.withLock { $0.stream = reference.value }
        guard echo == nil else { return }
        source.withLock { source in source = RunLoopSource { [weak self] in self?.deliverOne() } }
    }

    var delegate: (any StreamDelegate)? {
        get { state.withLock { Unchecked(value: $0.delegate) }.value }
        set {
            let reference = Unchecked(value: newValue)
            state.withLock { $0.delegate = reference.value }
            changed()
        }
    }

    // MARK: Scheduling

    func schedule(in runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        if echo != nil {
            let place = Place(runLoop: ObjectIdentifier(runLoop), mode: mode)
            state.withLock { _ = $0.places.insert(place) }
        }
        source.withLock { $0 }?.add(to: runLoop, mode)
        changed()
    }

    func remove(from runLoop: RunLoop, forMode mode: RunLoop.Mode) {
        let place = Place(runLoop: ObjectIdentifier(runLoop), mode: mode)
        state.withLock { _ = $0.places.remove(place) }
        source.withLock { $0 }?.remove(from: runLoop, mode)
    }

    /// The stream is closed, and scheduled nowhere.
    func stop() {
        state.withLock { $0.places = [] }
        source.withLock { source in
            defer { source = nil }
            return source
        }?.invalidate()
    }

    // MARK: Events

    /// The app did something upon which there may be an event.
    func changed() {
        guard isDue() else { return }
        guard let echo else { return source.withLock { $0 }?.signal() ?? () }
        let wantsEcho = state.withLock { state in
            if state.isDelivering {
                state.hasMore = true
                return false
            }
            guard !state.isEchoAwaited, !state.places.isEmpty else { return false }
            state.isEchoAwaited = true
            return true
        }
        if wantsEcho { echo() }
    }

    /// Something came from the phone upon which there may be an event.
    func worldChanged() {
        guard echo != nil else { return changed() }
        let isMine = state.withLock { state in
            state.hasMore = true
            guard !state.isDelivering else { return false }
            state.isDelivering = true
            return true
        }
        while isMine, state.withLock({ $0.takeTurn() }) {
            while callDelegate() {}
        }
    }

    /// The echo of what the app did.
    func worldEchoed() {
        let wasAwaited = state.withLock { state in
            defer { state.isEchoAwaited = false }
            return state.isEchoAwaited
        }
        if wasAwaited { worldChanged() }
    }

    /// One event for each turn of a run loop, so that others get theirs.
    private func deliverOne() {
        if callDelegate() { changed() }
    }

    /// Delivers one event to the delegate; false if there is no event or no delegate.
    private func callDelegate() -> Bool {
        let (stream, delegate) = state.withLock { state in
            let isScheduled = echo == nil || !state.places.isEmpty
            return (Unchecked(value: isScheduled ? state.stream : nil), Unchecked(value: state.delegate))
        }
        guard let stream = stream.value, let delegate = delegate.value, let event = next() else { return false }
        delegate.stream(stream, handle: event)
        return true
    }
}

/// The events of a stream as long as the app keeps the stream.
struct WeakEvents: Sendable {
    weak var events: StreamEvents?
}
