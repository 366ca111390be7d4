/// Events that come one after the other: values, and errors, which do not end it. Nothing does.
///
/// Events may be made and asked for on any thread. A listener receives the kept past events, and then every event, in
/// order. Callbacks of one listener run in the context that it gave.
public final class FutureStream<T>: Completable {
    /// How many events are kept for those who listen later; the oldest is dropped. Without a limit a stream that lives
    /// long keeps everything.
    public let capacity: Int

    private let lock = Lock()
    private var history: EventHistory<T>
    private var listeners: [Callback<T>] = []
    /// Events not delivered yet. One thread at a time delivers; the others leave it to that thread, so that no listener
    /// receives a later event first.
    private var untold: [(Callback<T>, Try<T>)] = []
    private var isTelling = false

    /// - Parameter capacity: how many events are kept for those who listen later; 0 for none.
    public init(capacity: Int = Int.max) {
        self.capacity = Swift.max(0, capacity)
        history = EventHistory(capacity: self.capacity)
    }

    deinit {
        guard !listeners.isEmpty else { return }
        // As a future's.
        let turns = Turns.ofThisThread
        turns.discarded += listeners
        listeners = []
        turns.discard()
    }

    /// A stream with the events of another one.
    public convenience init(
        capacity: Int = Int.max,
        context: any ExecutionContext = QueueContext.futuresDefault,
        dependent: FutureStream<T>
    ) {
        self.init(capacity: capacity)
        completeWith(context: context, stream: dependent)
    }

    public convenience init(value: T, capacity: Int = Int.max) {
        self.init(capacity: capacity)
        success(value)
    }

    public convenience init(error: any Error, capacity: Int = Int.max) {
        self.init(capacity: capacity)
        failure(error)
    }

    /// A stream whose events a closure makes, by calling what it is given.
    public convenience init(capacity: Int = Int.max, resolver: (@escaping (Try<T>) -> Void) -> Void) {
        self.init(capacity: capacity)
        resolver { self.complete($0) }
    }

    /// The events that are kept, oldest first.
    public var futures: [Future<T>] {
        lock.run { history.events }.map { event in
            switch event {
            case .success(let value): Future(value: value)
            case .failure(let error): Future(error: error)
            }
        }
    }

    /// How many events are kept.
    public var count: Int { lock.run { history.count } }

    // MARK: Events

    func complete(_ event: Try<T>) {
        lock.run {
            history.append(event)
            untold += listeners.map { ($0, event) }
        }
        tell()
    }

    func success(_ value: T) { complete(.success(value)) }

    func failure(_ error: any Error) { complete(.failure(error)) }

    private func tell() {
        guard lock.run({ beginTelling() }) else { return }
        while true {
            let batch = lock.run {
                defer { untold = [] }
                if untold.isEmpty { isTelling = false }
                return untold
            }
            guard !batch.isEmpty else { return }
            for (listener, event) in batch { listener.call(with: event) }
        }
    }

    private func beginTelling() -> Bool {
        guard !isTelling, !untold.isEmpty else { return false }
        isTelling = true
        return true
    }

    // MARK: Listeners

    /// Calls with each event that is kept, and with each that comes.
    public func onComplete(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        completion: @escaping (Try<T>) -> Void
    ) {
        let listener = Callback(context, cancelToken, completion)
        lock.run {
            listeners.append(listener)
            untold += history.events.map { (listener, $0) }
        }
        tell()
    }

    /// Removes the listeners with this token. True if there were any.
    public func cancel(_ cancelToken: CancelToken) -> Bool {
        guard cancelToken != .none else { return false }
        let leaving = lock.run {
            let leaving = listeners.filter { $0.claim?.token == cancelToken }
            listeners.removeAll { $0.claim?.token == cancelToken }
            return leaving
        }
        for listener in leaving { _ = listener.claim?.takeBack() }
        return !leaving.isEmpty
    }
}

extension FutureStream: @unchecked Sendable where T: Sendable {}
