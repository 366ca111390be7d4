/// Answers the peer's wish to pair with "pairing not supported". Core 6.0, Vol 3, Part H, 3.5.5.
enum SecurityManagerRefusal {
    private static let pairingRequest: UInt8 = 0x01
    private static let pairingFailed: UInt8 = 0x05
    private static let securityRequest: UInt8 = 0x0B
    private static let pairingNotSupported: UInt8 = 0x05

    /// The answer to a PDU on the security manager's channel; nil where none is due. Only what begins a pairing is
    /// answered: the rest belongs to a pairing that does not exist.
    static func reply(to pdu: RawSpan) -> [UInt8]? {
        guard pdu.byteCount > 0 else { return nil }
        switch pdu.unsafeLoad(fromByteOffset: 0, as: UInt8.self) {
        case pairingRequest, securityRequest:
            var buffer = OutgoingPDU.buffer(capacity: 2)
            buffer.append(pairingFailed)
            buffer.append(pairingNotSupported)
            return buffer
        default: return nil
        }
    }
}
