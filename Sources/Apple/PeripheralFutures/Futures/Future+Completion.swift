/// Completing a future as something else is.
extension Future {
    public func completeWith(context: any ExecutionContext = QueueContext.futuresDefault, future: Future<T>) {
        // A result that is there already needs no callback.
        if type(of: context) == ImmediateContext.self, let result = future.result { return complete(result) }
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
