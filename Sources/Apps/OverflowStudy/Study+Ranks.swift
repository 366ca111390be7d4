public import BluethroatRanks
public import BluethroatStudies

extension Study {
    /// Computes each world divided among ranks, by place; they call this together with the same study. What comes out does
    /// not depend on how many they are; but a world that is divided, be it among one, has an air with a delay, and is not
    /// the same in each detail as one that is not. docs/ranks.md
    ///
    /// - Parameters:
    ///   - store: where finished worlds are kept, by rank 0, and found again.
    ///   - goesOn: hears which share is done, from 0 to 1, and says whether it is to go on.
    /// - Returns: the same rows on each rank; nil if any rank was not to go on.
    /// - Throws: `RankFailure`, and what the store throws.
    public func run(
        dividedAmong ranks: any Ranks,
        keeping store: (any OutcomeStore)? = nil,
        _ goesOn: (_ share: Double) -> Bool
    ) throws -> [StudyRow]? {
        let work = CrowdWork(jobs: jobs, isDivided: true), tasks = work.tasks
        var results = try ranks.known(tasks, of: work, in: store)
        for (number, job) in work.jobs.enumerated() where results[number] == nil {
            let world = CrowdWorld(job.crowd, seed: job.seed, dividedAmong: ranks)
            let result = try world.run { share in goesOn((Double(number) + share) / Double(tasks.count)) }
            guard let result else { return nil }
            results[number] = result
            if ranks.rank == 0 { try store?.keep(result, of: tasks[number].key) }
        }
        return rows(results.compactMap(\.self))
    }
}
