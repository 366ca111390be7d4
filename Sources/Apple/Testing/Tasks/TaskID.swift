import Glibc

/// The number of a task, which no other has during the life of the process, as its address may.
struct TaskID: Hashable {
    private let number: UInt64

    fileprivate var chunk: UInt64 { number >> 6 }

    fileprivate var bit: UInt64 { 1 << (number & 63) }

    init(_ job: UnownedJob) { number = Self.ofJob(job) }

    /// The task that runs.
    init(_ task: UnsafeCurrentTask) { self.init(unsafeBitCast(task, to: UnownedJob.self)) }

    private typealias OfJob = @convention(thin) (UnownedJob) -> UInt64

    private static let ofJob: OfJob = {
        guard let symbol = dlsym(nil, "swift_task_getJobTaskId") else {
            return { UInt64(unsafeBitCast($0, to: UInt.self)) }
        }
        return unsafeBitCast(symbol, to: OfJob.self)
    }()
}

/// Many tasks, in little room: most of those that a test makes have numbers that follow each other.
struct TaskSet {
    private var chunks: [UInt64: UInt64] = [:]

    func contains(_ task: TaskID) -> Bool { (chunks[task.chunk] ?? 0) & task.bit != 0 }

    mutating func insert(_ task: TaskID) { chunks[task.chunk, default: 0] |= task.bit }

    mutating func remove(_ task: TaskID) { chunks[task.chunk]? &= ~task.bit }
}
