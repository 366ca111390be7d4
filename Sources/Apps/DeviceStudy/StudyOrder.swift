public import BluethroatEvents
public import BluethroatStudies

/// What is asked of a study on the command line: its file, what is to be other than it says, and where the results go.
public struct StudyOrder: Sendable {
    public var file: String
    /// In place of those of the file.
    public var worlds: Int?
    public var seed: UInt64?
    /// Where it is computed, and where finished worlds are kept and found again.
    public var place: StudyPlace
    /// Whether each world is divided among the ranks; worlds are shared out among them otherwise.
    public var dividesWorlds = false
    /// Where results are written to; `-` is standard output.
    public var csv: String?
    public var svg: String?
    public var json = false

    public init(file: String, place: StudyPlace) {
        self.file = file
        self.place = place
    }

    /// Says whether all of it can be done.
    public func check() throws(InvalidText) {
        guard (1...10_000).contains(worlds ?? 1) else {
            throw InvalidText("--worlds is a whole number from 1 to 10000")
        }
        try place.check()
        if json ? StudyFiles(csv: csv, svg: svg).takesStandardOutput : csv == StudyFiles.standardOutput && csv == svg {
            throw InvalidText("only one of --csv -, --svg - and --json can be on standard output")
        }
    }

    /// Reads the file, computes what is missing, writes the files.
    ///
    /// - Parameters:
    ///   - progress: hears which share is done, 0 to 1, on any thread, and nil on ranks that do not show it; false ends it.
    ///   - report: hears why the processes that mpirun has started are all ended, just before they are.
    ///   - bytes: takes a file for standard output.
    /// - Returns: the lines for standard output; none where another process writes them.
    public func carryOut(
        progress: @escaping @Sendable (Double?) -> Bool,
        report: @escaping @Sendable (String) -> Void = { _ in },
        bytes: (String) -> Void
    ) async throws(OperationFailure) -> [String] {
        let files = StudyFiles(csv: csv, svg: svg)
        var plan = try StudyPlan(file: file)
        try files.check(sparing: plan.files)
        if let worlds { plan.worlds = worlds }
        if let seed { plan.seed = seed }
        if dividesWorlds, let objection = plan.objectionToDivision {
            throw OperationFailure("\(file): \(objection); leave out --divide")
        }
        let (asked, place, divides) = (plan, place, dividesWorlds)
        let end = try await place.compute(report: report, progress: progress) { seat, goesOn in
            try place.checkMemory(for: asked.memory, dividedAmong: divides ? seat.rankCount : nil)
            guard divides else { return try asked.results(on: seat.runner, goesOn) }
            return try asked.results(dividedAmong: seat.ranks, keeping: seat.store, goesOn)
        }
        let results: StudyResults
        switch end {
        case .result(let result): results = result
        case .ended: throw .interruption
        case .elsewhere: return []
        }
        try files.write(csv: results.csv, svg: results.svg, output: bytes)
        guard !files.takesStandardOutput else { return [] }
        return json ? results.json : results.table
    }
}
