internal import BluethroatBluetoothValues
internal import BluethroatByteCoding
internal import BluethroatHCI

/// A K-frame on its way to the controller: cut straight from the SDU into ACL data packets. Core 6.0, Vol 3, Part A,
/// 3.4.
struct ChannelFrame {
    /// Bytes of the SDU's length, in front of its first bytes.
    static let sduLengthBytes = 2

    private let channel: UInt16
    private let sdu: [UInt8]
    /// Where the bytes lie in the SDU that have not left.
    private var start: Int
    private let end: Int
    private let isFirst: Bool
    private var hasBegun = false

    init(channel: UInt16, sdu: [UInt8], start: Int, count: Int, isFirst: Bool) {
        self.channel = channel
        self.sdu = sdu
        self.start = start
        end = start + count
        self.isFirst = isFirst
    }

    /// Whether the last packet has left.
    var isFinished: Bool { hasBegun && start == end }

    /// The next ACL data packet, with at most `maximumLength` bytes of data, which holds the headers at least.
    mutating func nextPacket(handle: ConnectionHandle, maximumLength: Int) -> [UInt8] {
        let prefix = hasBegun ? 0 : OutgoingPDU.headerLength + (isFirst ? Self.sduLengthBytes : 0)
        let count = min(maximumLength - prefix, end - start)
        var packet: [UInt8] = []
        packet.reserveCapacity(ACLHeader.byteCount + prefix + count)
        ACLHeader(
            handle: handle,
            boundary: hasBegun ? .continuing : .firstNonFlushable,
            dataLength: prefix + count
        ).write(to: &packet)
        if !hasBegun {
            packet.appendUInt16(UInt16(end - start + (isFirst ? Self.sduLengthBytes : 0)))
            packet.appendUInt16(channel)
            if isFirst { packet.appendUInt16(UInt16(sdu.count)) }
        }
        packet.append(contentsOf: sdu[start..<(start + count)])
        start += count
        hasBegun = true
        return packet
    }
}
