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
        append(lowBytes: 4, of: UInt64(value))
    }

    /// The low 48 bits, as in a device address.
    @inlinable
    public mutating func appendUInt48(_ value: UInt64) {
        append(lowBytes: 6, of: value)
    }

    @inlinable
    public mutating func appendUInt64(_ value: UInt64) {
        append(lowBytes: 8, of: value)
    }

    @inlinable
    public mutating func appendUInt16BigEndian(_ value: UInt16) {
        append(UInt8(truncatingIfNeeded: value >> 8))
        append(UInt8(truncatingIfNeeded: value))
    }

    /// Several fields at once, as one integer: its low bytes, 1 to 8 of them.
    @inlinable
    public mutating func append(lowBytes count: Int, of value: UInt64) {
        precondition(1...8 ~= count, "an integer of 64 bits has 1 to 8 low bytes")
        unsafe Swift.withUnsafeBytes(of: value.littleEndian) { bytes in
            unsafe append(contentsOf: UnsafeRawBufferPointer(start: bytes.baseAddress, count: count))
        }
    }

    /// Several fields as one integer, its low bytes, 1 to 8 of them, and then all bytes of a span.
    @inlinable
    public init(lowBytes count: Int, of value: UInt64, then bytes: RawSpan) {
        precondition(1...8 ~= count, "an integer of 64 bits has 1 to 8 low bytes")
        let length = bytes.byteCount
        unsafe self.init(byteCount: count + length) { out in
            unsafe Swift.withUnsafeBytes(of: value.littleEndian) { fields in
                unsafe out.copyMemory(from: fields.baseAddress.unsafelyUnwrapped, byteCount: count)
            }
            unsafe bytes.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return }
                unsafe (out + count).copyMemory(from: start, byteCount: length)
            }
        }
    }

    /// So many bytes, all of which `fill` writes: on the stack if they are few, and then copied at once. To append field by
    /// field, or to fill an array that is made with zeroes, takes a quarter more instructions for a packet.
    @inlinable
    @unsafe
    public init(byteCount: Int, _ fill: (UnsafeMutableRawPointer) -> Void) {
        self = []
        guard byteCount > 0 else { return }
        unsafe withUnsafeTemporaryAllocation(byteCount: byteCount, alignment: 8) { bytes in
            unsafe fill(bytes.baseAddress.unsafelyUnwrapped)
            unsafe append(contentsOf: UnsafeRawBufferPointer(bytes))
        }
    }

    /// Copies all bytes of a span.
    @inlinable
    public mutating func append(contentsOf bytes: RawSpan) {
        let count = bytes.byteCount
        reserveCapacity(self.count + count)
        unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
    }
}
