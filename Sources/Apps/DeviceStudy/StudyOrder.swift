public import BluethroatEvents
import BluethroatStudies
import Foundation

/// What is asked of a study on the command line: its file, what is to be other than it says, and where the results go.
public struct StudyOrder: Sendable {
    public var file: String
    /// In place of those of the file.
    public var worlds: Int?
    public var seed: UInt64?
    public var threads: Int
    /// Where results are written to; `-` is standard output.
    public var csv: String?
    public var svg: String?
    public var json = false
    /// The file in which finished worlds are kept, and found again.
    public var kept: String?

    public init(file: String, threads: Int) {
        self.file = file
        self.threads = threads
    }

    /// Says whether all of it can be done.
    public func check() throws(InvalidText) {
        guard (1...10_000).contains(worlds ?? 1) else {
            throw InvalidText("--worlds is a whole number from 1 to 10000")
        }
        guard (1...1_024).contains(threads) else { throw InvalidText("--threads is a whole number from 1 to 1024") }
        if json ? StudyFiles(csv: csv, svg: svg).takesStandardOutput : csv == StudyFiles.standardOutput && csv == svg {
            throw InvalidText("only one of --csv -, --svg - and --json can be on standard output")
        }
    }

    /// Reads the file, computes what is missing, writes the files.
    ///
    /// - Parameters:
    ///   - progress: hears which share is done, 0 to 1, on any thread; false ends it.
    ///   - bytes: takes a file for standard output.
    /// - Returns: the lines for standard output.
    public func carryOut(
        progress: @escaping @Sendable (Double) -> Bool,
        bytes: (String) -> Void
    ) async throws(OperationFailure) -> [String] {
        let files = StudyFiles(csv: csv, svg: svg)
        try files.check()
        var plan = try StudyPlan(file: file)
        if let worlds { plan.worlds = worlds }
        if let seed { plan.seed = seed }
        let store = try kept.map { path throws(OperationFailure) in try OutcomeFile(path: path) }
        guard let results = try await results(plan, store, progress) else { throw .interruption }
        try files.write(csv: results.csv, svg: results.svg, output: bytes)
        guard !files.takesStandardOutput else { return [] }
        return json ? results.json : results.table
    }

    /// On a thread of its own, since it takes long and waits for others.
    private func results(
        _ plan: StudyPlan,
        _ store: OutcomeFile?,
        _ progress: @escaping @Sendable (Double) -> Bool
    ) async throws(OperationFailure) -> StudyResults? {
        let threads = threads
        let answer: Result<StudyResults?, any Error> = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let runner = ThreadedRunner(threads: threads)
                continuation.resume(
                    returning: Result {
                        guard let store else { return try plan.results(on: runner, progress) }
                        return try plan.results(on: ResumingRunner(runner, keeping: store), progress)
                    }
                )
            }
        }
        do { return try answer.get() } catch let failure as OperationFailure { throw failure } catch {
            throw OperationFailure("\(error)")
        }
    }
}
