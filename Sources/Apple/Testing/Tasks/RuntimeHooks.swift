import Dispatch
import Glibc

/// Where Swift's runtime asks before it gives a task to its pool, and for the executor of the main actor.
///
/// There is one of each in a process. They are not part of the runtime's documented interface; where it has none, tasks
/// go where they do without. Tasks that are no air's do so in any case.
enum RuntimeHooks {
    /// Done once.
    static let install: Void = {
        if let hook = dlsym(nil, "swift_task_enqueueGlobal_hook") {
            hook.assumingMemoryBound(to: PoolHook?.self).pointee = { job, original in
                guard let executor = TaskCapture.owner(of: job) else { return original(job) }
                executor.add(job)
            }
        }
        // The runtime has to know the executor as the main actor's before it is given it.
        guard let isMain = dlsym(nil, "swift_task_isMainExecutor_hook"),
            let main = dlsym(nil, "swift_task_getMainExecutor_hook")
        else { return }
        isMain.assumingMemoryBound(to: IsMainHook?.self).pointee = { executor, original in
            MainActorExecutor.shared.isSame(as: executor) || original(executor)
        }
        main.assumingMemoryBound(to: MainHook?.self).pointee = { _ in MainActorExecutor.shared.asUnownedSerialExecutor()
        }
    }()

    private typealias Pool = @convention(thin) (UnownedJob) -> Void
    private typealias PoolHook = @convention(thin) (UnownedJob, Pool) -> Void
    private typealias Main = @convention(thin) () -> UnownedSerialExecutor
    private typealias MainHook = @convention(thin) (Main) -> UnownedSerialExecutor
    private typealias IsMain = @convention(thin) (UnownedSerialExecutor) -> Bool
    private typealias IsMainHook = @convention(thin) (UnownedSerialExecutor, IsMain) -> Bool
}

/// The main actor's tasks: each on the main queue, those of an air when it is their turn there.
final class MainActorExecutor: SerialExecutor {
    static let shared = MainActorExecutor()

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if let owner = TaskCapture.owner(of: job) { return owner.add(job, ofMainActor: true) }
        DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() { dispatchPrecondition(condition: .onQueue(.main)) }

    /// Whether an executor is this one, asked by its address since the runtime does not keep its type.
    func isSame(as executor: UnownedSerialExecutor) -> Bool {
        let identity = withUnsafeBytes(of: executor) { $0.load(as: UnsafeMutableRawPointer?.self) }
        return identity == Unmanaged.passUnretained(self).toOpaque()
    }
}
