/// Futures and tasks.
extension Future {
    /// What the future is completed with, when it is. Waiting ends with `CancellationError` when the task is cancelled;
    /// the future goes on, as others may wait for it, too.
    public var value: T {
        get async throws {
            let waiter = Waiter<T>()
            let token = CancelToken()
            let future = Unchecked(value: self)
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    guard waiter.begin(continuation) else { return }
                    onComplete(context: ImmediateContext(), cancelToken: token) { waiter.end($0) }
                    // It may have been cancelled in between.
                    if waiter.isOver { _ = cancel(token) }
                }
            } onCancel: {
                waiter.end(.failure(CancellationError()))
                _ = future.value.cancel(token)
            }.value
        }
    }

    /// Stops what brings the value about, if that is a task: it is cancelled, and the future is completed with whatever
    /// the task makes of it. False if there is nothing to stop.
    @discardableResult
    public func cancel() -> Bool {
        guard let stop = takeStop() else { return false }
        stop()
        return true
    }
}

extension Future where T: Sendable {
    /// A future of what an asynchronous closure returns or throws: `Future { try await load() }`.
    ///
    /// The closure begins soon, as in a `Task` that is made here. `cancel()` cancels that task.
    public convenience init(
        priority: TaskPriority? = nil,
        @_inheritActorContext _ operation: sending @escaping @isolated(any) () async throws -> T
    ) {
        self.init()
        let task = Task(priority: priority) {
            do { success(try await operation()) } catch { failure(error) }
        }
        canBeStopped { task.cancel() }
    }

    /// The same for a closure that waits for nothing.
    public convenience init(
        priority: TaskPriority? = nil,
        @_inheritActorContext _ operation: sending @escaping @isolated(any) () throws -> T
    ) {
        self.init()
        let task = Task(priority: priority) {
            do { success(try await operation()) } catch { failure(error) }
        }
        canBeStopped { task.cancel() }
    }
}
