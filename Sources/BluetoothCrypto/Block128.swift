/// Sixteen bytes: an AES key, a block of text, a code that authenticates a message.
///
/// It has one order, that of FIPS-197, where byte 0 is the most significant; whoever reads it from a packet says
/// whether it came the other way round, as nearly everything in Bluetooth does.
public struct Block128: Hashable, Sendable {
    /// Bytes 0 to 7, byte 0 in the highest bits.
    @usableFromInline
    var high: UInt64
    /// Bytes 8 to 15.
    @usableFromInline
    var low: UInt64

    /// 128 zeros.
    public static let zero = Self(high: 0, low: 0)

    /// The 128 bits in two halves, the more significant one first.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Sixteen bytes, most significant first, as the specification prints keys; nil for any other count.
    public init?(bigEndian bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.init(high: Self.join(bytes.prefix(8)), low: Self.join(bytes.suffix(8)))
    }

    /// Sixteen bytes, least significant first, as in HCI and SMP packets; nil for any other count.
    public init?(littleEndian bytes: some Collection<UInt8>) {
        self.init(bigEndian: bytes.reversed())
    }

    /// The sixteen bytes, most significant first.
    public var bigEndianBytes: [UInt8] { (0..<16).map { self[$0] } }

    /// The sixteen bytes, least significant first.
    public var littleEndianBytes: [UInt8] { (0..<16).map { self[15 - $0] } }

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

    private static func join(_ bytes: some Collection<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
