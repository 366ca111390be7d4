import BluethroatBluetoothValues
import BluethroatVirtualTime
import Foundation
import Synchronization

/// Crowds that are compared: each is tried in several worlds, which run side by side. A crowd with code words is tried
/// without them, too.
///
/// What comes out follows from the seed alone, however many threads there are.
public struct Study: Hashable, Sendable {
    /// What is compared, a row each.
    public var crowds: [CrowdSettings]
    /// How many worlds of each there are; they differ in where people are, and in all that is random.
    public var worlds = 1
    public var seed: UInt64 = 1

    public init(_ crowds: [CrowdSettings]) { self.crowds = crowds }

    /// Runs all worlds; nil if `goesOn` has said no. It receives how much is done, from 0 to 1, on any of the threads.
    public func run(threads: Int = 1, _ goesOn: @escaping @Sendable (_ share: Double) -> Bool) -> [StudyRow]? {
        let board = JobBoard(jobs, goesOn)
        DispatchQueue.concurrentPerform(iterations: max(1, min(threads, jobs.count))) { _ in board.work() }
        return board.results.map(rows)
    }

    /// - Parameter results: what has become of each job.
    func rows(_ results: [CrowdResult]) -> [StudyRow] {
        crowds.indices.map { row in
            func slice(_ crowd: Int) -> [CrowdResult] { Array(results[crowd * worlds..<(crowd + 1) * worlds]) }
            let coded = crowds[..<row].count { $0.code != nil }
            return StudyRow(
                crowd: crowds[row],
                results: slice(row),
                withoutCode: crowds[row].code == nil ? nil : slice(crowds.count + coded)
            )
        }
    }

    /// One world each. The first world of each row has the same seed, and so on: rows differ in nothing but what they
    /// are to differ in.
    var jobs: [Job] {
        (crowds + crowds.filter { $0.code != nil }.map(\.withoutCode)).flatMap { crowd in
            (0..<worlds).map { world in
                var random = SeededRandom(seed: seed, device: UInt64(world), purpose: "world of a study")
                return Job(crowd: crowd, seed: random.next())
            }
        }
    }
}

/// One world to be tried.
struct Job: Sendable {
    let crowd: CrowdSettings
    let seed: UInt64

    /// About how much is to be computed, for people who wait.
    var effort: Double {
        Double(crowd.phones + 10 * crowd.scanners + 1) * (crowd.overture + crowd.length).inSeconds
            / crowd.interval.span.inSeconds
    }
}

/// Where threads fetch what is to be done next and leave what has come of it.
final class JobBoard: Sendable {
    private struct State {
        var next = 0
        var results: [CrowdResult?]
        /// Of each job.
        var shares: [Double]
        var isCancelled = false
    }

    private let jobs: [Job]
    private let goesOn: @Sendable (Double) -> Bool
    private let finish: @Sendable (Job, CrowdResult) -> Void
    private let state: Mutex<State>

    /// - Parameter finish: hears what has become of a job, on the thread that did it.
    init(
        _ jobs: [Job],
        _ goesOn: @escaping @Sendable (Double) -> Bool,
        finish: @escaping @Sendable (Job, CrowdResult) -> Void = { _, _ in }
    ) {
        self.jobs = jobs
        self.goesOn = goesOn
        self.finish = finish
        state = Mutex(
            State(results: Array(repeating: nil, count: jobs.count), shares: Array(repeating: 0, count: jobs.count))
        )
    }

    /// In the order of the jobs; nil if not all were done.
    var results: [CrowdResult]? {
        let results = state.withLock { $0.results.compactMap(\.self) }
        return results.count == jobs.count ? results : nil
    }

    func work() {
        while let number = takeNext() {
            let world = CrowdWorld(jobs[number].crowd, seed: jobs[number].seed)
            // It is not divided, so that no rank can fail.
            let result = try? world.run { share in note(share, of: number) }
            if let result { finish(jobs[number], result) }
            state.withLock { $0.results[number] = result }
        }
    }

    private func takeNext() -> Int? {
        state.withLock { state in
            guard state.next < jobs.count, !state.isCancelled else { return nil }
            state.next += 1
            return state.next - 1
        }
    }

    private func note(_ share: Double, of number: Int) -> Bool {
        let total = state.withLock { state -> Double? in
            state.shares[number] = share
            guard !state.isCancelled else { return nil }
            let efforts = jobs.map(\.effort)
            return zip(state.shares, efforts).map(*).reduce(0, +) / efforts.reduce(0, +)
        }
        guard let total, goesOn(total) else {
            state.withLock { $0.isCancelled = true }
            return false
        }
        return true
    }
}
