import AirPackets
import BluetoothValues
import HCI
import VirtualTime

/// ACL termination: LL_TERMINATE_IND and its acknowledgement. Core 6.0, Vol 6, Part B, 5.1.6.
extension Procedures {
    /// What the host hears when the link ends by our own termination.
    var terminationReason: FailureCode? {
        if case .termination = active { .connectionTerminatedByLocalHost } else { peerTerminates }
    }
}

extension Connection {
    /// Ends the link as the host asks: whatever else was under way stops, and data that is not in flight yet does not go
    /// out any more, since control PDUs go first.
    func terminate(_ reason: ControllerError, at now: Instant) {
        procedures.active = .termination(reason)
        procedures.waiting.removeAll()
        queue.append(urgent: .terminateInd(reason))
        encryption.deadline = nil
        // The procedure ends with the acknowledgement or after the supervision timeout.
        procedures.deadline = now + parameters.supervisionTimeout.span
    }

    var isTerminating: Bool {
        if case .termination = procedures.active { true } else { false }
    }

    /// The peer ends the link; it wants its PDU acknowledged first.
    func receiveTermination(_ reason: ControllerError) {
        procedures.peerTerminates = FailureCode(received: reason)
    }
}
