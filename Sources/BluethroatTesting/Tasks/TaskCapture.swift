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

    private static let key = {
        var key = pthread_key_t()
        let result = pthread_key_create(&key, nil)
        precondition(result == 0, "this process has no more thread-specific keys")
        return key
    }()

    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    /// Done once. Where the runtime has no such hooks unstructured tasks go to the pool, as they do without them.
    private static let install: Void = {
        if let symbol = dlsym(nil, "swift_task_enqueueGlobal_hook") {
            symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
                if let executor = TaskCapture.current, executor.capturesTasks {
                    executor.add(job)
                } else {
                    original(job)
                }
            }
        }
        if let symbol = dlsym(nil, "swift_task_enqueueMainExecutor_hook") {
            symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
                if let executor = TaskCapture.current { executor.addMainStep(job) } else { original(job) }
            }
        }
    }()
}
