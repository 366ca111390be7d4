import Dispatch
import Glibc
import Synchronization

/// Runs the tasks of one test, one after the other in the order in which they became ready, so that the same test does
/// the same each time.
///
/// Structured tasks get here since the test's task prefers this executor. Unstructured ones, which a preference does
/// not reach, get here by `TaskCapture` where they are made, or made ready again, by a task that is here.
final class AirExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        /// The jobs before this one are done.
        var next = 0
        var isDraining = false
        /// Where the tasks run, while some do.
        var thread: pthread_t?
        /// Who waits until no other task is ready.
        var waiter: CheckedContinuation<Void, Never>?
    }

    private enum Turn {
        case job(UnownedJob)
        case waiter(CheckedContinuation<Void, Never>)
        case nothing
    }

    /// Whether unstructured tasks are to come here, too.
    let capturesTasks: Bool
    private let queue = DispatchQueue(label: "bluethroat.air")
    private let state = Mutex(State())

    init(capturesTasks: Bool) { self.capturesTasks = capturesTasks }

    func enqueue(_ job: consuming ExecutorJob) { add(UnownedJob(job)) }

    /// A task is ready.
    func add(_ job: UnownedJob) {
        start { $0.jobs.append(job) }
    }

    /// Whether a task is ready.
    var isReady: Bool { state.withLock { $0.next < $0.jobs.count } }

    /// Returns when every task that was ready has gone as far as it could.
    func settle() async {
        await withCheckedContinuation { continuation in
            start { state in
                precondition(state.waiter == nil, "two tasks run one air at once")
                state.waiter = continuation
            }
        }
    }

    /// The same for code that cannot be suspended. Where that is a task of this executor, others run from within it.
    func settleNow() {
        guard isHere else { return queue.sync {} }
        while case .job(let job) = turn(takingWaiters: false) { job.runSynchronously(on: asUnownedTaskExecutor()) }
    }

    /// Whether this is the thread on which the tasks run.
    var isHere: Bool { state.withLock { $0.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false } }

    private func start(_ change: (inout State) -> Void) {
        let isMine = state.withLock { state in
            change(&state)
            defer { state.isDraining = true }
            return !state.isDraining
        }
        if isMine { queue.async { self.drain() } }
    }

    private func drain() {
        state.withLock { $0.thread = pthread_self() }
        TaskCapture.enter(self) {
            while true {
                switch turn(takingWaiters: true) {
                case .job(let job): job.runSynchronously(on: asUnownedTaskExecutor())
                case .waiter(let waiter): waiter.resume()
                case .nothing: return
                }
            }
        }
    }

    private func turn(takingWaiters: Bool) -> Turn {
        state.withLock { state in
            if state.next < state.jobs.count {
                let job = state.jobs[state.next]
                state.next += 1
                if state.next == state.jobs.count {
                    state.jobs.removeAll(keepingCapacity: true)
                    state.next = 0
                }
                return .job(job)
            }
            guard takingWaiters else { return .nothing }
            if let waiter = state.waiter {
                state.waiter = nil
                return .waiter(waiter)
            }
            state.isDraining = false
            state.thread = nil
            return .nothing
        }
    }
}
