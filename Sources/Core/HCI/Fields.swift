public import BluethroatBluetoothValues
public import BluethroatByteCoding

extension ConnectionHandle {
    /// Two bytes of which the upper four bits are reserved and ignored. Core 6.0, Vol 4, Part E, 5.3.1.
    @inlinable
    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        let number = try bytes.takeUInt16() & 0x0FFF
        guard let handle = Self(rawValue: number) else {
            throw .invalidValue(field: "connection handle", value: Int(number))
        }
        self = handle
    }

    /// The same where a status stands beside it: in a failure the handle means nothing, and some controllers put
    /// there what is none; that is read as 0.
    @inlinable
    init(parsing bytes: inout RawSpan, status: ControllerError) throws(DecodeError) {
        let number = try bytes.takeUInt16() & 0x0FFF
        if let handle = Self(rawValue: number) {
            self = handle
        } else if status != .success, let zero = Self(rawValue: 0) {
            self = zero
        } else {
            throw .invalidValue(field: "connection handle", value: Int(number))
        }
    }

    @inlinable
    public func write(to out: inout [UInt8]) { out.appendUInt16(rawValue) }
}

/// Readers of fields that are common in HCI. `status` is that of the same packet: what stands beside a failure means
/// nothing and may be anything.
extension RawSpan {
    @inlinable
    mutating func takeBool(_ field: DecodeError.StaticName) throws(DecodeError) -> Bool {
        let byte = try takeUInt8()
        guard byte <= 1 else { throw .invalidValue(field: field, value: Int(byte)) }
        return byte == 1
    }

    @inlinable
    mutating func takeEnum<Value: RawRepresentable<UInt8>>(
        _ field: DecodeError.StaticName
    ) throws(DecodeError) -> Value {
        let byte = try takeUInt8()
        guard let value = Value(rawValue: byte) else { throw .invalidValue(field: field, value: Int(byte)) }
        return value
    }

    @inlinable
    mutating func takeEnum<Value: RawRepresentable<UInt8>>(
        _ field: DecodeError.StaticName,
        status: ControllerError,
        otherwise substitute: Value
    ) throws(DecodeError) -> Value {
        let byte = try takeUInt8()
        if let value = Value(rawValue: byte) { return value }
        guard status != .success else { throw .invalidValue(field: field, value: Int(byte)) }
        return substitute
    }

    @inlinable
    mutating func takePHY(_ field: DecodeError.StaticName) throws(DecodeError) -> PHY { try takeEnum(field) }

    @inlinable
    mutating func takePHY(
        _ field: DecodeError.StaticName,
        status: ControllerError
    ) throws(DecodeError) -> PHY {
        try takeEnum(field, status: status, otherwise: .le1M)
    }

    /// Nil for 0.
    @inlinable
    mutating func takeOptionalPHY(_ field: DecodeError.StaticName) throws(DecodeError) -> PHY? {
        let byte = try takeUInt8()
        guard byte != 0 else { return nil }
        guard let phy = PHY(rawValue: byte) else { throw .invalidValue(field: field, value: Int(byte)) }
        return phy
    }

    /// Nil for 127, which says that the value is not known.
    @inlinable
    mutating func takeSignalStrength() throws(DecodeError) -> SignalStrength? {
        let dBm = try takeInt8()
        return dBm == 127 ? nil : SignalStrength(dBm: dBm)
    }

    /// A count and 31 bytes, of which the first `count` matter.
    @inlinable
    mutating func takePaddedData() throws(DecodeError) -> [UInt8] {
        guard byteCount >= 32 else { throw .truncated(needed: 32, available: byteCount) }
        let count = Int(try takeUInt8())
        guard count <= 31 else { throw .invalidLength(count) }
        let data = try takeBytes(count)
        try skip(31 - count)
        return data
    }

    /// A count and as many bytes.
    @inlinable
    mutating func takeCountedBytes() throws(DecodeError) -> [UInt8] {
        let count = Int(try takeUInt8())
        guard count <= byteCount else { throw .truncated(needed: count, available: byteCount) }
        return try takeBytes(count)
    }
}

/// The writers that go with them.
extension [UInt8] {
    /// A field of fixed length, such as a key.
    @inlinable
    mutating func appendExactly(_ count: Int, _ bytes: [UInt8]) {
        precondition(bytes.count == count, "a field of fixed length has another number of bytes")
        append(contentsOf: bytes)
    }

    /// A count and 31 bytes, padded with zeroes.
    @inlinable
    mutating func appendPaddedData(_ data: [UInt8]) {
        precondition(data.count <= 31, "legacy advertising data has at most 31 bytes")
        append(UInt8(data.count))
        append(contentsOf: data)
        append(contentsOf: repeatElement(0, count: 31 - data.count))
    }

    /// A count and as many bytes.
    @inlinable
    mutating func appendCountedBytes(_ data: [UInt8]) {
        precondition(data.count <= 255, "a field with one byte of length has at most 255 bytes")
        append(UInt8(data.count))
        append(contentsOf: data)
    }
}
