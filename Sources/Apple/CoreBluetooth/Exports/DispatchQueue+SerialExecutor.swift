/// On Apple's systems an actor may run on a `DispatchSerialQueue`, which lets delegate callbacks assume its isolation.
extension DispatchQueue: @retroactive Executor {}
extension DispatchQueue: @retroactive SerialExecutor {
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    public func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

    /// Stops the process if the caller is not on this queue.
    public func checkIsolated() { dispatchPrecondition(condition: .onQueue(self)) }
}
