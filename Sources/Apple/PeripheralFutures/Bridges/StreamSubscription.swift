/// A loop over a stream, as long as there is a reference to it.
final class StreamSubscription<T>: @unchecked Sendable {
    private let stream: FutureStream<T>
    private let token = CancelToken()
    private let mailbox: Mailbox<T>

    init(_ stream: FutureStream<T>) {
        let mailbox = Mailbox<T>(capacity: Swift.max(1, stream.capacity))
        self.stream = stream
        self.mailbox = mailbox
        stream.onComplete(context: ImmediateContext(), cancelToken: token) { mailbox.put($0) }
    }

    deinit { _ = stream.cancel(token) }

    /// The next event; nil if the task is cancelled.
    func next() async -> Try<T>? {
        let (stream, token) = (Unchecked(value: stream), token)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { mailbox.take($0) }
        } onCancel: {
            mailbox.close()
            _ = stream.value.cancel(token)
        }.value
    }
}

/// A queue of events between a stream and the loop that fetches them.
final class Mailbox<T>: @unchecked Sendable {
    typealias Continuation = CheckedContinuation<Unchecked<Try<T>?>, Never>

    private let lock = Lock()
    private var events: EventHistory<T>
    private var continuation: Continuation?
    private var isClosed = false

    init(capacity: Int) { events = EventHistory(capacity: capacity) }

    /// How many events wait.
    var count: Int { lock.run { events.count } }

    func put(_ event: Try<T>) {
        let waiting: Continuation? = lock.run {
            guard !isClosed else { return nil }
            if let waiting = continuation {
                continuation = nil
                return waiting
            }
            events.append(event)
            return nil
        }
        waiting?.resume(returning: Unchecked(value: event))
    }

    func take(_ continuation: Continuation) {
        let event: Unchecked<Try<T>?>? = lock.run {
            precondition(self.continuation == nil, "one iterator is asked by two tasks at once")
            if isClosed { return Unchecked(value: nil) }
            if let event = events.removeFirst() { return Unchecked(value: event) }
            self.continuation = continuation
            return nil
        }
        if let event { continuation.resume(returning: event) }
    }

    /// Nothing comes any more, and what waits is not wanted.
    func close() {
        let waiting: Continuation? = lock.run {
            isClosed = true
            defer { continuation = nil }
            return continuation
        }
        waiting?.resume(returning: Unchecked(value: nil))
    }
}
