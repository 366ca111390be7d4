import BluethroatHost

/// What a link must be like before something may be read, written, subscribed to or opened.
///
/// Where it is not, the peripheral refuses, and the phone pairs by itself, as phones do; `CBMCentralManagerMock.simulatePairing`
/// has the test answer what it asks.
public enum CBMSecurity: Hashable, Sendable {
    case none
    /// Encrypted, with any key.
    case encrypted
    /// Encrypted with a key from a pairing for which digits were typed or compared.
    case authenticated

    var access: AttributeAccess {
        switch self {
        case .none: .open
        case .encrypted: .encrypted
        case .authenticated: .authenticated
        }
    }
}

/// How a simulated peripheral pairs.
public enum CBMPairing: Hashable, Sendable {
    /// Without digits, as most sensors do.
    case justWorks
    /// It shows these six digits, which are to be typed into the phone. Other text lets it refuse, and the log says so.
    case showsPasskey(String)
    /// It shows six digits, and so does the phone; both have to agree. The peripheral does.
    case comparesDigits
    /// Not at all.
    case refused
}
