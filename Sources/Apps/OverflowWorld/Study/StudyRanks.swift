package import BluethroatEvents

/// Who computes a study together: threads of this process, or the processes that mpirun has started.
package struct StudyRanks: Sendable {
    enum Kind {
        case threads(Int)
        case processes
    }

    let kind: Kind

    /// - Parameter text: `mpi`, or how many threads.
    package init(_ text: String) throws(InvalidText) {
        if text == "mpi" {
            kind = .processes
            return
        }
        guard let count = Int(text), 1...256 ~= count else {
            throw InvalidText("\(text.isEmpty ? "nothing" : text) is not possible; give mpi, or a number from 1 to 256")
        }
        kind = .threads(count)
    }
}
