import BluethroatByteCoding

/// LL_ENC_REQ: the central names the key and gives its half of the session's secrets.
/// Core 6.0, Vol 6, Part B, 2.4.2.4.
public struct EncryptionRequest: Hashable, Sendable {
    /// Names the long term key together with EDIV; 0 for a key of LE Secure Connections.
    public var rand: UInt64
    /// Names the long term key together with Rand; 0 for a key of LE Secure Connections.
    public var ediv: UInt16
    /// SKD_C: the central's half of the session key diversifier.
    public var sessionKeyDiversifier: UInt64
    /// IV_C: the central's half of the initialisation vector.
    public var initializationVector: UInt32

    public init(rand: UInt64, ediv: UInt16, sessionKeyDiversifier: UInt64, initializationVector: UInt32) {
        self.rand = rand
        self.ediv = ediv
        self.sessionKeyDiversifier = sessionKeyDiversifier
        self.initializationVector = initializationVector
    }

    init(parsing bytes: inout RawSpan) throws(DecodeError) {
        rand = try bytes.takeUInt64()
        ediv = try bytes.takeUInt16()
        sessionKeyDiversifier = try bytes.takeUInt64()
        initializationVector = try bytes.takeUInt32()
    }

    func write(to out: inout [UInt8]) {
        out.appendUInt64(rand)
        out.appendUInt16(ediv)
        out.appendUInt64(sessionKeyDiversifier)
        out.appendUInt32(initializationVector)
    }
}

/// LL_ENC_RSP: the peripheral's half of the session's secrets. Core 6.0, Vol 6, Part B, 2.4.2.5.
public struct EncryptionResponse: Hashable, Sendable {
    /// SKD_P: the peripheral's half of the session key diversifier.
    public var sessionKeyDiversifier: UInt64
    /// IV_P: the peripheral's half of the initialisation vector.
    public var initializationVector: UInt32

    public init(sessionKeyDiversifier: UInt64, initializationVector: UInt32) {
        self.sessionKeyDiversifier = sessionKeyDiversifier
        self.initializationVector = initializationVector
    }

    init(parsing bytes: inout RawSpan) throws(DecodeError) {
        sessionKeyDiversifier = try bytes.takeUInt64()
        initializationVector = try bytes.takeUInt32()
    }

    func write(to out: inout [UInt8]) {
        out.appendUInt64(sessionKeyDiversifier)
        out.appendUInt32(initializationVector)
    }
}
