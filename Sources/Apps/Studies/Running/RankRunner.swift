public import BluethroatRanks
import Foundation
import Synchronization

/// Shares tasks out among ranks, which run this together with the same tasks, and tells each of them all outcomes.
public struct RankRunner<Base: StudyRunner>: StudyRunner {
    private let ranks: any Ranks
    private let base: Base
    private let store: (any OutcomeStore)?

    /// - Parameters:
    ///   - ranks: who computes. Each rank calls `run` on one thread, when the others do.
    ///   - base: how a rank computes its share.
    ///   - store: what was computed before, as rank 0 finds it, and where each rank keeps what it finishes. Every rank has
    ///     one, or none has.
    public init(_ ranks: any Ranks, each base: Base, keeping store: (any OutcomeStore)? = nil) {
        self.ranks = ranks
        self.base = base
        self.store = store
    }

    /// - Parameter goesOn: hears which part of this rank's share is done; false ends it on all ranks.
    public func run<Work: StudyWork>(
        _ tasks: [StudyTask],
        of work: Work,
        goesOn: @escaping @Sendable (_ share: Double) -> Bool,
        finished: @escaping @Sendable (StudyTask, Work.Outcome) throws -> Void
    ) throws -> Bool {
        let known = try ranks.known(tasks, of: work, in: store)
        for (place, outcome) in known.enumerated() { if let outcome { try finished(tasks[place], outcome) } }
        let efforts = tasks.indices.map { known[$0] == nil ? tasks[$0].effort : nil }
        let shares = JobShares(efforts, ranks: ranks.count).jobs, own = shares[ranks.rank].map { tasks[$0] }
        let computed = Computed<Work.Outcome>()
        let ranks = ranks
        let isComplete = try base.run(own, of: work, goesOn: { !ranks.hasFailed && goesOn($0) }) { task, outcome in
            try store?.keep(outcome, of: task.key)
            computed.outcomes.withLock { $0[task.number] = outcome }
            try finished(task, outcome)
        }
        guard try ranks.all(isComplete) else { return false }
        let outcomes = computed.outcomes.withLock { outcomes in own.map { outcomes[$0.number] } }
        for (rank, bytes) in try ranks.share(Array(JSONEncoder().encode(outcomes))).enumerated()
        where rank != ranks.rank {
            let outcomes = try ranks.understood([Work.Outcome].self, bytes, of: rank, count: shares[rank].count)
            for (place, outcome) in zip(shares[rank], outcomes) { try finished(tasks[place], outcome) }
        }
        return true
    }
}

private final class Computed<Outcome: Sendable>: Sendable { let outcomes = Mutex<[Int: Outcome]>([:]) }

extension Ranks {
    /// What is kept of these tasks as rank 0 finds it, which counts for all ranks: others may find more by now.
    public func known<Work: StudyWork>(
        _ tasks: [StudyTask],
        of work: Work,
        in store: (any OutcomeStore)?
    ) throws -> [Work.Outcome?] {
        guard let store else { return tasks.map { _ in nil } }
        func kept(_ task: StudyTask) throws -> Work.Outcome? {
            try store.outcome(of: task.key, as: Work.Outcome.self) { work.isPossible($0, for: task) }
        }
        let own = rank == 0 ? try tasks.map(kept) : []
        let bytes = rank == 0 ? Array(try JSONEncoder().encode(own)) : []
        return try understood([Work.Outcome?].self, share(bytes)[0], of: 0, count: tasks.count)
    }

    /// The outcomes of worlds that the ranks have together, one world after the other: all ranks call this with the same work.
    ///
    /// - Parameters:
    ///   - store: where finished worlds are kept, by rank 0, and found again.
    ///   - goesOn: hears which share of all is done, from 0 to 1, and says whether it is to go on.
    ///   - compute: computes a rank's part of one world, and comes to the same on each of them; nil if it was ended.
    /// - Returns: nil if any rank was not to go on.
    public func outcomes<Work: StudyWork>(
        of work: Work,
        keeping store: (any OutcomeStore)?,
        _ goesOn: (_ share: Double) -> Bool,
        together compute: @escaping (StudyTask, _ goesOn: (_ share: Double) -> Bool) throws -> Work.Outcome?
    ) throws -> [Work.Outcome]? {
        let tasks = work.tasks
        var outcomes = try known(tasks, of: work, in: store)
        for (number, task) in tasks.enumerated() where outcomes[number] == nil {
            let outcome = try compute(task) { share in goesOn((Double(number) + share) / Double(tasks.count)) }
            guard let outcome else { return nil }
            outcomes[number] = outcome
            if rank == 0 { try store?.keep(outcome, of: task.key) }
        }
        return outcomes.compactMap(\.self)
    }

    fileprivate func understood<Value: Codable>(
        _ type: [Value].Type,
        _ bytes: [UInt8],
        of rank: Int,
        count: Int
    ) throws(RankFailure) -> [Value] {
        guard let values = try? JSONDecoder().decode(type, from: Data(bytes)), values.count == count else {
            throw RankFailure(rank: rank, of: self.count, "what it sent are not its outcomes")
        }
        return values
    }
}
