/// A value that is there later, or an error for which it will not be.
///
/// It may be completed and asked on any thread. Only its first completion counts. Callbacks run where their context says,
/// in the order in which they were registered, each once.
public final class Future<T>: Futurable {
    private let lock = Lock()
    private var outcome: Try<T>?
    // Most futures have one callback.
    private var first: Callback<T>?
    private var others: [Callback<T>] = []
    /// Those of callbacks that can be taken back.
    private var claims: [Claim] = []
    /// Stops what brings the value about, if it can be stopped.
    private var stop: (@Sendable () -> Void)?

    public init() {}

    // A trailing closure is meant for the initialisers that take one; here it would be the value.
    @_disfavoredOverload
    public init(value: T) { outcome = .success(value) }

    public init(error: any Error) { outcome = .failure(error) }

    /// A future that is completed as another one is.
    public init(context: any ExecutionContext = QueueContext.futuresDefault, dependent: Future<T>) {
        completeWith(context: context, future: dependent)
    }

    /// A future that a closure completes, by calling what it is given.
    public init(resolver: (@escaping (Try<T>) -> Void) -> Void) {
        resolver { self.complete($0) }
    }

    deinit {
        guard first != nil else { return }
        // A long chain that is never completed must not be released recursively on the stack.
        let turns = Turns.ofThisThread
        if let first { turns.discarded.append(first) }
        turns.discarded += others
        first = nil
        others = []
        turns.discard()
    }

    /// What it was completed with; nil until then.
    public var result: Try<T>? { lock.run { outcome } }

    public var completed: Bool { result != nil }

    // MARK: Completion

    /// Completes the future, unless it is already.
    public func complete(_ result: Try<T>) { _ = settle(result) }

    public func success(_ value: T) { complete(.success(value)) }

    public func failure(_ error: any Error) { complete(.failure(error)) }

    /// True if this was the first completion.
    func settle(_ result: Try<T>) -> Bool {
        var (callback, more): (Callback<T>?, [Callback<T>]) = (nil, [])
        let isFirst = lock.run {
            guard outcome == nil else { return false }
            outcome = result
            stop = nil
            swap(&callback, &first)
            if !others.isEmpty { swap(&more, &others) }
            return true
        }
        callback?.call(with: result)
        for callback in more { callback.call(with: result) }
        return isFirst
    }

    // MARK: Callbacks

    /// Calls when the future is completed, or now if it is.
    public func onComplete(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        completion: @escaping (Try<T>) -> Void
    ) {
        let callback = Callback(context, cancelToken, completion)
        let result: Try<T>? = lock.run {
            if let claim = callback.claim { claims.append(claim) }
            if outcome == nil {
                if first == nil { first = callback } else { others.append(callback) }
            }
            return outcome
        }
        if let result { callback.call(with: result) }
    }

    /// Takes back the callbacks with this token that have not run. True if there were any. The work goes on.
    public func cancel(_ cancelToken: CancelToken) -> Bool {
        guard cancelToken != .none else { return false }
        let (hasCancelled, discarded) = lock.run {
            let cancelled = claims.filter { $0.token == cancelToken }
            claims.removeAll { $0.token == cancelToken }
            let all = [first].compactMap { $0 } + others
            let remaining = all.filter { $0.claim?.token != cancelToken }
            first = remaining.first
            others = Array(remaining.dropFirst())
            return (cancelled.reduce(false) { $1.takeBack() || $0 }, all)
        }
        // What the closures keep is let go of outside of the lock.
        return withExtendedLifetime(discarded) { hasCancelled }
    }

    // MARK: What brings it about

    /// Can be stopped from now on, until it is completed.
    func canBeStopped(by stop: @escaping @Sendable () -> Void) {
        lock.run { if outcome == nil { self.stop = stop } }
    }

    /// What stops it, once.
    func takeStop() -> (@Sendable () -> Void)? {
        lock.run {
            defer { stop = nil }
            return stop
        }
    }
}

extension Future: @unchecked Sendable where T: Sendable {}
