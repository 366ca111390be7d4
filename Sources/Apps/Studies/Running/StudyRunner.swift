import Synchronization

/// Where the worlds of a study are computed: on threads of this process, or elsewhere.
///
/// A runner that passes tasks to other processes has only to send `StudyTask.number`: each process has the same work, and
/// outcomes are `Codable`.
public protocol StudyRunner: Sendable {
    /// Computes these tasks, in any order, and calls `finished` once for each as soon as its outcome is there, on any
    /// thread but never twice at once.
    ///
    /// - Parameter goesOn: hears which share of all is done, 0 to 1; false ends the run.
    /// - Returns: false if it was ended before all were computed.
    /// - Throws: what `compute` or `finished` threw; the others are ended.
    func run<Work: StudyWork>(
        _ tasks: [StudyTask],
        of work: Work,
        goesOn: @escaping @Sendable (_ share: Double) -> Bool,
        finished: @escaping @Sendable (StudyTask, Work.Outcome) throws -> Void
    ) throws -> Bool
}

extension StudyRunner {
    /// The outcomes of all tasks, in their order; nil if `goesOn` has said no.
    public func outcomes<Work: StudyWork>(
        of work: Work,
        goesOn: @escaping @Sendable (_ share: Double) -> Bool
    ) throws -> [Work.Outcome]? {
        let tasks = work.tasks
        let collected = Collected<Work.Outcome>(count: tasks.count)
        let isWhole = try run(tasks, of: work, goesOn: goesOn) { task, outcome in
            collected.outcomes.withLock { $0[task.number] = outcome }
        }
        let outcomes = collected.outcomes.withLock { $0.compactMap(\.self) }
        return isWhole && outcomes.count == tasks.count ? outcomes : nil
    }
}

private final class Collected<Outcome: Sendable>: Sendable {
    let outcomes: Mutex<[Outcome?]>

    init(count: Int) { outcomes = Mutex(Array(repeating: nil, count: count)) }
}
