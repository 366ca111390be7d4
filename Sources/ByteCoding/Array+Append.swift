/// Writers, the counterpart of `RawSpan`'s `take` methods. Little-endian unless the name says otherwise.
extension [UInt8] {
    @inlinable
    public mutating func appendUInt8(_ value: UInt8) { append(value) }

    @inlinable
    public mutating func appendInt8(_ value: Int8) { append(UInt8(bitPattern: value)) }

    @inlinable
    public mutating func appendUInt16(_ value: UInt16) {
        append(UInt8(truncatingIfNeeded: value))
        append(UInt8(truncatingIfNeeded: value >> 8))
    }

    /// The low 24 bits.
    @inlinable
    public mutating func appendUInt24(_ value: UInt32) {
        appendUInt16(UInt16(truncatingIfNeeded: value))
        append(UInt8(truncatingIfNeeded: value >> 16))
    }

    @inlinable
    public mutating func appendUInt32(_ value: UInt32) {
        appendUInt16(UInt16(truncatingIfNeeded: value))
        appendUInt16(UInt16(truncatingIfNeeded: value >> 16))
    }

    /// The low 48 bits, as in a device address.
    @inlinable
    public mutating func appendUInt48(_ value: UInt64) {
        appendUInt32(UInt32(truncatingIfNeeded: value))
        appendUInt16(UInt16(truncatingIfNeeded: value >> 32))
    }

    @inlinable
    public mutating func appendUInt64(_ value: UInt64) {
        appendUInt32(UInt32(truncatingIfNeeded: value))
        appendUInt32(UInt32(truncatingIfNeeded: value >> 32))
    }

    @inlinable
    public mutating func appendUInt16BigEndian(_ value: UInt16) {
        append(UInt8(truncatingIfNeeded: value >> 8))
        append(UInt8(truncatingIfNeeded: value))
    }

    /// Copies all bytes of a span.
    @inlinable
    public mutating func append(contentsOf bytes: RawSpan) {
        let count = bytes.byteCount
        reserveCapacity(self.count + count)
        unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
    }
}
