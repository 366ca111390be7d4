/// A `RawSpan` is the cursor of every decoder: each `take` reads from the front and shortens the span.
///
/// All multi-byte integers are little-endian, as in HCI, the Link Layer, L2CAP, ATT and SMP; the one
/// big-endian reader is named so. A failed `take` leaves the span as it was.
extension RawSpan {
    @inlinable
    public mutating func takeUInt8() throws(DecodeError) -> UInt8 {
        guard byteCount >= 1 else { throw .truncated(needed: 1, available: byteCount) }
        let value = unsafeLoad(fromUncheckedByteOffset: 0, as: UInt8.self)
        self = extracting(droppingFirst: 1)
        return value
    }

    @inlinable
    public mutating func takeInt8() throws(DecodeError) -> Int8 {
        Int8(bitPattern: try takeUInt8())
    }

    @inlinable
    public mutating func takeUInt16() throws(DecodeError) -> UInt16 {
        UInt16(littleEndian: try takeInteger(UInt16.self))
    }

    @inlinable
    public mutating func takeUInt24() throws(DecodeError) -> UInt32 {
        guard byteCount >= 3 else { throw .truncated(needed: 3, available: byteCount) }
        let low = try takeUInt16()
        let high = try takeUInt8()
        return UInt32(low) | UInt32(high) << 16
    }

    @inlinable
    public mutating func takeUInt32() throws(DecodeError) -> UInt32 {
        UInt32(littleEndian: try takeInteger(UInt32.self))
    }

    /// Six bytes, as in a device address, in the low 48 bits.
    @inlinable
    public mutating func takeUInt48() throws(DecodeError) -> UInt64 {
        guard byteCount >= 6 else { throw .truncated(needed: 6, available: byteCount) }
        let low = try takeUInt32()
        let high = try takeUInt16()
        return UInt64(low) | UInt64(high) << 32
    }

    @inlinable
    public mutating func takeUInt64() throws(DecodeError) -> UInt64 {
        UInt64(littleEndian: try takeInteger(UInt64.self))
    }

    /// A big-endian 16-bit integer, as in an iBeacon's major and minor.
    @inlinable
    public mutating func takeUInt16BigEndian() throws(DecodeError) -> UInt16 {
        UInt16(bigEndian: try takeInteger(UInt16.self))
    }

    /// The next `count` bytes, copied.
    @inlinable
    public mutating func takeBytes(_ count: Int) throws(DecodeError) -> [UInt8] {
        guard count >= 0, byteCount >= count else { throw .truncated(needed: count, available: byteCount) }
        // Not by `Array.init(unsafeUninitializedCapacity:)`: it looks its class up each time.
        var bytes: [UInt8] = []
        if count > 0 { bytes.append(contentsOf: extracting(first: count)) }
        self = extracting(droppingFirst: count)
        return bytes
    }

    /// All bytes that are left, copied.
    @inlinable
    public mutating func takeRest() -> [UInt8] {
        let count = byteCount
        // The count is the span's own, so this cannot fail.
        return (try? takeBytes(count)) ?? []
    }

    /// Passes over `count` bytes.
    @inlinable
    public mutating func skip(_ count: Int) throws(DecodeError) {
        guard count >= 0, byteCount >= count else { throw .truncated(needed: count, available: byteCount) }
        self = extracting(droppingFirst: count)
    }

    /// Throws unless every byte has been taken.
    @inlinable
    public func expectEnd() throws(DecodeError) {
        guard byteCount == 0 else { throw .trailingBytes(byteCount) }
    }

    @inlinable
    mutating func takeInteger<Value: FixedWidthInteger & BitwiseCopyable>(
        _ type: Value.Type
    ) throws(DecodeError) -> Value {
        let size = MemoryLayout<Value>.size
        guard byteCount >= size else { throw .truncated(needed: size, available: byteCount) }
        let value = unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: Value.self)
        self = extracting(droppingFirst: size)
        return value
    }
}
