public import BluethroatBluetoothValues

/// Events of a pairing, and questions for people. Each question is answered with `PairingAnswer`; the peer gives up
/// when an answer takes longer than 30 s.
public enum PairingEvent: Sendable {
    /// The peer asks to pair, with these features; or it has answered this host's request with them, and
    /// `PairingSettings.asksBeforeJustWorks` wants a person's yes. To be answered with `agree` or `refuse`.
    case consentRequested(ConnectionID, PairingFeatures)
    /// Both devices show six digits. To be answered with `agree` if they are the same, and with `refuse` if not.
    case comparisonRequested(ConnectionID, digits: Passkey)
    /// Six digits to show until the pairing has ended; a person types them into the peer.
    case passkeyShown(ConnectionID, Passkey)
    /// The six digits that the peer shows, or that a person types into both, are requested. To be answered with
    /// `passkey`.
    case passkeyRequested(ConnectionID)
    /// What the person has just done who types at the peer.
    case keypress(ConnectionID, Keypress)
    /// The peripheral requests encryption of the link: with the key of a bond that is good enough, or by pairing.
    case securityRequested(ConnectionID, AuthenticationRequirements)
    case finished(ConnectionID, PairingResult)
    /// The pairing has failed, and nothing of it is left.
    case failed(ConnectionID, PairingFailure)
}

/// What a person says.
public enum PairingAnswer: Hashable, Sendable {
    /// Yes, pair; yes, the digits are the same.
    case agree
    /// The six digits that were requested.
    case passkey(Passkey)
    /// No. Ends the pairing at any time, asked or not.
    case refuse
}

/// How a pairing failed.
public enum PairingFailure: Error, Hashable, Sendable {
    /// This host ended it and has sent the reason to the peer.
    case refused(PairingFailureReason)
    /// The peer ended it.
    case refusedByPeer(PairingFailureReason)
    /// Nothing was sent for 30 s. There is no pairing on this connection any more. Core 6.0, Vol 3, Part H, 3.4.
    case timedOut
    case disconnected
    /// The link was not encrypted with the new key.
    case encryptionFailed(ControllerError)
}

/// Why an order about pairing was not carried out.
public enum PairingOrderError: Error, Hashable, Sendable {
    /// The connection is gone.
    case noConnection
    /// Only a central begins to pair, and only a peripheral asks for it.
    case wrongRole
    /// A pairing is under way.
    case pairingUnderWay
    /// A pairing on this connection has timed out, so that there is none any more.
    case timedOutBefore
    /// The last attempts with this peer have failed too short a time ago.
    case repeatedAttempts
    /// There is no such question.
    case notAsked
    /// The host is not up.
    case notPoweredOn
    /// The controller has no encryption.
    case unsupported
    /// The link is just being encrypted; `encryptionChanged` or `encryptionFailed` comes first.
    case encryptionUnderWay
    /// The peer has lost the bond's key. To pair anew, which replaces the bond, takes an order of its own: `pair`.
    case bondLost
    /// The settings name key sizes outside of 7 to 16 bytes, or a shortest one above the longest.
    case keySizesOutOfRange
    /// What these settings can reach at best is less than the bond with this peer; the bond has to be removed first.
    case weakerThanBond
}

extension PairingOrderError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .noConnection: "the connection is gone"
        case .wrongRole: "only a central begins to pair, and only a peripheral asks for it"
        case .pairingUnderWay: "a pairing is under way"
        case .timedOutBefore: "a pairing has timed out on this connection; another needs a new connection"
        case .repeatedAttempts: "the last attempts to pair with this device failed too short a time ago"
        case .notAsked: "there is no such question"
        case .notPoweredOn: "Bluetooth is not switched on"
        case .unsupported: "the controller cannot encrypt"
        case .encryptionUnderWay: "the link is just being encrypted"
        case .bondLost: "the other device has lost the bond; pair anew to replace it"
        case .keySizesOutOfRange: "an encryption key has 7 to 16 bytes, and the shortest is no longer than the longest"
        case .weakerThanBond: "the bond with this device is better than what these settings can reach; remove it first"
        }
    }
}
