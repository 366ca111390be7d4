/// Events that come from elsewhere.
extension FutureStream {
    func completeWith(context: any ExecutionContext = QueueContext.futuresDefault, stream: FutureStream<T>) {
        stream.onComplete(context: context) { self.complete($0) }
    }

    func completeWith(context: any ExecutionContext = QueueContext.futuresDefault, future: Future<T>) {
        future.onComplete(context: context) { self.complete($0) }
    }

    public func completeWith(
        context: any ExecutionContext = QueueContext.futuresDefault,
        stream: Try<FutureStream<T>>
    ) {
        switch stream {
        case .success(let stream): completeWith(context: context, stream: stream)
        case .failure(let error): failure(error)
        }
    }

    public func completeWith(context: any ExecutionContext = QueueContext.futuresDefault, future: Try<Future<T>>) {
        switch future {
        case .success(let future): completeWith(context: context, future: future)
        case .failure(let error): failure(error)
        }
    }
}
