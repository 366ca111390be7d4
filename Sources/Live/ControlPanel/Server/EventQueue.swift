import Synchronization

/// Events not yet sent to one listener. It never blocks the sender: if the listener is too slow the oldest events are
/// dropped, and the listener receives their number.
public final class EventQueue: Sendable {
    /// An event as it goes over the wire.
    struct Event: Sendable {
        let topic: String
        let text: [UInt8]
    }

    private struct State {
        var waiting: [Event] = []
        var size = 0
        var lost = 0
        var isClosed = false
        var reader: CheckedContinuation<Void, Never>?
    }

    /// How many bytes may wait.
    static let capacity = 1 << 20

    /// Which topics are wanted; nil is all of them.
    let topics: Set<String>?
    private let state = Mutex(State())
    private let whenClosed: @Sendable (EventQueue) -> Void

    init(topics: Set<String>?, whenClosed: @escaping @Sendable (EventQueue) -> Void) {
        self.topics = topics
        self.whenClosed = whenClosed
    }

    deinit { state.withLock { $0.reader.take() }?.resume() }

    func wants(_ topic: String) -> Bool { topics?.contains(topic) ?? true }

    func put(_ event: Event) {
        guard wants(event.topic) else { return }
        add(event)
    }

    /// Whatever the topics are; for those who have something to read already it is not needed.
    func beat(_ event: Event) {
        guard state.withLock({ $0.waiting.isEmpty }) else { return }
        add(event)
    }

    private func add(_ event: Event) {
        let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.isClosed else { return nil }
            state.waiting.append(event)
            state.size += event.text.count
            var surplus = 0
            while state.size > Self.capacity, surplus < state.waiting.count - 1 {
                state.size -= state.waiting[surplus].text.count
                surplus += 1
            }
            state.waiting.removeFirst(surplus)
            state.lost += surplus
            return state.reader.take()
        }
        reader?.resume()
    }

    /// Nothing comes any more; what waits is still handed out.
    func close() {
        let reader = state.withLock { state in
            state.isClosed = true
            return state.reader.take()
        }
        reader?.resume()
        whenClosed(self)
    }

    /// All that waits, as text of an event stream; waits until there is something. Nil at the end.
    func next() async -> [UInt8]? {
        while true {
            let (text, isOver) = take()
            if let text { return text }
            if isOver || Task.isCancelled { return nil }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let resumesNow = state.withLock { state in
                        guard state.waiting.isEmpty, !state.isClosed, !Task.isCancelled else { return true }
                        state.reader = continuation
                        return false
                    }
                    if resumesNow { continuation.resume() }
                }
            } onCancel: {
                state.withLock { $0.reader.take() }?.resume()
            }
        }
    }

    private func take() -> (text: [UInt8]?, isOver: Bool) {
        state.withLock { state in
            guard !state.waiting.isEmpty else { return (nil, state.isClosed) }
            var text: [UInt8] = []
            text.reserveCapacity(state.size + 64)
            if state.lost > 0 {
                text += "event: lost\ndata: {\"count\":\(state.lost)}\n\n".utf8
                state.lost = 0
            }
            for event in state.waiting { text += event.text }
            state.waiting = []
            state.size = 0
            return (text, false)
        }
    }
}

/// The data of the event `lost`.
struct LostEvents: Described {
    static let schemaName = "Lost"

    @Property("How many events were thrown away, since the listener was too slow.") var count = 0
}
