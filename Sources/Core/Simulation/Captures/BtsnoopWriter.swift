import BluethroatByteCoding
public import BluethroatVirtualTime

/// Writes btsnoop, the HCI log of BlueZ and Android, as bytes appended to a list: one HCI with H4 packets, big-endian,
/// microseconds. RFC 1761 describes its ancestor; datalink 1002 is H4.
///
/// The format does not distinguish controllers: give each its own file, or write pcapng.
public struct BtsnoopWriter: Sendable {
    private let epoch: CaptureEpoch
    /// How many packets were lost before this one; each record repeats it.
    public var droppedPackets: UInt32 = 0

    public init(epoch: CaptureEpoch) { self.epoch = epoch }

    /// The beginning of the file.
    public func writeHeader(into out: inout [UInt8]) {
        out += Array("btsnoop\0".utf8)
        Self.appendBigEndian(1, to: &out)
        Self.appendBigEndian(1002, to: &out)
    }

    /// One packet, H4 byte first.
    public func write(
        hci packet: [UInt8],
        direction: HCIDirection,
        at instant: Instant,
        into out: inout [UInt8]
    ) {
        out.reserveCapacity(out.count + 24 + packet.count)
        let length = UInt32(packet.count)
        Self.appendBigEndian(length, to: &out)
        Self.appendBigEndian(length, to: &out)
        Self.appendBigEndian(Self.flags(packet, direction), to: &out)
        Self.appendBigEndian(droppedPackets, to: &out)
        let time = epoch.nanosecondsSince1970(at: instant) / 1_000 + Self.microsecondsBefore1970
        Self.appendBigEndian(UInt32(truncatingIfNeeded: time >> 32), to: &out)
        Self.appendBigEndian(UInt32(truncatingIfNeeded: time), to: &out)
        out += packet
    }

    /// The format counts from the year 0.
    private static let microsecondsBefore1970: UInt64 = 0x00DC_DDB3_0F2F_8000

    /// Bit 0: received by the host. Bit 1: command or event rather than data.
    private static func flags(_ packet: [UInt8], _ direction: HCIDirection) -> UInt32 {
        let isCommandOrEvent = packet.first == 0x01 || packet.first == 0x04
        return UInt32(direction.rawValue) | (isCommandOrEvent ? 0x02 : 0)
    }

    private static func appendBigEndian(_ number: UInt32, to out: inout [UInt8]) {
        out.appendUInt16BigEndian(UInt16(truncatingIfNeeded: number >> 16))
        out.appendUInt16BigEndian(UInt16(truncatingIfNeeded: number))
    }
}
