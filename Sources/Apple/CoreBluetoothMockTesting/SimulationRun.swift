import BluethroatTesting
import CoreBluetoothMock
import Foundation
import XCTest

/// Lets time pass in a simulation while its test waits.
///
/// A test that is not asynchronous waits by a call, and time passes within it. Where the test is a task, another task lets
/// time pass from event to event, each time when all others wait; then it looks who has waited long enough.
///
/// `@unchecked Sendable`: what is not constant is behind a lock.
final class SimulationRun: @unchecked Sendable {
    private struct State {
        var waits: [TaskWait] = []
        /// Until when tasks sleep.
        var sleeps: [UUID: Duration] = [:]
        /// Whether the task is there that lets time pass.
        var isRunning = false
        var isOver = false
        /// Whether a call waits, which lets time pass itself.
        var isWithinCall = false
        /// How often tasks had settled when the main thread was last known to await one: until some are ready again, it does.
        var awaitedCount: Int?
        /// Those that the test case would keep.
        var expectations: [XCTestExpectation] = []
    }

    /// A task that waits for something, no longer than until an instant of the air's time.
    struct TaskWait {
        let id: UUID
        let deadline: Duration
        let isFulfilled: () -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    @TaskLocal
    static var current: SimulationRun?

    let air: Air
    /// Whether the main thread runs the test, and serves the main queue when it awaits a task of it.
    private let isOnMainThread: Bool
    private let lock = NSLock()
    private var state = State()

    /// How far time goes while nobody waits for anything that has an end.
    private static let stretch = Duration.seconds(60)
    /// How often the main queue is served before the main thread is taken to be awaiting a task.
    private static let turns = 3
    /// A test for which nothing comes for so long is left to stand still.
    private static let limit = Duration.seconds(3_600)

    init(_ air: Air, onMainThread: Bool = false) {
        self.air = air
        isOnMainThread = onMainThread
    }

    private func change<Answer>(_ body: (inout State) -> Answer) -> Answer {
        lock.lock()
        defer { lock.unlock() }
        return body(&state)
    }

    /// What apps have left on their queues, and on the main queue, is done before time goes on.
    private func settleQueues() {
        guard air.isStirred else { return }
        for _ in 0..<2 {
            CBMCentralManagerMock.settleQueues()
            guard Thread.isMainThread else { return }
            _ = RunLoop.main.run(mode: .default, before: Date())
        }
    }

    func keep(_ expectation: XCTestExpectation) { change { $0.expectations.append(expectation) } }

    /// Those are waited for, and not once more.
    func forget(_ expectations: [XCTestExpectation]) {
        change { state in state.expectations.removeAll { expectations.contains($0) } }
    }

    func takeExpectations() -> [XCTestExpectation] {
        change { state in
            defer { state.expectations = [] }
            return state.expectations
        }
    }

    // MARK: Calls

    /// Lets time pass in this call until something holds, no longer than for a while. True if it holds.
    func wait(for span: Duration, until isFulfilled: () -> Bool) -> Bool {
        change { $0.isWithinCall = true }
        defer { change { $0.isWithinCall = false } }
        do {
            try air.run(within: max(.zero, span)) {
                settleQueues()
                return isFulfilled()
            }
            return true
        } catch {
            settleQueues()
            return isFulfilled()
        }
    }

    // MARK: Tasks

    /// Returns when something holds, or after a while of the air's time.
    func wait(for span: Duration, until isFulfilled: @escaping () -> Bool) async {
        begin()
        let deadline = air.now + max(.zero, span)
        await withCheckedContinuation { continuation in
            let wait = TaskWait(id: UUID(), deadline: deadline, isFulfilled: isFulfilled, continuation: continuation)
            change { $0.waits.append(wait) }
        }
    }

    /// Returns after a while of the air's time, or throws when the task is cancelled.
    func sleep(for span: Duration) async throws {
        begin()
        let id = UUID(), deadline = air.now + max(.zero, span)
        change { $0.sleeps[id] = deadline }
        defer { change { $0.sleeps[id] = nil } }
        try await air.clock.sleep(for: span)
    }

    /// Has time pass whenever all tasks wait, from now on.
    func begin() {
        let isFirst = change { state in
            guard !state.isRunning, !state.isOver, !state.isWithinCall else { return false }
            state.isRunning = true
            return true
        }
        guard isFirst else { return }
        Task { [self] in await run() }
    }

    func end() { change { $0.isOver = true } }

    private func run() async {
        var quiet = air.now
        while !change(\.isOver), air.now - quiet < Self.limit {
            let now = air.now
            let next = change { state in
                (state.waits.map(\.deadline) + state.sleeps.values.filter { $0 > now }).min()
            }
            let span = next.map { max(.zero, $0 - air.now) } ?? Self.stretch
            let count = change(\.waits.count)
            // Until somebody has waited long enough, or somebody else has begun to wait.
            let isDone: () async -> Bool = { [self] in
                await untilAwaited()
                settleQueues()
                return release() || change { $0.isOver || $0.waits.count != count }
            }
            await untilAwaited()
            try? await air.run(within: span, until: isDone)
            if release() || next != nil { quiet = air.now }
        }
        change { $0.isRunning = false }
    }

    /// Returns when the main thread awaits a task that waits itself; at once where another thread runs the test.
    ///
    /// XCTest awaits the asynchronous set-up of each test, also of those that then wait by calls. While the main thread
    /// goes on, or waits within a call, time is not to pass by a task. After what its task was ready for, the thread serves its queue
    /// once more at most.
    private func untilAwaited() async {
        guard isOnMainThread, change(\.awaitedCount) != air.settlings else { return }
        var turns = 0
        while turns < Self.turns, !change(\.isOver) {
            await air.settle()
            let isWithinCall = await MainActor.run { change(\.isWithinCall) }
            turns = isWithinCall ? 0 : turns + 1
        }
        let count = air.settlings
        change { $0.awaitedCount = count }
    }

    /// Lets those go on who have waited long enough; true if there are any.
    private func release() -> Bool {
        let now = air.now
        let open = change(\.waits)
        let done = open.filter { $0.deadline <= now || $0.isFulfilled() }
        guard !done.isEmpty else { return false }
        change { state in state.waits.removeAll { wait in done.contains { $0.id == wait.id } } }
        for wait in done { wait.continuation.resume() }
        return true
    }
}
