/// Completing a future as something else is.
extension Future {
    public func completeWith(context: any ExecutionContext = QueueContext.futuresDefault, future: Future<T>) {
        future.onComplete(context: context) { self.complete($0) }
    }

    /// Completes the future with the stream's first event.
    public func completeWith(context: any ExecutionContext = QueueContext.futuresDefault, stream: FutureStream<T>) {
        let token = CancelToken()
        stream.onComplete(context: context, cancelToken: token) { [weak stream] result in
            _ = stream?.cancel(token)
            self.complete(result)
        }
    }

    public func completeWith(context: any ExecutionContext = QueueContext.futuresDefault, future: Try<Future<T>>) {
        switch future {
        case .success(let future): completeWith(context: context, future: future)
        case .failure(let error): failure(error)
        }
    }
}

extension Future {
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
}
