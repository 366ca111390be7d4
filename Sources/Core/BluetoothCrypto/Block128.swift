public import BluethroatByteCoding

/// Sixteen bytes: an AES key, a block of text, a code that authenticates a message.
///
/// It has one order, that of FIPS-197, where byte 0 is the most significant; a decoder says whether
/// a packet has it in the other order, as nearly everything in Bluetooth is sent.
public struct Block128: Hashable, Sendable {
    /// Bytes 0 to 7, byte 0 in the highest bits.
    public var high: UInt64
    /// Bytes 8 to 15.
    public var low: UInt64

    /// 128 zeros.
    public static let zero = Self(high: 0, low: 0)

    /// The 128 bits in two halves, the more significant one first.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Sixteen bytes, most significant first, as the specification prints keys; nil for any other count.
    @inlinable
    public init?(bigEndian bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &halves) { $0.copyBytes(from: bytes) }
        self.init(high: UInt64(bigEndian: halves.0), low: UInt64(bigEndian: halves.1))
    }

    /// Sixteen bytes, least significant first, as in HCI and SMP packets; nil for any other count.
    @inlinable
    public init?(littleEndian bytes: some Collection<UInt8>) {
        self.init(bigEndian: bytes)
        (high, low) = (low.byteSwapped, high.byteSwapped)
    }

    /// Takes sixteen bytes, least significant first, as in HCI and SMP packets.
    @inlinable
    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        guard bytes.byteCount >= 16 else { throw .truncated(needed: 16, available: bytes.byteCount) }
        low = try bytes.takeUInt64()
        high = try bytes.takeUInt64()
    }

    /// Appends the sixteen bytes, least significant first.
    @inlinable
    public func write(to out: inout [UInt8]) {
        withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) { out.append(contentsOf: $0) }
    }

    /// Appends the sixteen bytes, most significant first.
    @inlinable
    public func writeBigEndian(to out: inout [UInt8]) {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { out.append(contentsOf: $0) }
    }

    /// The sixteen bytes, most significant first.
    @inlinable
    public var bigEndianBytes: [UInt8] { withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { [UInt8]($0) } }

    /// The sixteen bytes, least significant first.
    @inlinable
    public var littleEndianBytes: [UInt8] { withUnsafeBytes(of: (low.littleEndian, high.littleEndian)) { [UInt8]($0) } }

    /// Byte 0 to 15, byte 0 being the most significant.
    @inlinable
    public subscript(index: Int) -> UInt8 {
        precondition((0..<16).contains(index), "a block has bytes 0 to 15")
        return UInt8(truncatingIfNeeded: (index < 8 ? high : low) >> UInt64(8 * (7 - index % 8)))
    }

    /// Bit by bit, where the two differ.
    @inlinable
    public static func ^ (left: Self, right: Self) -> Self {
        Self(high: left.high ^ right.high, low: left.low ^ right.low)
    }

    /// A key shortened to so many octets, 7 to 16: the most significant ones become zero.
    /// Core 6.0, Vol 3, Part H, 2.3.4.
    public func shortened(toOctets count: Int) -> Self {
        precondition((7...16).contains(count), "an encryption key has 7 to 16 octets")
        guard count < 16 else { return self }
        guard count > 8 else { return Self(high: 0, low: low & .max >> UInt64(8 * (8 - count))) }
        return Self(high: high & .max >> UInt64(8 * (16 - count)), low: low)
    }
}
