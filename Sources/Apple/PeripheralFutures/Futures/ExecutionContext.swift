internal import Foundation

/// Where the callbacks of futures run.
public protocol ExecutionContext {
    func execute(_ task: @escaping () -> Void)
}

/// Runs callbacks at once, wherever a future is completed.
///
/// Callbacks that complete futures whose callbacks complete futures, and so on without end, do not fill the stack: from
/// some depth on they run one after the other.
open class ImmediateContext: ExecutionContext, @unchecked Sendable {
    public init() {}

    open func execute(_ task: @escaping () -> Void) { task() }
}

/// Runs callbacks at once, as long as not too many of them run within each other; then on the global queue.
public struct MaxStackDepthContext: ExecutionContext, Sendable {
    public let maxDepth: Int

    public init(maxDepth: Int = 20) { self.maxDepth = maxDepth }

    public func execute(_ task: @escaping () -> Void) {
        let turns = Turns.ofThisThread
        guard turns.immediateDepth < maxDepth else { return QueueContext.global.execute(task) }
        turns.immediateDepth += 1
        defer { turns.immediateDepth -= 1 }
        task()
    }
}

/// Runs callbacks on a queue, after whatever runs there now.
///
/// In a world of virtual time the queue is entered on the thread that runs the world, at the same instant and in the
/// order of the calls.
public struct QueueContext: ExecutionContext, Sendable {
    public static let main = QueueContext(queue: Queue.main)
    public static let global = QueueContext(queue: Queue.global)

    /// Where callbacks run for which nothing else was said: the main queue, unless it is set.
    public static var futuresDefault: QueueContext {
        get { usualContext.withLock { $0 } }
        set { usualContext.withLock { $0 = newValue } }
    }

    public let queue: Queue

    public init(queue: Queue) { self.queue = queue }

    public func execute(_ task: @escaping () -> Void) { queue.async(task) }
}

private let usualContext = Guarded(QueueContext.main)
