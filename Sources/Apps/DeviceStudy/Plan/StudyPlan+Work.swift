import BluethroatBluetoothValues
import BluethroatEvents
import BluethroatOverflowStudy
public import BluethroatRanks
public import BluethroatStudies
import BluethroatVirtualTime

extension StudyPlan {
    /// About how many bytes each of its worlds of crowds takes.
    var memory: [UInt64] {
        guard isCrowd else { return [] }
        return rows.flatMap { Array(repeating: CrowdSettings($0).memory, count: min(max(0, worlds), 10_000)) }
    }

    /// Computes all worlds.
    ///
    /// - Parameter goesOn: hears which share is done, 0 to 1; false ends it.
    /// - Returns: nil if it was ended.
    /// - Throws: `OperationFailure` if a row has none or more than 10 000 worlds, or all have more than 100 000; and what the
    ///   runner throws.
    public func results(
        on runner: some StudyRunner,
        _ goesOn: @escaping @Sendable (_ share: Double) -> Bool = { _ in true }
    ) throws -> StudyResults? {
        try checkCounts()
        return try runner.outcomes(of: PlanWork(plan: self), goesOn: goesOn).map(results)
    }

    /// Computes each world divided among ranks, by place; they call this together with the same study. What comes out does
    /// not depend on how many they are; but a world that is divided, be it among one, has an air with a delay, and is not
    /// the same in each detail as one that is not. docs/ranks.md
    ///
    /// - Parameters:
    ///   - store: where finished worlds are kept, by rank 0, and found again.
    ///   - goesOn: hears which share is done, from 0 to 1, and says whether it is to go on.
    /// - Returns: the same results on each rank; nil if any rank was not to go on.
    /// - Throws: what the other `results` does, `OperationFailure` if its worlds cannot be divided, and `RankFailure`.
    public func results(
        dividedAmong ranks: any Ranks,
        keeping store: (any OutcomeStore)? = nil,
        _ goesOn: (_ share: Double) -> Bool = { _ in true }
    ) throws -> StudyResults? {
        try checkCounts()
        if let objection = objectionToDivision { throw OperationFailure(objection) }
        let work = PlanWork(plan: self, isDivided: true)
        return try ranks.outcomes(of: work, keeping: store, goesOn) { task, goesOn in
            try work.compute(task, dividedAmong: ranks, goesOn: goesOn)
        }.map(results)
    }

    private func checkCounts() throws(OperationFailure) {
        guard (1...10_000).contains(worlds) else {
            throw OperationFailure("a row has 1 to 10000 worlds, not \(worlds)")
        }
        guard rows.count * worlds <= 100_000 else {
            throw OperationFailure(
                "\(rows.count) rows with \(worlds) worlds each are more than 100000; give fewer of one"
            )
        }
    }

    private func results(_ outcomes: [WorldOutcome]) -> StudyResults {
        StudyResults(plan: self, outcomes: rows.indices.map { Array(outcomes[$0 * worlds..<($0 + 1) * worlds]) })
    }
}

/// The worlds of a plan, a row after the other.
struct PlanWork: StudyWork {
    /// Counts changes of what the same key gives: a kept outcome of an older one is computed again.
    private static let revision = 4

    let plan: StudyPlan
    var isDivided = false

    var tasks: [StudyTask] {
        let measures = plan.measures.map(\.rawValue).joined(separator: " ")
        let kinds = plan.groups.map { "\($0.name): \($0.kind.rawValue)" }.joined(separator: ", ")
        let extra = plan.measures.contains(.energy) ? ", \(plan.currents)" : ""
        return plan.rows.enumerated().flatMap { number, row in
            let values = plan.parameters.map { "\($0.path)=\(row[$0.path]?.key ?? "")" }.joined(separator: " ")
            let traces = plan.groups.compactMap { group -> String? in
                guard row.word("\(group.name).walk") == "trace",
                    let trace = plan.traces[row.word("\(group.name).trace")]
                else { return nil }
                return ", trace \(trace.digest)"
            }
            return (0..<plan.worlds).map { world in
                let seed = seed(of: world)
                return StudyTask(
                    number: number * plan.worlds + world,
                    key:
                        "revision \(Self.revision)\(isDivided ? ", divided" : ""); \(kinds); \(values); \(measures)\(extra)\(traces.joined()); seed \(seed)",
                    effort: effort(of: row)
                )
            }
        }
    }

    func compute(_ task: StudyTask, goesOn: (Double) -> Bool) throws -> WorldOutcome? {
        try compute(task, dividedAmong: nil, goesOn: goesOn)
    }

    /// - Parameter ranks: who has the world together; nil for one that is not divided.
    func compute(
        _ task: StudyTask,
        dividedAmong ranks: (any Ranks)?,
        goesOn: (Double) -> Bool
    ) throws -> WorldOutcome? {
        let row = plan.rows[task.number / plan.worlds], seed = seed(of: task.number % plan.worlds)
        guard plan.isCrowd else {
            return try DeviceWorld(plan, row, seed: seed, dividedAmong: ranks).run(goesOn)
        }
        let crowd = CrowdSettings(row)
        let result =
            try ranks.map { try crowd.tried(seed: seed, dividedAmong: $0, goesOn) }
            ?? crowd.tried(seed: seed, goesOn)
        return result.map {
            WorldOutcome(values: CrowdSettings.values(of: $0), transmissions: $0.transmissions, digest: $0.digest)
        }
    }

    func isPossible(_ outcome: WorldOutcome, for task: StudyTask) -> Bool {
        outcome.values.count == plan.columns.count && isCount(outcome.transmissions)
            && zip(plan.columns, outcome.values).allSatisfy { column, value in value.map(column.unit.has) ?? true }
    }

    /// The first world of each row has the same seed, and so on: rows differ in nothing but what they are to differ in.
    private func seed(of world: Int) -> UInt64 {
        var random = SeededRandom(seed: plan.seed, device: UInt64(world), purpose: "world of a study")
        return random.next()
    }

    /// About how many frames there are, and who listens to them.
    private func effort(of row: WorldSettings) -> Double {
        if plan.isCrowd {
            let crowd = CrowdSettings(row)
            return Double(crowd.phones + 10 * crowd.scanners + 1) * crowd.length.inSeconds
                / crowd.interval.span.inSeconds
        }
        let listeners = plan.groups.filter(\.kind.listens).map { row.number("\($0.name).count") }.reduce(0, +)
        let rates = plan.groups.map { group -> Double in
            let interval = row["\(group.name).interval"].flatMap { value -> Double? in
                if case .number(let number) = value { number } else { nil }
            }
            return row.number("\(group.name).count") / (group.kind.listens ? 10 : interval ?? 0.2)
        }
        return (row.number("length") + row.number("warmup")) * (1 + rates.reduce(0, +) * (1 + listeners))
    }
}
