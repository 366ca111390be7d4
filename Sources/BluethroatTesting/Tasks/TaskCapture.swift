import Dispatch
import Glibc
import Synchronization

/// Catches tasks without an executor of their own that become ready on a thread on which an air's tasks run.
///
/// The runtime asks a hook before it gives such a task to its pool. There is one hook in a process; on all threads but
/// those of airs it does nothing.
enum TaskCapture {
    /// The executor to which tasks go that become ready on this thread.
    static var current: AirExecutor? {
        guard let pointer = pthread_getspecific(key) else { return nil }
        return Unmanaged<AirExecutor>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Runs something whose tasks are an executor's.
    static func enter<Result, Failure: Error>(
        _ executor: AirExecutor,
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if executor.capturesTasks { install }
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, Unmanaged.passUnretained(executor).toOpaque())
        defer { pthread_setspecific(key, outer) }
        return try body()
    }

    /// Where a task goes that is ready: to the air on whose thread it became so, else to the one where it was before,
    /// else, from the main actor, to the one that gives that actor its turn.
    private static func executor(for job: UnownedJob) -> AirExecutor? {
        let task = unsafeBitCast(job, to: UInt.self)
        guard let executor = current else { return known.withLock { $0[task] } ?? currentOnMainActor }
        known.withLock { $0[task] = executor }
        return executor
    }

    /// Tasks that were somebody's, by their address. One that has ended may give its address to a stranger, whom it does no
    /// harm to be run here.
    private static let known = Mutex<[UInt: AirExecutor]>([:])

    /// The executor that gives the main actor a turn at the moment. A task of that actor that is seen for the first time is
    /// most likely its own; if not, it is there for one step only.
    private static var currentOnMainActor: AirExecutor? {
        guard DispatchQueue.getSpecific(key: mainQueue) == true else { return nil }
        return mainActorsExecutor.withLock { $0 }
    }

    static func takeMainActor(for executor: AirExecutor) { mainActorsExecutor.withLock { $0 = executor } }

    static func leaveMainActor(_ executor: AirExecutor) {
        mainActorsExecutor.withLock { if $0 === executor { $0 = nil } }
    }

    /// An air is no more.
    static func forget(_ executor: AirExecutor) {
        leaveMainActor(executor)
        known.withLock { known in known = known.filter { $0.value !== executor } }
    }

    private static let mainActorsExecutor = Mutex<AirExecutor?>(nil)
    private static let mainQueue = DispatchSpecificKey<Bool>()

    private static let key = {
        var key = pthread_key_t()
        let result = pthread_key_create(&key, nil)
        precondition(result == 0, "this process has no more thread-specific keys")
        return key
    }()

    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    /// Done once. Where the runtime has no such hook unstructured tasks go to the pool, as they do without it.
    private static let install: Void = {
        DispatchQueue.main.setSpecific(key: mainQueue, value: true)
        if let symbol = dlsym(nil, "swift_task_enqueueGlobal_hook") {
            symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
                if let executor = TaskCapture.executor(for: job), executor.capturesTasks {
                    executor.add(job)
                } else {
                    original(job)
                }
            }
        }
    }()
}
