/// A future with the value of an expression, which is evaluated now.
public func future<T>(_ task: @autoclosure @escaping () -> T) -> Future<T> {
    future(context: ImmediateContext(), task)
}

/// A future of what a closure returns or throws, which runs in a context.
public func future<T>(
    context: any ExecutionContext = QueueContext.futuresDefault,
    _ task: @escaping () throws -> T
) -> Future<T> {
    let future = Future<T>()
    Callback<Void>(context, .none) { _ in future.complete(Try(task)) }.call(with: .success(()))
    return future
}

/// A future of what a function calls back with: a value or else an error.
public func future<T>(method: (@escaping (T?, (any Error)?) -> Void) -> Void) -> Future<T> {
    Future { complete in method { complete(Try(value: $0, error: $1)) } }
}

/// The same for a function whose value is always there; the error counts where there is one.
public func future<T>(method: (@escaping (T, (any Error)?) -> Void) -> Void) -> Future<T> {
    Future { complete in method { value, error in complete(error.map { .failure($0) } ?? .success(value)) } }
}

/// A future of what a function calls back with: an error, if there is one.
public func future(method: (@escaping ((any Error)?) -> Void) -> Void) -> Future<Void> {
    Future { complete in method { error in complete(error.map { .failure($0) } ?? .success(())) } }
}

/// A future of what a function calls back with.
public func future<T>(method: (@escaping (T) -> Void) -> Void) -> Future<T> {
    Future { complete in method { complete(.success($0)) } }
}

/// A stream of what a function calls back with, again and again: a value or else an error.
public func futureStream<T>(
    capacity: Int = Int.max,
    method: (@escaping (T?, (any Error)?) -> Void) -> Void
) -> FutureStream<T> {
    FutureStream(capacity: capacity) { complete in method { complete(Try(value: $0, error: $1)) } }
}

/// The same for a function whose value is always there; the error counts where there is one.
public func futureStream<T>(
    capacity: Int = Int.max,
    method: (@escaping (T, (any Error)?) -> Void) -> Void
) -> FutureStream<T> {
    FutureStream(capacity: capacity) { complete in
        method { value, error in complete(error.map { .failure($0) } ?? .success(value)) }
    }
}

/// A stream of what a function calls back with, again and again: an error, if there is one.
public func futureStream(
    capacity: Int = Int.max,
    method: (@escaping ((any Error)?) -> Void) -> Void
) -> FutureStream<Void> {
    FutureStream(capacity: capacity) { complete in
        method { error in complete(error.map { .failure($0) } ?? .success(())) }
    }
}

/// A stream of what a function calls back with, again and again.
public func futureStream<T>(capacity: Int = Int.max, method: (@escaping (T) -> Void) -> Void) -> FutureStream<T> {
    FutureStream(capacity: capacity) { complete in method { complete(.success($0)) } }
}

/// The future's value, or another one if it fails.
public func ?? <T>(lhs: Future<T>, rhs: @autoclosure @escaping () throws -> T) -> Future<T> {
    lhs.recover { _ in try rhs() }
}

/// The future's value, or that of another future if it fails.
public func ?? <T>(lhs: Future<T>, rhs: @autoclosure @escaping () throws -> Future<T>) -> Future<T> {
    lhs.recoverWith { _ in try rhs() }
}

extension Try {
    /// What a function calls back with in the manner of Objective-C.
    fileprivate init(value: T?, error: (any Error)?) {
        self = value.map { .success($0) } ?? .failure(error ?? FuturesError.invalidValue)
    }
}
