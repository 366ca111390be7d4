/// The side of a future on which it is completed.
public final class Promise<T> {
    public let future = Future<T>()

    public init() {}

    public var completed: Bool { future.completed }

    /// Completes the future, unless it is already.
    public func complete(_ result: Try<T>) { future.complete(result) }

    public func success(_ value: T) { future.success(value) }

    public func failure(_ error: any Error) { future.failure(error) }

    public func completeWith(context: any ExecutionContext = QueueContext.futuresDefault, future: Future<T>) {
        self.future.completeWith(context: context, future: future)
    }
}

extension Promise: Sendable where T: Sendable {}

/// The side of a stream on which its events are made.
public final class StreamPromise<T> {
    public let stream: FutureStream<T>

    /// - Parameter capacity: how many events the stream keeps for those who listen later.
    public init(capacity: Int = Int.max) { stream = FutureStream(capacity: capacity) }

    public func complete(_ result: Try<T>) { stream.complete(result) }

    public func success(_ value: T) { complete(.success(value)) }

    public func failure(_ error: any Error) { complete(.failure(error)) }

    public func completeWith(context: any ExecutionContext = QueueContext.futuresDefault, future: Future<T>) {
        stream.completeWith(context: context, future: future)
    }

    public func completeWith(context: any ExecutionContext = QueueContext.futuresDefault, stream: FutureStream<T>) {
        self.stream.completeWith(context: context, stream: stream)
    }
}

extension StreamPromise: Sendable where T: Sendable {}
