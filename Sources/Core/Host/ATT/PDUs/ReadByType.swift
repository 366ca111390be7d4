public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// ATT_READ_BY_TYPE_REQ: the values of all attributes of one type, please. Core 6.0, Vol 3, Part F, 3.4.4.1.
public struct ReadByTypeRequest: Hashable, Sendable {
    public var start: UInt16
    public var end: UInt16
    /// Of 16 or 128 bits.
    public var type: BluetoothUUID

    public init(start: UInt16, end: UInt16, type: BluetoothUUID) {
        self.start = start
        self.end = end
        self.type = type
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        start = try bytes.takeUInt16()
        end = try bytes.takeUInt16()
        type = try BluetoothUUID(parsingForATT: &bytes)
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(start)
        out.appendUInt16(end)
        type.writeForATT(to: &out)
    }
}

/// ATT_READ_BY_TYPE_RSP: handles and values, the values all of one length. Core 6.0, Vol 3, Part F, 3.4.4.2.
public struct ReadByTypeResponse: Hashable, Sendable {
    /// One at least.
    public var entries: [HandleValue]

    public init(entries: [HandleValue]) { self.entries = entries }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        let length = Int(try bytes.takeUInt8())
        guard length >= 2 else { throw .invalidLength(length) }
        let count = try bytes.countOfEntries(length: length)
        entries = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let handle = try bytes.takeUInt16()
            entries.append(HandleValue(handle: handle, value: try bytes.takeBytes(length - 2)))
        }
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(UInt8(truncatingIfNeeded: 2 + (entries.first?.value.count ?? 0)))
        for entry in entries {
            out.appendUInt16(entry.handle)
            out.append(contentsOf: entry.value)
        }
    }
}

/// An attribute's handle and what it holds.
public struct HandleValue: Hashable, Sendable {
    public var handle: UInt16
    public var value: [UInt8]

    public init(handle: UInt16, value: [UInt8]) {
        self.handle = handle
        self.value = value
    }
}

extension BluetoothUUID {
    /// All bytes of the span: 2 or 16, the widths that ATT carries. Core 6.0, Vol 3, Part F, 3.2.1.
    init(parsingForATT bytes: inout RawSpan) throws(DecodeError) {
        guard bytes.byteCount == 2 || bytes.byteCount == 16 else { throw .invalidLength(bytes.byteCount) }
        try self.init(parsing: &bytes)
    }
}

extension ReadByTypeRequest: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("Starting Handle", \.start),
            Field("Ending Handle", \.end),
            Field("Attribute Type", \.type),
        ]
    }
}

extension ReadByTypeResponse: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("Length", unit: .octets) { UInt8(truncatingIfNeeded: 2 + ($0.entries.first?.value.count ?? 0)) },
            .group("Attribute Data List", .rest, of: HandleValue.fields, \.entries),
        ]
    }
}

extension HandleValue: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("Attribute Handle", \.handle),
            .bytes("Attribute Value", .counted(by: "Length", less: 2), \.value),
        ]
    }
}
