public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// The channel map as five bytes on the air, channel 0 in the lowest bit. Core 6.0, Vol 6, Part B, 2.3.3.1.
extension ChannelMap {
    /// Takes five bytes. The three bits beyond channel 36 are reserved and ignored; fewer than two channels are an
    /// error.
    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        guard bytes.byteCount >= 5 else { throw .truncated(needed: 5, available: bytes.byteCount) }
        let low = try bytes.takeUInt32()
        let high = try bytes.takeUInt8() & 0x1F
        let bits = UInt64(low) | UInt64(high) << 32
        guard let map = Self(bits: bits) else { throw .invalidValue(field: "channel map", value: Int(bits)) }
        self = map
    }

    /// Writes the five bytes.
    public func write(to out: inout [UInt8]) {
        out.appendUInt32(UInt32(truncatingIfNeeded: bits))
        out.appendUInt8(UInt8(truncatingIfNeeded: bits >> 32))
    }
}
