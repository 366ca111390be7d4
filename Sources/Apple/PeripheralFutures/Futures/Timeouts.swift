public import Foundation

/// Something did not come in time.
public struct FutureTimeout: Error, LocalizedError, Hashable, Sendable {
    /// How long the wait was.
    public let seconds: TimeInterval

    public init(seconds: TimeInterval) { self.seconds = seconds }

    public var errorDescription: String? { "Nothing came for \(seconds) seconds." }
}

extension Future {
    /// The same, if it is completed within so many seconds from now; else a failure, `FutureTimeout`. What brings the value
    /// about goes on.
    public func timeout(
        _ seconds: TimeInterval,
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none
    ) -> Future<T> {
        let future = Future<T>()
        onComplete(context: context, cancelToken: cancelToken) { future.complete($0) }
        AppContext.current.call(after: seconds, on: timers) { [weak future] in
            future?.failure(FutureTimeout(seconds: seconds))
        }
        return future
    }
}

extension FutureStream {
    /// The same events, and a failure, `FutureTimeout`, when none has come for so many seconds, counted from now and from
    /// each event.
    public func timeout(
        _ seconds: TimeInterval,
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none
    ) -> FutureStream<T> {
        let stream = FutureStream<T>(capacity: capacity)
        let (appContext, count) = (AppContext.current, Guarded(0))
        func watch(_ number: Int) {
            appContext.call(after: seconds, on: timers) { [weak stream] in
                guard count.withLock({ $0 == number }) else { return }
                stream?.failure(FutureTimeout(seconds: seconds))
            }
        }
        watch(0)
        onComplete(context: context, cancelToken: cancelToken) { event in
            let number = count.withLock { count in
                count += 1
                return count
            }
            stream.complete(event)
            watch(number)
        }
        return stream
    }
}

private let timers = DispatchQueue(label: "futures.timeouts")
