public import BluethroatByteCoding

/// Thirty-two bytes: a coordinate of a P-256 public key, a private key, a Diffie-Hellman key.
///
/// As with `Block128`, byte 0 is the most significant; packets carry them the other way round.
public struct Block256: Hashable, Sendable {
    /// Bytes 0 to 15.
    public var high: Block128
    /// Bytes 16 to 31.
    public var low: Block128

    /// 256 zeros.
    public static let zero = Self(high: .zero, low: .zero)

    /// The 256 bits in two halves, the more significant one first.
    @inlinable
    public init(high: Block128, low: Block128) {
        self.high = high
        self.low = low
    }

    /// Thirty-two bytes, most significant first, as the specification prints them; nil for any other count.
    @inlinable
    public init?(bigEndian bytes: some Collection<UInt8>) {
        guard bytes.count == 32, let high = Block128(bigEndian: bytes.prefix(16)),
            let low = Block128(bigEndian: bytes.suffix(16))
        else { return nil }
        self.init(high: high, low: low)
    }

    /// Thirty-two bytes, least significant first, as in HCI and SMP packets; nil for any other count.
    @inlinable
    public init?(littleEndian bytes: some Collection<UInt8>) {
        guard bytes.count == 32, let low = Block128(littleEndian: bytes.prefix(16)),
            let high = Block128(littleEndian: bytes.suffix(16))
        else { return nil }
        self.init(high: high, low: low)
    }

    /// Takes thirty-two bytes, least significant first, as in HCI and SMP packets.
    @inlinable
    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        guard bytes.byteCount >= 32 else { throw .truncated(needed: 32, available: bytes.byteCount) }
        low = try Block128(parsing: &bytes)
        high = try Block128(parsing: &bytes)
    }

    /// Appends the thirty-two bytes, least significant first.
    @inlinable
    public func write(to out: inout [UInt8]) {
        low.write(to: &out)
        high.write(to: &out)
    }

    /// Appends the thirty-two bytes, most significant first.
    @inlinable
    public func writeBigEndian(to out: inout [UInt8]) {
        high.writeBigEndian(to: &out)
        low.writeBigEndian(to: &out)
    }

    /// The thirty-two bytes, most significant first.
    public var bigEndianBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        writeBigEndian(to: &bytes)
        return bytes
    }

    /// The thirty-two bytes, least significant first.
    public var littleEndianBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(32)
        write(to: &bytes)
        return bytes
    }
}
