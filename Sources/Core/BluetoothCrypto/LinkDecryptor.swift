/// The receiving end of one direction of an encrypted link: AES-CCM with a MIC of four bytes and a counter of the
/// packets. Core 6.0, Vol 6, Part E, 1 and 2.
///
/// It cannot be copied, so that there is one count of what has arrived. Only new PDUs come here: one that is received
/// again is dropped by its sequence number, and empty PDUs are not encrypted.
///
/// Nothing of a PDU that fails the check is given out, and the counter stays.
public struct LinkDecryptor: ~Copyable, Sendable {
    private var cipher: CounterWithMAC

    /// The state for the first PDU of a session in one direction, or with a later counter for tests.
    public init(_ session: LinkSession, direction: LinkSession.Direction, packetCounter: UInt64 = 0) {
        cipher = CounterWithMAC(session, direction: direction, packetCounter: packetCounter)
    }

    /// How many PDUs have been decrypted.
    public var packetCounter: UInt64 { cipher.packetCounter }

    /// Appends what an encrypted payload with its MIC says. After an error nothing has been appended.
    ///
    /// - Parameter header: The first octet of the PDU's header; the bits that may change are masked here.
    public mutating func decrypt(
        _ payload: RawSpan,
        header: UInt8,
        appendingTo out: inout [UInt8]
    ) throws(LinkCipherError) {
        let count = payload.byteCount - LinkEncryptor.integrityCheckLength
        // A peer may send any length; what is too short for a MIC or too long for any sender was not made by the key.
        guard LinkEncryptor.payloadLengths.contains(count) else { throw .messageIntegrityCheckFailed }
        guard cipher.packetCounter < CounterWithMAC.packetCounterLimit else { throw .packetCounterExhausted }
        let isAuthentic = unsafe payload.withUnsafeBytes { bytes in
            let check = unsafe bytes.loadUnaligned(fromByteOffset: count, as: UInt32.self).littleEndian
            return unsafe cipher.decrypt(
                UnsafeRawBufferPointer(rebasing: bytes[..<count]),
                check: check,
                header: header,
                appendingTo: &out
            )
        }
        guard isAuthentic else { throw .messageIntegrityCheckFailed }
    }

    /// Decrypts in place what follows `start`, payload and MIC, and removes the MIC. After an error the bytes are
    /// what they were.
    public mutating func decrypt(
        _ bytes: inout [UInt8],
        from start: Int = 0,
        header: UInt8
    ) throws(LinkCipherError) {
        precondition((0...bytes.count).contains(start), "a payload begins within its bytes")
        var decrypted = [UInt8](bytes[..<start])
        try decrypt(bytes.span.bytes.extracting(start...), header: header, appendingTo: &decrypted)
        bytes = decrypted
    }
}
