import ArgumentParser
import BluethroatEvents
import BluethroatKeyFobConsole
import BluethroatOverflowStudy
import BluethroatOverflowWorld
import BluethroatTerminal
import BluethroatVirtualTime
import Foundation

/// Tries crowds of phones and reports how many of them are read.
struct StudyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "study",
        abstract: "Study how well payloads in the overflow area get through in a crowd.",
        discussion: """
            In each world there are phones whose apps are in the background and send four bytes in the overflow area, in \
            two positions in turn, and people among them who walk about with an app on their screens that looks for such \
            payloads. All of them are whole phones in virtual time, from the app to the bytes on the air. The table says \
            of how many phones the payload was got.

            One of --phones, --scanners, --area, --rotation, --interval, --pollution, --speed and --foreign may be several \
            values with commas between, which makes a row of each: --phones 50,100,200,400. With --mode hamming or bch the \
            column "without code" is the same crowd with two positions. With --mode conversation there are no scanners: phones in \
            pairs, 16 at most, exchange messages of 32 bytes.

            What comes out follows from --seed and the other values, however many threads there are.
            """
    )

    @OptionGroup var crowd: CrowdOptions

    @Option(
        help: ArgumentHelp("How long scanners listen, in minutes (default: 2).", valueName: "minutes"),
        transform: { try StudyNumber.minutes.single($0) }
    )
    var minutes = 2.0

    @Option(
        help: ArgumentHelp(
            "Within which time payloads are to be got, in seconds, several with commas between (default: 10,30,60 and "
                + "all of the time).",
            valueName: "seconds,…"
        ),
        transform: { try StudyNumber.within.list($0) }
    )
    var within: [Double]?

    @Option(
        help: ArgumentHelp(
            "From when that counts: start, as scanners begin to listen, of all phones; or contact, as a phone is heard "
                + "first, of those that are heard.",
            valueName: "start|contact"
        ),
        transform: { text in
            guard let since = StudyRow.Beginning(rawValue: text) else {
                throw ValidationError("give start or contact")
            }
            return since
        }
    )
    var since = StudyRow.Beginning.start

    @Option(help: ArgumentHelp("What chance is drawn from.", valueName: "number"))
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "How many worlds are tried for each row, side by side (default: 2).",
            valueName: "number"
        ),
        transform: { try Int(StudyNumber.worlds.single($0)) }
    )
    var worlds = 2

    @Option(
        help: ArgumentHelp("How many threads compute (default: one for each processor).", valueName: "number"),
        transform: { try Int(StudyNumber.threads.single($0)) }
    )
    var threads: Int?

    @Option(
        help: ArgumentHelp("Spread worlds over threads, or, as mpi, over mpirun's processes.", valueName: "number|mpi"),
        transform: { try StudyRanks($0) }
    )
    var ranks: StudyRanks?

    @Flag(help: "Divide each world: mpirun -n 4 bluethroat overflow study --ranks mpi --divide; docs/ranks.md.")
    var divide = false

    @Option(help: ArgumentHelp("Keep finished worlds here, and do not try them again.", valueName: "folder"))
    var resume: String?

    @Option(
        help: ArgumentHelp(
            "Write the rows as CSV, too; - is standard output, without the table.",
            valueName: "file"
        )
    )
    var csv: String?

    @Option(help: ArgumentHelp("Draw the rows as SVG; - is standard output, without the table.", valueName: "file"))
    var svg: String?

    @Flag(help: "Print one JSON object a row; docs/cli-json.md says which.")
    var json = false

    func validate() throws {
        _ = try crowd.varied()
        guard crowd.mode.isStudied else { throw ValidationError("--mode sequential sends no payload to be studied") }
        for crowd in try crowd.crowds(crowd.varied(), minutes: minutes) { try crowd.check() }
        if [csv, svg].count(where: { $0 == StudyFiles.standardOutput }) + (json ? 1 : 0) > 1,
            files.takesStandardOutput
        {
            throw ValidationError("only one of --csv -, --svg - and --json can be on standard output")
        }
        if let late = within?.first(where: { $0 > minutes * 60 }) {
            throw ValidationError(
                "--within \(late.digits) is longer than it is listened; raise --minutes above \((late / 60).digits)"
            )
        }
    }

    func run() async throws {
        do throws(OperationFailure) {
            try files.check()
            let report = try await study()
            guard !report.rows.isEmpty else { return }
            try files.write(report, output: StandardOutput.writeBytes)
            guard !files.takesStandardOutput else { return }
            for line in json ? report.json : report.table { StandardOutput.write(line) }
        } catch {
            if json {
                var line = JSONLine(event: "error")
                line.add("message", error.message)
                StandardOutput.write(line.text)
            }
            StandardError.write(error.message)
            throw error.status
        }
    }

    private var files: StudyFiles { StudyFiles(csv: csv, svg: svg) }

    private func study() async throws(OperationFailure) -> StudyReport {
        let varied = try? crowd.varied()
        var study = Study(crowd.crowds(varied, minutes: minutes))
        study.worlds = worlds
        study.seed = seed
        let (progress, end) = (ShareProgress(), Signals.endRequest())
        let plan = StudyPlan(ranks, divides: divide, threads: threads, folder: resume)
        let rows = try await plan.rows(of: study, report: { StandardError.write($0) }) { share in
            if let share { progress.show(share) }
            return !end.isAsked
        }
        progress.end()
        guard let rows else { throw .interruption }
        return StudyReport(rows, varied: varied, times: times, since: since, seed: seed)
    }

    private var times: [TimeSpan] {
        let seconds = within ?? [10, 30, 60].filter { $0 < minutes * 60 } + [minutes * 60]
        return seconds.compactMap { TimeSpan.seconds(approximating: $0) }
    }
}
