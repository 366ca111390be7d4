/// Streams in loops: `for try await value in stream { … }`.
///
/// A loop receives what the stream has kept, and then each new event. Events that come while the loop is busy are
/// queued, as many as the stream's capacity; then the oldest is dropped. The loop throws the stream's failures, and
/// ends when its task is cancelled. When the loop is left, its listener is removed.
extension FutureStream: AsyncSequence {
    public typealias Element = T
    public typealias Failure = any Error

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let subscription: StreamSubscription<T>

        /// The next value, or nil if the task is cancelled. A failure is thrown; the next call returns what came after
        /// it.
        public mutating func next() async throws -> T? {
            try await next(isolation: #isolation)
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(any Error) -> T? {
            try await subscription.next()?.asResult.get()
        }
    }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: StreamSubscription(self)) }

    /// The stream's events, failures included, for loops that go on after them: `for await event in stream.events { … }`.
    public var events: FutureStreamEvents<T> { FutureStreamEvents(stream: self, lease: nil) }
}

/// The events of a stream, each a value or an error.
public struct FutureStreamEvents<T>: AsyncSequence {
    public typealias Element = Try<T>
    public typealias Failure = Never

    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let subscription: StreamSubscription<T>
        fileprivate let lease: Lease?

        /// The next event, or nil if the task is cancelled.
        public mutating func next() async -> Try<T>? { await subscription.next() }

        public mutating func next(isolation actor: isolated (any Actor)?) async throws(Never) -> Try<T>? {
            await subscription.next()
        }
    }

    let stream: FutureStream<T>
    /// What ends when nobody has the events any more.
    let lease: Lease?

    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(subscription: StreamSubscription(stream), lease: lease)
    }
}

extension FutureStreamEvents: Sendable where T: Sendable {}
