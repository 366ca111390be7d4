/// Tasks that are ready, in the order in which they became so.
struct JobLine {
    struct Job {
        let job: UnownedJob
        /// Whether it has to run on the main thread.
        let isMainActors: Bool
    }

    private var jobs: [Job] = []
    /// Those before this one are gone.
    private var next = 0
    private var removedCount = 0

    /// How many there were so far.
    var addedCount: Int { removedCount + jobs.count - next }

    /// How many it has room for.
    var capacity: Int { jobs.capacity }

    var first: Job? { next < jobs.count ? jobs[next] : nil }

    mutating func append(_ job: Job) { jobs.append(job) }

    mutating func removeFirst() -> Job? {
        guard let first else { return nil }
        next += 1
        removedCount += 1
        // A line that is never empty does not grow for all that, nor is a long one moved up again and again.
        if next > jobs.count / 2 {
            jobs.removeFirst(next)
            next = 0
        }
        return first
    }
}
