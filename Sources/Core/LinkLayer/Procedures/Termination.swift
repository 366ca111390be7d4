import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// ACL termination as our host asks for it: LL_TERMINATE_IND and its acknowledgement. Core 6.0, Vol 6, Part B, 5.1.6.
struct Termination: Sendable {
    /// The procedure of ours that was under way, if the host has not heard of its end. It does not go on.
    private(set) var interrupted: ProcedureKind?
    /// How far encryption was: it says what the peer may still send.
    let encryption: EncryptionStart?

    init(interrupting local: LocalProcedure?) {
        switch local {
        case .encryptionStart(let start): encryption = start
        case .termination(let termination): encryption = termination.encryption
        default: encryption = nil
        }
        if case .termination(let termination) = local {
            interrupted = termination.interrupted
        } else {
            interrupted = local?.kind
        }
    }

    /// The host has heard of the end.
    mutating func withdraw(_ kind: ProcedureKind) { if interrupted == kind { interrupted = nil } }
}

extension Connection {
    /// Ends the link as the host asks: whatever else was under way stops, and data that is not in flight yet does not go
    /// out any more, since control PDUs go first.
    mutating func terminate(_ reason: ControllerError, at now: Instant) {
        procedures.begin(.termination(Termination(interrupting: procedures.local)))
        queue.append(urgent: .terminateInd(reason))
        disarm(.remoteProcedure)
        // The procedure ends with the acknowledgement or after the supervision timeout.
        arm(.localProcedure, at: now + parameters.supervisionTimeout.span)
    }

    /// The peer ends the link; its PDU has to be acknowledged first.
    mutating func receiveTermination(_ reason: ControllerError) {
        procedures.begin(.termination(FailureCode(received: reason)))
    }
}
