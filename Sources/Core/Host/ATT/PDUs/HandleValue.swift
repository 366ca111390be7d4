public import BluethroatByteCoding

/// ATT_HANDLE_VALUE_NTF: a value the server sends by itself. Core 6.0, Vol 3, Part F, 3.4.7.1.
public struct HandleValueNotification: Hashable, Sendable {
    public var handle: UInt16
    public var value: [UInt8]

    public init(handle: UInt16, value: [UInt8]) {
        self.handle = handle
        self.value = value
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        handle = try bytes.takeUInt16()
        value = bytes.takeRest()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(handle)
        out.append(contentsOf: value)
    }
}

/// ATT_HANDLE_VALUE_IND: a value the server sends by itself; the client confirms it. Core 6.0, Vol 3, Part F, 3.4.7.2.
public struct HandleValueIndication: Hashable, Sendable {
    public var handle: UInt16
    public var value: [UInt8]

    public init(handle: UInt16, value: [UInt8]) {
        self.handle = handle
        self.value = value
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        handle = try bytes.takeUInt16()
        value = bytes.takeRest()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(handle)
        out.append(contentsOf: value)
    }
}

/// ATT_MULTIPLE_HANDLE_VALUE_NTF: several values the server sends by itself. Core 6.0, Vol 3, Part F, 3.4.7.4.
public struct MultipleHandleValueNotification: Hashable, Sendable {
    /// Two at least.
    public var entries: [HandleValue]

    public init(entries: [HandleValue]) { self.entries = entries }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        entries = []
        while bytes.byteCount > 0 || entries.count < 2 {
            let handle = try bytes.takeUInt16()
            let length = Int(try bytes.takeUInt16())
            entries.append(HandleValue(handle: handle, value: try bytes.takeBytes(length)))
        }
    }

    public func write(to out: inout [UInt8]) {
        for entry in entries {
            out.appendUInt16(entry.handle)
            out.appendUInt16(UInt16(truncatingIfNeeded: entry.value.count))
            out.append(contentsOf: entry.value)
        }
    }
}

extension HandleValueNotification: FieldDescribed {
    public static var fields: [Field<Self>] {
        [Field("Attribute Handle", \.handle), .bytes("Attribute Value", .rest, \.value)]
    }
}

extension HandleValueIndication: FieldDescribed {
    public static var fields: [Field<Self>] {
        [Field("Attribute Handle", \.handle), .bytes("Attribute Value", .rest, \.value)]
    }
}

extension MultipleHandleValueNotification: FieldDescribed {
    public static var fields: [Field<Self>] {
        [.group("Handle Length Value Tuple List", .rest, of: tupleFields, \.entries)]
    }

    private static var tupleFields: [Field<HandleValue>] {
        [
            Field("Attribute Handle", \.handle),
            Field("Value Length", unit: .octets) { UInt16(truncatingIfNeeded: $0.value.count) },
            .bytes("Attribute Value", .counted(by: "Value Length"), \.value),
        ]
    }
}
