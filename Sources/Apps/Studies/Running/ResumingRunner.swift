/// Outcomes that are kept from one run to the next.
public protocol OutcomeStore: Sendable {
    /// The outcome that was kept under a key; nil if none was.
    ///
    /// - Throws: if something else was kept there than such an outcome, or if it cannot be read.
    func outcome<Outcome: Codable & Sendable>(of key: String, as type: Outcome.Type) throws -> Outcome?
    /// Keeps an outcome for good: it is there after the process has died.
    func keep<Outcome: Codable & Sendable>(_ outcome: Outcome, of key: String) throws
}

/// Lets another runner compute what was not computed before, and keeps what comes of it.
public struct ResumingRunner<Base: StudyRunner>: StudyRunner {
    private let base: Base
    private let store: any OutcomeStore

    public init(_ base: Base, keeping store: any OutcomeStore) {
        self.base = base
        self.store = store
    }

    public func run<Work: StudyWork>(
        _ tasks: [StudyTask],
        of work: Work,
        goesOn: @escaping @Sendable (_ share: Double) -> Bool,
        finished: @escaping @Sendable (StudyTask, Work.Outcome) throws -> Void
    ) throws -> Bool {
        var missing: [StudyTask] = []
        for task in tasks {
            if let outcome = try store.outcome(of: task.key, as: Work.Outcome.self) {
                try finished(task, outcome)
            } else {
                missing.append(task)
            }
        }
        guard !missing.isEmpty else { return true }
        return try base.run(missing, of: work, goesOn: goesOn) { task, outcome in
            try store.keep(outcome, of: task.key)
            try finished(task, outcome)
        }
    }
}
