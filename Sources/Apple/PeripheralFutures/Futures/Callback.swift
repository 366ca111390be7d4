/// What is to be called with a result, where, and on which phone's time.
final class Callback<T> {
    let completion: (Try<T>) -> Void
    /// Nil if it cannot be cancelled.
    let claim: Claim?
    private let context: any ExecutionContext
    /// Whether it is called without anything in between.
    private let isImmediate: Bool
    private let appContext: AppContext

    init(_ context: any ExecutionContext, _ token: CancelToken, _ completion: @escaping (Try<T>) -> Void) {
        self.context = context
        self.completion = completion
        claim = token == .none ? nil : Claim(token)
        appContext = .current
        isImmediate = type(of: context) == ImmediateContext.self && claim == nil && appContext.isNowhere
    }

    /// Calls now, or when the stack is free.
    func call(with result: Try<T>) {
        let turns = Turns.ofThisThread
        guard turns.begin() else { return turns.add { self.deliver(result) } }
        deliver(result)
        turns.end()
    }

    private func deliver(_ result: Try<T>) {
        if isImmediate { return completion(result) }
        appContext.enter {
            context.execute { [self] in
                if claim?.begin() ?? true { completion(result) }
            }
        }
    }
}

/// The right of a callback to be called, until its token is cancelled.
final class Claim: @unchecked Sendable {
    private enum State {
        case unused
        case used
        case takenBack
    }

    let token: CancelToken
    private let lock = Lock()
    private var state = State.unused

    init(_ token: CancelToken) { self.token = token }

    /// Whether the callback may run, which it does now.
    func begin() -> Bool {
        lock.run {
            if state == .unused { state = .used }
            return state == .used
        }
    }

    /// True if the callback has not run and will not.
    func takeBack() -> Bool {
        lock.run {
            defer { state = .takenBack }
            return state == .unused
        }
    }
}
