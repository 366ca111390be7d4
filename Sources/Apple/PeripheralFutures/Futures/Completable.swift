/// Something that reports values and errors: a future reports one, a stream many.
public protocol Completable {
    associatedtype T

    func onComplete(
        context: any ExecutionContext,
        cancelToken: CancelToken,
        completion: @escaping (Try<T>) -> Void
    )
}

extension Completable {
    public func onSuccess(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        completion: @escaping (T) -> Void
    ) {
        onComplete(context: context, cancelToken: cancelToken) { $0.forEach(completion) }
    }

    public func onFailure(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        completion: @escaping (any Error) -> Void
    ) {
        onComplete(context: context, cancelToken: cancelToken) { $0.error.forEach(completion) }
    }

    public func forEach(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        apply: @escaping (T) -> Void
    ) {
        onSuccess(context: context, cancelToken: cancelToken, completion: apply)
    }
}
