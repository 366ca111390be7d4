package import BluethroatEvents
import BluethroatHost
import BluethroatKeyFob
package import BluethroatKeyFobConsole

extension KeyFobWorldEvent {
    /// A radio that fails ends the fob, except that a host restarts a controller which has reported a defect.
    package func failure(of radio: KeyFobOutput.Radio) -> OperationFailure? {
        if case .of(_, let event) = self { return event.failure(of: radio) }
        guard case .changed(let notices) = self else { return nil }
        for notice in notices {
            switch notice.change {
            case .fob(.radioFailed(.hardwareError)): continue
            case .fob(.radioFailed(let failure)):
                return OperationFailure("\(radio.transport) cannot be used: \(failure)", time: notice.time)
            default: continue
            }
        }
        return nil
    }
}

extension KeyFobOutput.Radio {
    /// The place alone.
    fileprivate var transport: String {
        switch self {
        case .air(let place), .controller(let place): place
        }
    }
}
