/// Streams that follow from a future.
extension Future {
    public func flatMap<M>(
        capacity: Int = Int.max,
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        mapping: @escaping (T) throws -> FutureStream<M>
    ) -> FutureStream<M> {
        let stream = FutureStream<M>(capacity: capacity)
        onComplete(context: context, cancelToken: cancelToken) { result in
            stream.completeWith(context: context, stream: result.map(mapping))
        }
        return stream
    }

    public func recoverWith(
        capacity: Int = Int.max,
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        recovery: @escaping (any Error) throws -> FutureStream<T>
    ) -> FutureStream<T> {
        let stream = FutureStream<T>(capacity: capacity)
        onComplete(context: context, cancelToken: cancelToken) { result in
            guard case .failure(let error) = result else { return stream.complete(result) }
            stream.completeWith(context: context, stream: Try { try recovery(error) })
        }
        return stream
    }
}
