/// A task that waits for one result, until that is there or the wait is ended otherwise, whichever comes first.
final class Waiter<T>: @unchecked Sendable {
    typealias Continuation = CheckedContinuation<Unchecked<T>, any Error>

    private enum State {
        case idle
        case waiting(Continuation)
        case over(Try<T>)
    }

    private let lock = Lock()
    private var state = State.idle

    var isOver: Bool { lock.run { if case .over = state { true } else { false } } }

    /// False if it is over already, and the task goes on at once.
    func begin(_ continuation: Continuation) -> Bool {
        let result: Try<T>? = lock.run {
            if case .over(let result) = state { return result }
            state = .waiting(continuation)
            return nil
        }
        if let result { continuation.resume(with: result.map(Unchecked.init).asResult) }
        return result == nil
    }

    /// Has the task go on; the first result counts.
    func end(_ result: Try<T>) {
        let continuation: Continuation? = lock.run {
            if case .over = state { return nil }
            defer { state = .over(result) }
            if case .waiting(let continuation) = state { return continuation }
            return nil
        }
        continuation?.resume(with: result.map(Unchecked.init).asResult)
    }
}
