import BluethroatSimulation
import BluethroatVirtualTime

/// Time for tests that are asynchronous: after everything that happens, the tasks that it made ready run until all of
/// them wait again.
extension Air {
    /// The air's time, for tasks that sleep.
    public var clock: AirClock { AirClock(timeline: timeline) }

    /// Where the test's tasks run, for unstructured ones that are to run there by all means:
    /// `Task(executorPreference: air.taskExecutor) { … }`.
    public var taskExecutor: any TaskExecutor { executor }

    /// Lets the tasks that are ready run until all of them wait, without letting time pass.
    public func settle() async {
        settlings += 1
        for round in 0..<Self.mainQueueRounds {
            await executor.settle()
            let count = executor.addedCount
            // What apps have left on the main queue comes before this turn.
            await MainActor.run {}
            // This task went there and came back.
            guard executor.addedCount > count + 2 || round == 0 || !executor.capturesTasks else { return }
        }
        await executor.settle()
    }

    /// How often what runs on the main queue may put something there before that is left behind.
    private static let mainQueueRounds = 6

    /// Lets so much time pass.
    public func run(for span: Duration) async {
        _ = await steps(for: span) { false }
    }

    /// Lets time pass until something holds, which is looked at after everything that happens; no longer than `limit`.
    ///
    /// - Parameters:
    ///   - condition: what has to hold.
    ///   - limit: how much time passes at most.
    ///   - what: what is waited for, if the line of code does not say it well enough.
    ///   - fileID: where a failure is reported; as `filePath` and `line` the place of the call.
    ///   - filePath: the file of that place.
    ///   - line: the line of that place.
    /// - Throws: `AirTimeout`, which says what was waited for and what was heard instead; or what the condition throws.
    public func run(
        until condition: @autoclosure () throws -> Bool,
        within limit: Duration = .seconds(30),
        _ what: String? = nil,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line
    ) async throws {
        let start = now
        if try await steps(for: limit, until: { try condition() }) { return }
        throw AirTimeout(
            self,
            since: start,
            limit: limit,
            what,
            CodePlace(fileID: fileID, filePath: filePath, line: line)
        )
    }

    /// The same for conditions that are more than an expression, or have to be awaited: `try await air.run { await
    /// app.isReady }`.
    public func run(
        within limit: Duration = .seconds(30),
        _ what: String? = nil,
        fileID: String = #fileID,
        filePath: String = #filePath,
        line: Int = #line,
        until condition: () async throws -> Bool
    ) async throws {
        let start = now
        if try await steps(for: limit, until: condition) { return }
        throw AirTimeout(
            self,
            since: start,
            limit: limit,
            what,
            CodePlace(fileID: fileID, filePath: filePath, line: line)
        )
    }

    private func steps(for span: Duration, until condition: () async throws -> Bool) async rethrows -> Bool {
        let end = max(world.now, world.now.advanced(by: span))
        beginRun()
        await settle()
        exclusively { step(to: world.now) }
        await settle()
        while true {
            if try await condition() { return true }
            guard let next = exclusively({ nextStep(notAfter: end) }) else { return false }
            exclusively { step(to: next) }
            guard hasCalled || executor.isReady else { continue }
            hasCalled = false
            await settle()
        }
    }
}
