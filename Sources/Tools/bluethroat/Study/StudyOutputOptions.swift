import ArgumentParser
import BluethroatEvents
import BluethroatOverflowWorld
import BluethroatStudies
import BluethroatTerminal

/// How a study is computed, and where its rows go.
struct StudyOutputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("How many threads compute (default: one for each processor).", valueName: "number"),
        transform: { try Int(StudyNumber.threads.single($0)) }
    )
    var threads: Int?

    @Option(
        help: ArgumentHelp("Share worlds out among so many ranks, or, as mpi, mpirun's.", valueName: "number|mpi"),
        transform: { try StudyRanks($0) }
    )
    var ranks: StudyRanks?

    @Flag(help: "Divide each world: mpirun -n 4 bluethroat … --ranks mpi --divide; docs/ranks.md.")
    var divide = false

    @Option(folder: "Keep finished worlds here, and compute none of them again.")
    var resume: String?

    @Option(file: "Write the rows as CSV, too; - is standard output, without the table.")
    var csv: String?

    @Option(file: "Draw the rows as SVG; - is standard output, without the table.")
    var svg: String?

    @Flag(help: "Print one JSON object a row; docs/cli-json.md says which.")
    var json = false

    var files: StudyFiles { StudyFiles(csv: csv, svg: svg) }
    var place: StudyPlace { StudyPlace(threads: threads, ranks: ranks, folder: resume) }

    func write(_ work: StudyOutput.Work) async throws {
        do throws(OperationFailure) { try await StudyOutput.write(json: json, work) } catch { throw error.status }
    }
}
