import BluethroatHost
import BluethroatPhones

/// How a simulated peripheral pairs.
public enum SimulatedPairing: Hashable, Sendable {
    /// Without asking the user, as most sensors do.
    case justWorks
    /// It shows these six digits, which the phone's person types: `PhoneSettings.passkey`.
    case showsDigits(String)
    /// Not at all.
    case refused

    var settings: PairingSettings {
        switch self {
        case .justWorks: return PairingSettings(.justWorks)
        case .showsDigits(let digits):
            guard let passkey = Passkey(digits: digits) else {
                preconditionFailure("a passkey has six digits, not \(digits)")
            }
            return PairingSettings(.showsDigits(passkey))
        case .refused: return PairingSettings(.refused)
        }
    }
}
