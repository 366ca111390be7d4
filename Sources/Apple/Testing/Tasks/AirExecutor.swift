import Dispatch
import Foundation
import Synchronization

/// Runs the tasks of one test, one after the other in the order in which they became ready, so that the same test does
/// the same each time. Those of the main actor take their turn on the main thread.
///
/// Structured tasks get here since the test's task prefers this executor. Unstructured ones, which a preference does
/// not reach, get here by `TaskCapture`.
final class AirExecutor: TaskExecutor {
    private struct State {
        var line = JobLine()
        /// The thread that runs tasks, or holds them back.
        var runner: pthread_t?
        /// Whether a thread is about to run them.
        var isCalled = false
        /// The task that waits until no other is ready.
        var waiter: CheckedContinuation<Void, Never>?
    }

    private enum Turn {
        case job(JobLine.Job)
        case waiter(CheckedContinuation<Void, Never>)
    }

    /// Whether unstructured tasks are to come here, too.
    let capturesTasks: Bool
    /// Those that were here and have no preference for it.
    let tasks = Mutex(TaskSet())
    let standstill = StandstillWatch()
    private let queue = DispatchQueue(label: "bluethroat.air")
    private let state = Mutex(State())
    /// Entered by the runner.
    private let running = DispatchGroup()

    init(capturesTasks: Bool) {
        self.capturesTasks = capturesTasks
        guard capturesTasks else { return }
        RuntimeHooks.install
        TaskCapture.add(self)
    }

    func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }

    /// A task is ready.
    func add(_ job: UnownedJob, ofMainActor: Bool = false) {
        state.withLock { $0.line.append(JobLine.Job(job: job, isMainActors: ofMainActor)) }
        callSomebody()
    }

    /// Whether a task is ready.
    var isReady: Bool { state.withLock { $0.line.first != nil } }

    /// Whether nothing runs, and nothing will by itself.
    var isIdle: Bool {
        state.withLock { $0.runner == nil && !$0.isCalled && $0.line.first == nil && $0.waiter == nil }
    }

    /// How many tasks have become ready so far.
    var addedCount: Int { state.withLock { $0.line.addedCount } }

    /// Returns when every task that was ready has gone as far as it could.
    func settle() async {
        await withCheckedContinuation { continuation in
            state.withLock { state in
                precondition(state.waiter == nil, "two tasks run one air at once")
                state.waiter = continuation
            }
            callSomebody()
        }
    }

    /// The same for code that cannot be suspended, and holds the tasks back. Where that is a task of this executor, others
    /// run from within it.
    func settleNow() {
        precondition(isHere, "tasks are run by nobody but who holds them back")
        while let job = state.withLock({ $0.line.removeFirst() }) {
            guard job.isMainActors, !Thread.isMainThread else {
                run(job)
                continue
            }
            DispatchQueue.main.sync {
                let outer = state.withLock { state in swap(&state.runner, with: pthread_self()) }
                run(job)
                state.withLock { $0.runner = outer }
            }
        }
    }

    /// Does something that no task runs beside; those that become ready by it wait until it is over.
    func hold<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        if isHere { return try TaskCapture.enter(self, body) }
        while !begin() { running.wait() }
        defer { end() }
        return try TaskCapture.enter(self, body)
    }

    /// Whether this is the thread on which the tasks run at the moment.
    var isHere: Bool { state.withLock { $0.runner.map { pthread_equal($0, pthread_self()) != 0 } ?? false } }

    // MARK: Turns

    /// Has the tasks run, unless that is being done.
    private func callSomebody() {
        let isMainActors: Bool? = state.withLock { state in
            guard state.runner == nil, !state.isCalled else { return nil }
            guard state.line.first != nil || state.waiter != nil else { return nil }
            state.isCalled = true
            return state.line.first?.isMainActors ?? false
        }
        guard let isMainActors else { return }
        (isMainActors ? DispatchQueue.main : queue).async {
            self.state.withLock { $0.isCalled = false }
            if self.begin() {
                self.takeTurns(ofMainActor: isMainActors)
                self.end()
            }
        }
    }

    private func begin() -> Bool {
        state.withLock { state in
            guard state.runner == nil else { return false }
            state.runner = pthread_self()
            running.enter()
            return true
        }
    }

    private func end() {
        state.withLock { $0.runner = nil }
        running.leave()
        callSomebody()
        if isIdle { standstill.notice(self) }
    }

    /// Runs what is ready, until the next has to run on another thread.
    private func takeTurns(ofMainActor: Bool) {
        while let turn = nextTurn(ofMainActor: ofMainActor) {
            switch turn {
            case .job(let job): run(job)
            case .waiter(let waiter): TaskCapture.enter(self) { waiter.resume() }
            }
        }
    }

    private func nextTurn(ofMainActor: Bool) -> Turn? {
        state.withLock { state in
            if let first = state.line.first {
                guard first.isMainActors == ofMainActor else { return nil }
                return state.line.removeFirst().map(Turn.job)
            }
            defer { state.waiter = nil }
            return state.waiter.map(Turn.waiter)
        }
    }

    private func run(_ job: JobLine.Job) {
        TaskCapture.enter(self) {
            if job.isMainActors {
                job.job.runSynchronously(on: MainActorExecutor.shared.asUnownedSerialExecutor())
            } else {
                job.job.runSynchronously(on: asUnownedTaskExecutor())
            }
        }
    }
}

/// Puts something in the place of something else, which it returns.
private func swap<Value>(_ place: inout Value, with new: Value) -> Value {
    defer { place = new }
    return place
}
