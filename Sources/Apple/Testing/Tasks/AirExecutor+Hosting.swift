extension AirExecutor {
    /// Runs code of a task here, and what belongs to it; then the task is let go.
    ///
    /// To prefer an executor is not enough: what is not switched to another one goes on where it is, and what it makes
    /// there is the pool's, or that of an air that is over.
    func host<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        do {
            let result = try await withTaskExecutorPreference(self) {
                await arrive()
                return try await body()
            }
            await leave()
            return result
        } catch {
            await leave()
            throw error
        }
    }

    // A concurrent function runs on the executor that its task prefers; what it looks at is known only there.
    @concurrent
    private func arrive() async { precondition(isHere, "a task does not run where it prefers to") }

    private func leave() async {
        standstill.end()
        TaskCapture.release(from: self)
        await depart()
    }

    @concurrent
    private func depart() async { precondition(!isHere, "a task cannot leave its air") }
}
