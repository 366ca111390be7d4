import Dispatch
import Synchronization

/// Computes worlds side by side, on threads of this process.
public struct ThreadedRunner: StudyRunner {
    /// How many worlds are computed at once; at least 1.
    public var threads: Int

    public init(threads: Int) { self.threads = threads }

    public func run<Work: StudyWork>(
        _ tasks: [StudyTask],
        of work: Work,
        goesOn: @escaping @Sendable (_ share: Double) -> Bool,
        finished: @escaping @Sendable (StudyTask, Work.Outcome) throws -> Void
    ) throws -> Bool {
        let board = TaskBoard(tasks, work, goesOn, finished)
        DispatchQueue.concurrentPerform(iterations: max(1, min(threads, tasks.count))) { _ in board.work() }
        return try board.isWhole()
    }
}

/// Where threads fetch what is to be done next and leave what has come of it.
private final class TaskBoard<Work: StudyWork>: Sendable {
    private struct State {
        var next = 0
        var finished = 0
        /// The effort that is done, of each task, and of all together.
        private(set) var done: [Double]
        private(set) var allDone = 0.0
        var isCancelled = false
        /// Of the first task that failed, in the order of tasks.
        var failure: (place: Int, error: any Error)?

        init(tasks: Int) { done = Array(repeating: 0, count: tasks) }

        mutating func note(_ effort: Double, of place: Int) {
            allDone += effort - done[place]
            done[place] = effort
        }
    }

    private let tasks: [StudyTask]
    private let computed: Work
    private let goesOn: @Sendable (Double) -> Bool
    private let finished: @Sendable (StudyTask, Work.Outcome) throws -> Void
    private let total: Double
    private let state: Mutex<State>
    /// `finished` is never called twice at once.
    private let reporting = Mutex(())

    init(
        _ tasks: [StudyTask],
        _ work: Work,
        _ goesOn: @escaping @Sendable (Double) -> Bool,
        _ finished: @escaping @Sendable (StudyTask, Work.Outcome) throws -> Void
    ) {
        self.tasks = tasks
        computed = work
        self.goesOn = goesOn
        self.finished = finished
        total = tasks.map(\.effort).reduce(0, +)
        state = Mutex(State(tasks: tasks.count))
    }

    /// Whether all tasks were computed.
    func isWhole() throws -> Bool {
        let (failure, isWhole) = state.withLock { ($0.failure?.error, $0.finished == tasks.count) }
        if let failure { throw failure }
        return isWhole
    }

    func work() {
        while let place = takeNext() {
            do {
                guard let outcome = try computed.compute(tasks[place], goesOn: { note($0, of: place) }) else {
                    return state.withLock { $0.isCancelled = true }
                }
                try reporting.withLock { _ in try finished(tasks[place], outcome) }
                state.withLock { state in
                    state.finished += 1
                    state.note(tasks[place].effort, of: place)
                }
            } catch {
                state.withLock { state in
                    state.isCancelled = true
                    if place < state.failure?.place ?? .max { state.failure = (place, error) }
                }
            }
        }
    }

    private func takeNext() -> Int? {
        state.withLock { state in
            guard state.next < tasks.count, !state.isCancelled else { return nil }
            state.next += 1
            return state.next - 1
        }
    }

    private func note(_ share: Double, of place: Int) -> Bool {
        let done = state.withLock { state -> Double? in
            state.note(share * tasks[place].effort, of: place)
            return state.isCancelled ? nil : min(1, state.allDone / total)
        }
        guard let done, goesOn(done) else {
            state.withLock { $0.isCancelled = true }
            return false
        }
        return true
    }
}
