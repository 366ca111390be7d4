import BluethroatHost

/// How a simulated peripheral pairs.
public enum SimulatedPairing: Hashable, Sendable {
    /// Without asking the user, as most sensors do.
    case justWorks
    /// It shows these six digits, which the phone's person types: `PhoneSettings.passkey`.
    case showsDigits(String)
    /// Not at all.
    case refused

    var settings: PairingSettings {
        var settings = PairingSettings()
        switch self {
        case .justWorks: break
        case .showsDigits(let digits):
            guard let passkey = Passkey(digits: digits) else {
                preconditionFailure("a passkey has six digits, not \(digits)")
            }
            settings.inputOutput = .displayOnly
            settings.passkey = .fixed(passkey)
            settings.protection = .required
        case .refused: settings.acceptsRequests = false
        }
        // As sensors on sale do, since a test is about the app.
        settings.bondReplacement = .grantedWithoutAuthentication
        return settings
    }
}
