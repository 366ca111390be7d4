public import BluethroatEvents

/// Who computes a study together: threads of this process, or the processes that mpirun has started.
public enum StudyRanks: Hashable, Sendable {
    case threads(Int)
    case processes

    /// - Parameter text: `mpi`, or how many threads, 1 to 256.
    public init(_ text: String) throws(InvalidText) {
        if text == "mpi" {
            self = .processes
            return
        }
        guard let count = Int(text), 1...256 ~= count else {
            throw InvalidText("\(text.isEmpty ? "nothing" : text) is not possible; give mpi, or a number from 1 to 256")
        }
        self = .threads(count)
    }
}
