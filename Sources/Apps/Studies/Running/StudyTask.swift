/// One world of a study: what it follows from, and about how much there is to compute.
public struct StudyTask: Hashable, Sendable, Codable {
    /// Its place among the tasks of its study.
    public let number: Int
    /// Everything that its outcome follows from, as text: parameters and seed. Equal keys have equal outcomes, in every
    /// process and on every machine, so that a finished one need not be computed again.
    public let key: String
    /// About how much there is to compute, compared with the other tasks; more than 0.
    public let effort: Double

    public init(number: Int, key: String, effort: Double) {
        self.number = number
        self.key = key
        self.effort = effort
    }
}

/// What a study computes: worlds that know nothing of each other.
///
/// It is a value, so that every thread, process or machine that computes some of it can have one of its own.
public protocol StudyWork: Sendable {
    /// What comes of one world.
    associatedtype Outcome: Codable & Sendable

    /// The worlds, numbered from 0 in their order.
    var tasks: [StudyTask] { get }

    /// Computes one world on the calling thread. Its outcome follows from the task's key alone.
    ///
    /// - Parameter goesOn: hears now and then which share of it is done, 0 to 1; false ends it.
    /// - Returns: nil if it was ended.
    func compute(_ task: StudyTask, goesOn: (_ share: Double) -> Bool) throws -> Outcome?

    /// Whether a task can have come to this. What was kept in a file anybody may have written since; an outcome that is possible
    /// makes no report trap, whatever others there are.
    func isPossible(_ outcome: Outcome, for task: StudyTask) -> Bool
}

extension StudyWork {
    public func isPossible(_ outcome: Outcome, for task: StudyTask) -> Bool { true }

    /// Whether a number that was counted is one that a hundred thousand of these can be added up to.
    package func isCount(_ number: Int) -> Bool { (0..<1 << 46).contains(number) }
}
