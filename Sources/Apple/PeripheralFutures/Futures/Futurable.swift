/// Something that is completed once, with a value or an error.
public protocol Futurable: Completable {
    var result: Try<T>? { get }

    init()
    init(value: T)
    init(error: any Error)
    init(context: any ExecutionContext, dependent: Self)

    func complete(_ result: Try<T>)
}

/// A future that follows from another one. What a closure throws, it fails with.
extension Futurable {
    public func map<M>(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        mapping: @escaping (T) throws -> M
    ) -> Future<M> {
        following(context, cancelToken) { future, result in future.complete(result.map(mapping)) }
    }

    public func flatMap<M>(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        mapping: @escaping (T) throws -> Future<M>
    ) -> Future<M> {
        following(context, cancelToken) { future, result in
            future.completeWith(context: context, future: result.map(mapping))
        }
    }

    /// Fails with `FuturesError.noSuchElement` if the value does not pass.
    public func withFilter(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        filter: @escaping (T) throws -> Bool
    ) -> Future<T> {
        following(context, cancelToken) { future, result in future.complete(result.filter(filter)) }
    }

    /// Does something with the value, before the future that is returned is completed with it.
    public func andThen(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        completion: @escaping (T) -> Void
    ) -> Future<T> {
        following(context, cancelToken) { future, result in
            result.forEach(completion)
            future.complete(result)
        }
    }

    public func recover(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        recovery: @escaping (any Error) throws -> T
    ) -> Future<T> {
        following(context, cancelToken) { future, result in future.complete(result.recover(recovery)) }
    }

    public func recoverWith(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        recovery: @escaping (any Error) throws -> Future<T>
    ) -> Future<T> {
        following(context, cancelToken) { future, result in
            guard case .failure(let error) = result else { return future.complete(result) }
            future.completeWith(context: context, future: Try { try recovery(error) })
        }
    }

    public func mapError(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        mapping: @escaping (any Error) -> any Error
    ) -> Future<T> {
        following(context, cancelToken) { future, result in future.complete(result.mapError(mapping)) }
    }

    private func following<M>(
        _ context: any ExecutionContext,
        _ token: CancelToken,
        _ completion: @escaping (Future<M>, Try<T>) -> Void
    ) -> Future<M> {
        let future = Future<M>()
        onComplete(context: context, cancelToken: token) { completion(future, $0) }
        return future
    }
}
