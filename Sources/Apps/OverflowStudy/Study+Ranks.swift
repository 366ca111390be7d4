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
        let work = CrowdWork(jobs: jobs, isDivided: true)
        return try ranks.outcomes(of: work, keeping: store, goesOn) { task, goesOn in
            let job = work.jobs[task.number]
            return try job.crowd.tried(seed: job.seed, dividedAmong: ranks, goesOn)
        }.map(rows)
    }
}

extension CrowdSettings {
    /// Tries this crowd in one world that the ranks have together; all of them call this with the same crowd and seed.
    ///
    /// - Parameter goesOn: hears which share is done, 0 to 1; false ends it on all ranks.
    /// - Returns: nil if it was ended, or if the world has stalled.
    public func tried(
        seed: UInt64,
        dividedAmong ranks: any Ranks,
        _ goesOn: (_ share: Double) -> Bool
    ) throws(RankFailure) -> CrowdResult? {
        try CrowdWorld(inRange, seed: seed, dividedAmong: ranks).run(goesOn)
    }
}
