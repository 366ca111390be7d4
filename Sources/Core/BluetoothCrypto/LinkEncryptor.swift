/// The sending end of one direction of an encrypted link: AES-CCM with a MIC of four bytes and a counter of the
/// packets. Core 6.0, Vol 6, Part E, 1 and 2.
///
/// It cannot be copied: two PDUs encrypted with one value of the counter would give away both.
///
/// A PDU is encrypted once and sent until it is acknowledged; NESN, SN and MD may change in between, since the MIC
/// does not cover them. Empty PDUs are not encrypted and not counted.
public struct LinkEncryptor: ~Copyable, Sendable {
    /// Bytes that encryption adds to a PDU.
    public static let integrityCheckLength = 4
    /// Bytes of payload that a PDU can have and still be encrypted.
    public static let payloadLengths = 1...251

    private var cipher: CounterWithMAC

    /// The state for the first PDU of a session in one direction, or with a later counter for tests.
    public init(_ session: LinkSession, direction: LinkSession.Direction, packetCounter: UInt64 = 0) {
        cipher = CounterWithMAC(session, direction: direction, packetCounter: packetCounter)
    }

    /// How many PDUs have been encrypted.
    public var packetCounter: UInt64 { cipher.packetCounter }

    /// Appends the encrypted payload, 1 to 251 bytes, and its MIC to a frame that is being built.
    ///
    /// - Parameter header: The first octet of the PDU's header; the bits that may change are masked here.
    public mutating func encrypt(
        _ payload: RawSpan,
        header: UInt8,
        appendingTo out: inout [UInt8]
    ) throws(LinkCipherError) {
        precondition(
            Self.payloadLengths.contains(payload.byteCount),
            "1 to 251 bytes can be encrypted, not \(payload.byteCount)"
        )
        guard cipher.packetCounter < CounterWithMAC.packetCounterLimit else { throw .packetCounterExhausted }
        unsafe payload.withUnsafeBytes { unsafe cipher.encrypt($0, header: header, appendingTo: &out) }
    }

    /// Encrypts in place what follows `start`, and appends the MIC.
    public mutating func encrypt(
        _ bytes: inout [UInt8],
        from start: Int = 0,
        header: UInt8
    ) throws(LinkCipherError) {
        let plain = bytes
        var encrypted = [UInt8](bytes[..<start])
        try encrypt(plain.span.bytes.extracting(start...), header: header, appendingTo: &encrypted)
        bytes = encrypted
    }
}
