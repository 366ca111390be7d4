/// Streams that follow from another one, with its capacity. What a closure throws becomes an event.
extension FutureStream {
    public func map<M>(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        mapping: @escaping (T) throws -> M
    ) -> FutureStream<M> {
        following(context, cancelToken) { stream, event in stream.complete(event.map(mapping)) }
    }

    /// The events of all the streams that the values are mapped to, as they come.
    public func flatMap<M>(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        mapping: @escaping (T) throws -> FutureStream<M>
    ) -> FutureStream<M> {
        following(context, cancelToken) { stream, event in
            stream.completeWith(context: context, stream: event.map(mapping))
        }
    }

    public func flatMap<M>(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        mapping: @escaping (T) throws -> Future<M>
    ) -> FutureStream<M> {
        following(context, cancelToken) { stream, event in
            stream.completeWith(context: context, future: event.map(mapping))
        }
    }

    public func recover(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        recovery: @escaping (any Error) throws -> T
    ) -> FutureStream<T> {
        following(context, cancelToken) { stream, event in stream.complete(event.recover(recovery)) }
    }

    public func recoverWith(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        recovery: @escaping (any Error) throws -> FutureStream<T>
    ) -> FutureStream<T> {
        following(context, cancelToken) { stream, event in
            guard case .failure(let error) = event else { return stream.complete(event) }
            stream.completeWith(context: context, stream: Try { try recovery(error) })
        }
    }

    public func recoverWith(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        recovery: @escaping (any Error) throws -> Future<T>
    ) -> FutureStream<T> {
        following(context, cancelToken) { stream, event in
            guard case .failure(let error) = event else { return stream.complete(event) }
            stream.completeWith(context: context, future: Try { try recovery(error) })
        }
    }

    /// A value that does not pass becomes `FuturesError.noSuchElement`.
    public func withFilter(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        filter: @escaping (T) throws -> Bool
    ) -> FutureStream<T> {
        following(context, cancelToken) { stream, event in stream.complete(event.filter(filter)) }
    }

    /// Does something with each value, before the stream that is returned has it.
    public func andThen(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        completion: @escaping (T) -> Void
    ) -> FutureStream<T> {
        following(context, cancelToken) { stream, event in
            event.forEach(completion)
            stream.complete(event)
        }
    }

    public func mapError(
        context: any ExecutionContext = QueueContext.futuresDefault,
        cancelToken: CancelToken = .none,
        mapping: @escaping (any Error) -> any Error
    ) -> FutureStream<T> {
        following(context, cancelToken) { stream, event in stream.complete(event.mapError(mapping)) }
    }

    private func following<M>(
        _ context: any ExecutionContext,
        _ token: CancelToken,
        _ completion: @escaping (FutureStream<M>, Try<T>) -> Void
    ) -> FutureStream<M> {
        let stream = FutureStream<M>(capacity: capacity)
        onComplete(context: context, cancelToken: token) { completion(stream, $0) }
        return stream
    }
}
