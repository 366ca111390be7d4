package import BluethroatEvents

/// How a study is computed at a terminal: progress on standard error, rows on standard output.
package enum StudyOutput {
    package typealias Work = (
        _ progress: @escaping @Sendable (Double?) -> Bool, _ report: @escaping @Sendable (String) -> Void,
        _ bytes: (String) -> Void
    ) async throws(OperationFailure) -> [String]

    /// Writes the lines that `work` answers. A failure is said, as an object with `json`, before it is thrown; who is
    /// asked to end while it computes ends it.
    package static func write(json: Bool, _ work: Work) async throws(OperationFailure) {
        let (progress, end) = (ShareProgress(), Signals.endRequest())
        do throws(OperationFailure) {
            let lines = try await work(
                { share in
                    if let share { progress.show(share) }
                    return !end.isAsked
                },
                { StandardError.write($0) },
                { text in
                    progress.end()
                    StandardOutput.writeBytes(text)
                }
            )
            end.end()
            progress.end()
            for line in lines { StandardOutput.write(line) }
        } catch {
            end.end()
            progress.end()
            if json {
                var line = JSONLine(event: "error")
                line.add("message", error.message)
                StandardOutput.write(line.text)
            }
            StandardError.write(error.message)
            throw error
        }
    }
}
