/// What the two ends of an encrypted link have in common: the session key and the initialisation vector.
/// Core 6.0, Vol 6, Part B, 5.1.3.1.
public struct LinkSession: Equatable, Sendable {
    /// SK, the key of the link until it is paused or ends.
    public let key: Block128
    /// IV, the peripheral's half in the upper 32 bits.
    public let initializationVector: UInt64

    /// The session that LL_ENC_REQ and LL_ENC_RSP agree upon: SK is the diversifier, of which the peripheral gave the
    /// upper half, encrypted with the long term key.
    public init(
        longTermKey: Block128,
        centralDiversifier: UInt64,
        peripheralDiversifier: UInt64,
        centralVector: UInt32,
        peripheralVector: UInt32
    ) {
        let diversifier = Block128(high: peripheralDiversifier, low: centralDiversifier)
        key = AESBlock.encrypt(key: longTermKey, plaintext: diversifier)
        initializationVector = UInt64(peripheralVector) << 32 | UInt64(centralVector)
    }

    /// Which way a PDU goes, so that no nonce serves both ways. Core 6.0, Vol 6, Part E, 2.1.
    public enum Direction: UInt8, Sendable {
        case peripheralToCentral = 0
        case centralToPeripheral = 1
    }
}

/// Why a PDU could not be encrypted or decrypted.
public enum LinkCipherError: Error, Hashable, Sendable {
    /// The PDU was not made with this key, for this place in the sequence, or it was changed on its way. The link has
    /// to end with error 0x3D. Core 6.0, Vol 6, Part B, 5.1.3.1.
    case messageIntegrityCheckFailed
    /// All 2³⁹ nonces of the session have been used; another one would give the key away. The link needs a new
    /// session key or has to end. Core 6.0, Vol 6, Part E, 2.1.
    case packetCounterExhausted
}
