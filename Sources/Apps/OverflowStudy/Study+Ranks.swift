public import BluethroatRankGroups
public import BluethroatRanks
import Foundation
import Synchronization

/// How several ranks share a study.
public struct StudySharing: Sendable {
    /// Whether each world is divided among the ranks, by place. Otherwise each rank has worlds of its own.
    public var dividesWorlds = false
    /// How many threads each rank has; worlds that are divided take one.
    public var threads = 1
    /// Where worlds that are finished are kept, and are not tried again.
    public var folder: ResultFolder?

    public init() {}
}

extension Study {
    /// Runs all worlds on several ranks, which call this together with the same study. What comes out does not depend on
    /// how many they are; but a world that is divided, be it among one, has an air with a delay, and is not the same in
    /// each detail as one that is not. docs/ranks.md
    ///
    /// - Parameter goesOn: hears how much of this rank's share is done, from 0 to 1, and says whether it is to go on.
    /// - Returns: the rows for rank 0 and none for the others; nil if any rank was not to go on.
    public func run(
        on ranks: any Ranks,
        sharing: StudySharing,
        _ goesOn: @escaping @Sendable (_ share: Double) -> Bool
    ) throws -> [StudyRow]? {
        let jobs = jobs
        var results: [CrowdResult?] = jobs.map { _ in nil }
        if ranks.rank == 0, let folder = sharing.folder {
            for (number, job) in jobs.enumerated() {
                results[number] = try folder.result(of: job, isDivided: sharing.dividesWorlds)
            }
        }
        // The others may see more files by now: what counts is what rank 0 saw.
        let isKnown = try ranks.share(results.map { $0 == nil ? 0 : 1 })[0].map { $0 == 1 }
        let isComplete =
            sharing.dividesWorlds
            ? try divide(jobs, isKnown, on: ranks, sharing, into: &results, goesOn)
            : try shareOut(jobs, isKnown, on: ranks, sharing, into: &results, goesOn)
        guard isComplete else { return nil }
        return ranks.rank == 0 ? rows(results.compactMap(\.self)) : []
    }

    private func divide(
        _ jobs: [Job],
        _ isKnown: [Bool],
        on ranks: any Ranks,
        _ sharing: StudySharing,
        into results: inout [CrowdResult?],
        _ goesOn: (Double) -> Bool
    ) throws -> Bool {
        for (number, job) in jobs.enumerated() where !isKnown[number] {
            let world = CrowdWorld(job.crowd, seed: job.seed, dividedAmong: ranks)
            let result = try world.run { share in goesOn((Double(number) + share) / Double(jobs.count)) }
            guard let result else { return false }
            results[number] = result
            if ranks.rank == 0 { try sharing.folder?.keep(result, of: job, isDivided: true) }
        }
        return true
    }

    private func shareOut(
        _ jobs: [Job],
        _ isKnown: [Bool],
        on ranks: any Ranks,
        _ sharing: StudySharing,
        into results: inout [CrowdResult?],
        _ goesOn: @escaping @Sendable (Double) -> Bool
    ) throws -> Bool {
        let efforts = zip(jobs, isKnown).map { job, isKnown in isKnown ? nil : job.effort }
        let shares = JobShares(efforts, ranks: ranks.count).jobs, own = shares[ranks.rank]
        let failure = Mutex<(any Error)?>(nil)
        let board = JobBoard(own.map { jobs[$0] }, goesOn) { job, result in
            do { try sharing.folder?.keep(result, of: job, isDivided: false) } catch {
                failure.withLock { $0 = $0 ?? error }
            }
        }
        if !own.isEmpty {
            DispatchQueue.concurrentPerform(iterations: max(1, min(sharing.threads, own.count))) { _ in board.work() }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
        guard try ranks.all(board.results != nil) else { return false }
        let text = (board.results ?? []).map(\.text).joined(separator: "\n")
        for (rank, bytes) in try ranks.collect(Array(text.utf8)).enumerated() {
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            guard lines.count == shares[rank].count else { throw misunderstood(rank, ranks) }
            for (number, line) in zip(shares[rank], lines) {
                guard let result = CrowdResult(text: line) else { throw misunderstood(rank, ranks) }
                results[number] = result
            }
        }
        return true
    }

    private func misunderstood(_ rank: Int, _ ranks: any Ranks) -> RankFailure {
        RankFailure(rank: rank, of: ranks.count, "what it sent is no result of a study")
    }
}

extension ResultFolder {
    fileprivate func result(of job: Job, isDivided: Bool) throws(Failure) -> CrowdResult? {
        let key = job.key(isDivided: isDivided)
        guard let bytes = try result(for: key) else { return nil }
        guard let result = CrowdResult(text: String(decoding: bytes, as: UTF8.self)),
            result.phones.count == job.crowd.phones
        else { throw damaged(key) }
        return result
    }

    fileprivate func keep(_ result: CrowdResult, of job: Job, isDivided: Bool) throws(Failure) {
        try keep(Data(result.text.utf8), for: job.key(isDivided: isDivided))
    }
}

extension Job {
    /// All that its result follows from. The number in it changes when results do.
    fileprivate func key(isDivided: Bool) -> String {
        "overflow study 1\(isDivided ? " divided" : "") seed \(seed) \(crowd)"
    }
}
