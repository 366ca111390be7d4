package import BluethroatEvents
package import BluethroatOverflowStudy
package import BluethroatSimulation
package import BluethroatStudies
import BluethroatVirtualTime

/// What is asked of a study of crowds on the command line.
package struct CrowdStudyOrder {
    package var crowds: [CrowdSettings]
    /// What they differ in.
    package var varied: StudyParameter?
    package var minutes = 2.0
    /// In seconds; nil for the usual times.
    package var within: [Double]?
    package var since = StudyRow.Beginning.start
    package var worlds = 2
    package var seed: UInt64 = 1
    package var place = StudyPlace(threads: 1)
    /// Whether each world is divided among the ranks; worlds are shared out among them otherwise.
    package var dividesWorlds = false
    package var files = StudyFiles(csv: nil, svg: nil)
    package var json = false

    package init(_ crowds: [CrowdSettings], varied: StudyParameter?) {
        self.crowds = crowds
        self.varied = varied
    }

    /// Says whether all of it can be done.
    package func check() throws(InvalidText) {
        for crowd in crowds { try crowd.check() }
        if let varied, varied == .scanners || varied == .speed, crowds.first?.sending == .conversation {
            throw InvalidText("--mode conversation has no scanners, who walk about; leave --\(varied.rawValue) out")
        }
        try place.check()
        if json ? files.takesStandardOutput : files.csv == StudyFiles.standardOutput && files.csv == files.svg {
            throw InvalidText("only one of --csv -, --svg - and --json can be on standard output")
        }
        // 8.2 minutes are not 492 seconds to the last digit of a Double.
        if let late = within?.first(where: { $0 - minutes * 60 > 1e-6 }) {
            throw InvalidText(
                "--within \(late.digits) is longer than it is listened; raise --minutes above \((late / 60).digits)"
            )
        }
    }

    /// Computes the study and writes its files.
    ///
    /// - Parameters:
    ///   - progress: hears which share is done, 0 to 1, and nil on ranks that do not show it; false ends it.
    ///   - report: hears why the processes that mpirun has started are all ended, just before they are.
    ///   - bytes: takes a file for standard output.
    /// - Returns: the lines for standard output; none where another process writes them.
    package func carryOut(
        progress: @escaping @Sendable (Double?) -> Bool,
        report: @escaping @Sendable (String) -> Void = { _ in },
        bytes: (String) -> Void
    ) async throws(OperationFailure) -> [String] {
        try files.check()
        var study = Study(crowds)
        study.worlds = worlds
        study.seed = seed
        let (divides, asked) = (dividesWorlds, study)
        let place = place
        let end = try await place.compute(report: report, progress: progress) { seat, goesOn in
            try place.checkMemory(for: asked.memory, dividedAmong: divides ? seat.rankCount : nil)
            guard divides else { return try asked.run(on: seat.runner, goesOn) }
            return try asked.run(dividedAmong: seat.ranks, keeping: seat.store, goesOn)
        }
        let rows: [StudyRow]
        switch end {
        case .result(let result): rows = result
        case .ended: throw .interruption
        case .elsewhere: return []
        }
        let report = StudyReport(rows, varied: varied, times: times, since: since, seed: seed)
        try files.write(csv: report.csv, svg: report.svg, output: bytes)
        guard !files.takesStandardOutput else { return [] }
        return json ? report.json : report.table
    }

    private var times: [TimeSpan] {
        let seconds = within ?? [10, 30, 60].filter { $0 < minutes * 60 } + [minutes * 60]
        return seconds.compactMap { TimeSpan.seconds(approximating: $0) }
    }
}

extension StudyRow.Beginning {
    package init(typed text: String) throws(InvalidText) {
        guard let beginning = Self(rawValue: text) else { throw InvalidText("give start or contact") }
        self = beginning
    }
}

/// What each parameter of a study of crowds may be: one value, or several in one of them.
package struct CrowdLists {
    private let values: [StudyParameter: [Double]]

    package init(_ values: [StudyParameter: [Double]]) { self.values = values }

    /// What is given as a list; nil if nothing is.
    package func varied() throws(InvalidText) -> StudyParameter? {
        let lists = StudyParameter.allCases.filter { values[$0].map(\.count) ?? 0 > 1 }
        guard lists.count <= 1 else {
            let names = lists.map { "--\($0.rawValue)" }
            throw InvalidText("\(names.joined(separator: " and ")) are lists; only one option may be one")
        }
        return lists.first
    }

    /// A crowd for each row.
    package func crowds(
        _ varied: StudyParameter?,
        minutes: Double,
        ios: Int,
        mode: OverflowMode,
        air: AirMode = .exact
    ) -> [CrowdSettings] {
        (varied.flatMap { values[$0] } ?? [0]).map { value in
            var crowd = CrowdSettings(minutes: minutes, ios: ios, mode: mode) {
                $0 == varied ? value : values[$0]?.first ?? 0
            }
            crowd.air = air
            return crowd
        }
    }
}
