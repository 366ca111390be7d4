import DequeModule

/// Tasks that are ready, in the order in which they became so.
struct JobLine {
    struct Job {
        let job: UnownedJob
        /// Whether it has to run on the main thread.
        let isMainActors: Bool
    }

    private var jobs: Deque<Job> = []
    private var removedCount = 0

    /// How many there were so far.
    var addedCount: Int { removedCount + jobs.count }

    /// How many wait.
    var count: Int { jobs.count }

    var first: Job? { jobs.first }

    mutating func append(_ job: Job) { jobs.append(job) }

    mutating func removeFirst() -> Job? {
        guard let first = jobs.popFirst() else { return nil }
        removedCount += 1
        return first
    }
}
