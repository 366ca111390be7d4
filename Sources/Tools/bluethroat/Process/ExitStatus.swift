import BluethroatEvents

/// How the command ends, for scripts.
enum ExitStatus: Int32, Error {
    case done = 0
    /// The peer or the radio said no.
    case refused = 1
    case wrongUsage = 2
    /// Nothing was found in time.
    case nothingFound = 3
}

extension OperationFailure {
    /// The exit code of a command that ends with this.
    var status: ExitStatus {
        switch kind {
        case .refused: .refused
        case .wrongUsage: .wrongUsage
        case .nothingFound: .nothingFound
        }
    }
}
