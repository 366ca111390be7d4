import Glibc
import Synchronization

/// Knows to which air a task belongs that is ready and has no executor of its own.
///
/// It is the air's if it became ready while that air's tasks ran, on their thread, or if it was the air's before. Everybody
/// else's tasks go where they would have gone.
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
        let outer = pthread_getspecific(key)
        pthread_setspecific(key, Unmanaged.passUnretained(executor).toOpaque())
        defer { pthread_setspecific(key, outer) }
        return try body()
    }

    /// Lets go of the task that runs here, which goes elsewhere now.
    static func release(from executor: AirExecutor) {
        withUnsafeCurrentTask { task in
            if let task { executor.tasks.withLock { $0.remove(TaskID(task)) } }
        }
        if current === executor { pthread_setspecific(key, nil) }
    }

    /// The executor of an air that there is now.
    static func add(_ executor: AirExecutor) { executors.withLock { $0.append(executor) } }

    /// An air is no more.
    static func forget(_ executor: AirExecutor) { executors.withLock { $0.removeAll { $0 === executor } } }

    /// Where a task goes that is ready; nil if it is no air's.
    static func owner(of job: UnownedJob) -> AirExecutor? {
        let task = TaskID(job)
        guard let current else {
            // The air that was made last may be one within another.
            return executors.withLock { $0.last { $0.tasks.withLock { $0.contains(task) } } }
        }
        guard current.capturesTasks else { return nil }
        current.tasks.withLock { $0.insert(task) }
        return current
    }

    private static let executors = Mutex<[AirExecutor]>([])

    private static let key = {
        var key = pthread_key_t()
        let result = pthread_key_create(&key, nil)
        precondition(result == 0, "this process has no more thread-specific keys")
        return key
    }()
}
