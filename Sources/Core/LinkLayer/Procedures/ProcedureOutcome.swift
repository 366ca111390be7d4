import BluethroatBluetoothValues

/// How a Link Layer control procedure of ours has ended. A type of its own, so that no byte of the peer's can make a
/// refusal look like a success.
enum ProcedureOutcome: Hashable, Sendable {
    case completed
    case failed(FailureCode)

    /// The status that the host receives.
    var status: ControllerError {
        switch self {
        case .completed: .success
        case .failed(let reason): reason.error
        }
    }
}
