internal import BluethroatByteCoding

/// The buffer of a PDU on its way to the controller.
///
/// The builder of an ATT, SMP or signalling PDU leaves nine bytes free in front of it: one for the H4 indicator,
/// four for the ACL header, four for the L2CAP header. The layers below fill them in, so that a PDU costs one
/// allocation and no copy.
enum OutgoingPDU {
    /// Bytes to leave free in front of a PDU.
    static let headroom = 9

    /// A buffer with the headroom in it and room for a PDU of `capacity` bytes behind.
    static func buffer(capacity: Int) -> [UInt8] {
        var bytes = empty
        bytes.reserveCapacity(headroom + capacity)
        return bytes
    }

    private static let empty = [UInt8](repeating: 0, count: headroom)
}

extension OutgoingPDU {
    /// Bytes of the L2CAP header: length and channel. Core 6.0, Vol 3, Part A, 3.1.
    static let headerLength = 4
    /// Where the L2CAP header begins in the buffer.
    static let headerOffset = headroom - headerLength

    /// Fills in the L2CAP header of a finished PDU.
    static func address(_ buffer: inout [UInt8], to channel: ChannelID) {
        let length = buffer.count - headroom
        precondition(length >= 0 && length <= 0xFFFF, "an L2CAP PDU has 0 to 65535 bytes behind its headroom")
        buffer[5] = UInt8(truncatingIfNeeded: length)
        buffer[6] = UInt8(truncatingIfNeeded: length >> 8)
        buffer[7] = UInt8(truncatingIfNeeded: channel.rawValue)
        buffer[8] = UInt8(truncatingIfNeeded: channel.rawValue >> 8)
    }
}
