public import BluethroatBluetoothValues
public import BluethroatHost

/// What a phone asks its person while it pairs, or shows to them.
public struct PairingQuestion: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        /// Whether to pair at all, with Just Works or before the method is known. The answer is `agree` or `refuse`.
        case consent
        /// Whether the peer shows the same six digits. The answer is `agree` or `refuse`.
        case sameDigits(Passkey)
        /// The six digits that the peer shows. The answer is `passkey` or `refuse`.
        case digits
        /// The six digits that have to be typed into the peer. No answer is needed; `refuse` ends the pairing.
        case shown(Passkey)
    }

    public let kind: Kind
    /// The connection on which the two pair.
    public let connection: ConnectionID
    /// The peer: its identity if it is known, else its address on the air.
    public let peer: DeviceAddress
    /// Counts questions: one that looks the same may be of a later pairing.
    let number: UInt64
}
