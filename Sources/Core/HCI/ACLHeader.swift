public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Whether an ACL packet begins an L2CAP PDU or goes on with one. Core 6.0, Vol 4, Part E, 5.4.2.
public enum PacketBoundary: UInt8, Sendable {
    /// Begins a PDU; the only beginning allowed from host to LE controller.
    case firstNonFlushable = 0
    case continuing = 1
    /// Begins a PDU; the only beginning from LE controller to host.
    case firstFlushable = 2
}

/// The front of an ACL data packet: the indicator, the connection with two flags, and the length.
/// Core 6.0, Vol 4, Part E, 5.4.2.
public struct ACLHeader: Hashable, Sendable {
    /// Bytes of the header, the indicator included.
    @inlinable
    public static var byteCount: Int { 5 }

    /// Which connection.
    public var handle: ConnectionHandle
    /// Whether a PDU begins here.
    public var boundary: PacketBoundary
    /// Bytes that follow the header.
    public var dataLength: Int

    @inlinable
    public init(handle: ConnectionHandle, boundary: PacketBoundary, dataLength: Int) {
        precondition(0...0xFFFF ~= dataLength, "an ACL packet holds at most 65535 bytes")
        self.handle = handle
        self.boundary = boundary
        self.dataLength = dataLength
    }

    /// Reads the header of a whole packet; the data, left in the span, must be as long as the header says.
    /// Broadcasts and complete automatically flushable PDUs do not exist on LE and are errors.
    @inlinable
    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        let indicator = try bytes.takeUInt8()
        guard indicator == PacketIndicator.acl.rawValue else {
            throw .invalidValue(field: "packet indicator", value: Int(indicator))
        }
        let word = try bytes.takeUInt16()
        guard let handle = ConnectionHandle(rawValue: word & 0x0FFF) else {
            throw .invalidValue(field: "connection handle", value: Int(word & 0x0FFF))
        }
        guard word >> 14 == 0, let boundary = PacketBoundary(rawValue: UInt8(word >> 12)) else {
            throw .invalidValue(field: "packet flags", value: Int(word >> 12))
        }
        let length = Int(try bytes.takeUInt16())
        guard bytes.byteCount == length else { throw .invalidLength(length) }
        self.handle = handle
        self.boundary = boundary
        self.dataLength = length
    }

    @inlinable
    public func write(to out: inout [UInt8]) { out.append(lowBytes: Self.byteCount, of: bytes) }

    /// The whole packet with these data, `dataLength` bytes of them.
    @inlinable
    package func packet(_ data: RawSpan) -> [UInt8] {
        precondition(data.byteCount == dataLength, "an ACL packet is as long as its header says")
        return [UInt8](lowBytes: Self.byteCount, of: bytes, then: data)
    }

    /// The header as an integer, its first byte the lowest.
    @inlinable
    var bytes: UInt64 {
        let word = handle.rawValue | UInt16(boundary.rawValue) << 12
        return UInt64(PacketIndicator.acl.rawValue) | UInt64(word) << 8 | UInt64(UInt16(dataLength)) << 24
    }

    /// Writes the header over the first five bytes of a packet whose data starts at index 5 and goes to its end.
    @inlinable
    public static func write(
        handle: ConnectionHandle,
        boundary: PacketBoundary,
        into packet: inout [UInt8]
    ) {
        let length = packet.count - byteCount
        precondition(0...0xFFFF ~= length, "an ACL packet has 5 bytes of header and at most 65535 of data")
        let word = handle.rawValue | UInt16(boundary.rawValue) << 12
        packet[0] = PacketIndicator.acl.rawValue
        packet[1] = UInt8(truncatingIfNeeded: word)
        packet[2] = UInt8(truncatingIfNeeded: word >> 8)
        packet[3] = UInt8(truncatingIfNeeded: length)
        packet[4] = UInt8(truncatingIfNeeded: length >> 8)
    }
}
