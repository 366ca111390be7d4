package import BluethroatHost

/// How a simulated peripheral pairs.
package enum PeripheralPairing: Hashable, Sendable {
    /// Without digits, as most sensors do.
    case justWorks
    /// It shows these six digits, which are typed into the phone.
    case showsDigits(Passkey)
    /// It shows six digits that are the same on the phone, and its own person agrees.
    case comparesDigits
    /// Not at all.
    case refused
}

extension PairingSettings {
    package init(_ pairing: PeripheralPairing) {
        self.init()
        switch pairing {
        case .justWorks: break
        case .showsDigits(let passkey):
            inputOutput = .displayOnly
            self.passkey = .fixed(passkey)
            protection = .required
        case .comparesDigits:
            inputOutput = .displayYesNo
            protection = .required
        case .refused: acceptsRequests = false
        }
        // As sensors on sale do, since a test is about the app.
        bondReplacement = .grantedWithoutAuthentication
    }
}
