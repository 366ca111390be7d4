import BluethroatBluetoothValues
public import BluethroatStudies
import BluethroatVirtualTime

/// Crowds that are compared: each is tried in several worlds, which run side by side. A crowd with code words is tried
/// without them, too.
///
/// What comes out follows from the seed alone, however many threads there are.
public struct Study: Hashable, Sendable {
    /// What is compared, a row each.
    public var crowds: [CrowdSettings]
    /// How many worlds of each there are, 0 or more; they differ in where people are, and in all that is random.
    public var worlds = 1
    public var seed: UInt64 = 1

    public init(_ crowds: [CrowdSettings]) { self.crowds = crowds }

    /// About how many bytes each of its worlds takes.
    public var memory: [UInt64] { jobs.map(\.crowd.memory) }

    /// Runs all worlds; nil if `goesOn` has said no. It receives how much is done, from 0 to 1, on any of the threads.
    public func run(threads: Int = 1, _ goesOn: @escaping @Sendable (_ share: Double) -> Bool) -> [StudyRow]? {
        // Threads without a store do not fail.
        try? run(on: ThreadedRunner(threads: threads), goesOn)
    }

    /// The same, wherever the runner computes.
    ///
    /// - Throws: what the runner throws.
    public func run(
        on runner: some StudyRunner,
        _ goesOn: @escaping @Sendable (_ share: Double) -> Bool
    ) throws -> [StudyRow]? {
        try runner.outcomes(of: CrowdWork(jobs: jobs), goesOn: goesOn).map(rows)
    }

    /// - Parameter results: what has become of each job.
    func rows(_ results: [CrowdResult]) -> [StudyRow] {
        crowds.indices.map { row in
            func slice(_ crowd: Int) -> [CrowdResult] { Array(results[crowd * worldCount..<(crowd + 1) * worldCount]) }
            let coded = crowds[..<row].count { $0.code != nil }
            return StudyRow(
                crowd: crowds[row].inRange,
                results: slice(row),
                withoutCode: crowds[row].code == nil ? nil : slice(crowds.count + coded)
            )
        }
    }

    private var worldCount: Int { max(0, worlds) }

    /// One world each. The first world of each row has the same seed, and so on: rows differ in nothing but what they
    /// are to differ in.
    var jobs: [Job] {
        (crowds + crowds.filter { $0.code != nil }.map(\.withoutCode)).flatMap { crowd in
            (0..<worldCount).map { world in
                var random = SeededRandom(seed: seed, device: UInt64(world), purpose: "world of a study")
                return Job(crowd: crowd.inRange, seed: random.next())
            }
        }
    }
}

extension CrowdSettings {
    /// Tries this crowd in one world.
    ///
    /// - Parameter goesOn: hears which share is done, 0 to 1; false ends it.
    /// - Returns: nil if it was ended, or if the world has stalled.
    public func tried(seed: UInt64, _ goesOn: (_ share: Double) -> Bool) -> CrowdResult? {
        // A world that is not divided has no rank that fails.
        try? CrowdWorld(inRange, seed: seed).run(goesOn)
    }
}

/// The worlds of such a study.
struct CrowdWork: StudyWork {
    /// Counts changes of what the same key gives: what was kept of an older one is computed again.
    private static let revision = 1

    let jobs: [Job]
    var isDivided = false

    var tasks: [StudyTask] {
        let kind = "overflow study, revision \(Self.revision)\(isDivided ? ", divided" : "")"
        return jobs.enumerated().map {
            StudyTask(number: $0, key: "\(kind); \($1.crowd); seed \($1.seed)", effort: $1.effort)
        }
    }

    func compute(_ task: StudyTask, goesOn: (Double) -> Bool) -> CrowdResult? {
        jobs[task.number].crowd.tried(seed: jobs[task.number].seed, goesOn)
    }

    func isPossible(_ outcome: CrowdResult, for task: StudyTask) -> Bool {
        let crowd = jobs[task.number].crowd
        // Apps begin before it counts, and a divided air is late.
        let longest = crowd.overture + crowd.length + .seconds(1), times = TimeSpan.zero...longest
        return outcome.phones.count == crowd.phones
            && outcome.phones.allSatisfy { phone in
                [phone.heard, phone.got].allSatisfy { $0.map(times.contains) ?? true }
            }
            && outcome.waits.count <= outcome.meetings && outcome.waits.allSatisfy(times.contains)
            && outcome.waited.inSeconds.magnitude <= longest.inSeconds * Double(outcome.meetings)
            && [outcome.meetings, outcome.changes, outcome.mistakes, outcome.transmissions].allSatisfy(isCount)
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
