import BluethroatCentral
import BluethroatEvents
import BluethroatTerminal
import BluethroatVirtualTime

extension LineOutput {
    /// The standard streams of the process.
    static let standard = LineOutput(
        result: { StandardOutput.write($0) },
        error: { StandardError.write($0) },
        hint: { StandardError.hint($0) }
    )
}

extension CentralEventWriter {
    /// Writes to the standard streams.
    convenience init(json: Bool) {
        let write = json ? StandardOutput.write : StandardOutput.writeFolded
        self.init(json: json, write: write, hint: StandardError.hint, complain: StandardError.write)
    }

    /// For commands whose standard output carries data: what happens goes to standard error.
    static func besideData(json: Bool) -> CentralEventWriter {
        CentralEventWriter(
            json: json,
            write: StandardError.write,
            hint: StandardError.write,
            complain: { if !json { StandardError.write($0) } }
        )
    }

    /// The last thing a command says before it has begun; the exit code to end with.
    func end(_ failure: OperationFailure) -> ExitStatus {
        fail(failure, at: .zero)
        return failure.status
    }
}
