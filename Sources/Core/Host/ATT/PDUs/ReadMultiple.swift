public import BluethroatByteCoding

/// ATT_READ_MULTIPLE_REQ: several values of known length. Core 6.0, Vol 3, Part F, 3.4.4.7.
public struct ReadMultipleRequest: Hashable, Sendable {
    /// Two at least.
    public var handles: [UInt16]

    public init(handles: [UInt16]) { self.handles = handles }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) { handles = try bytes.takeHandles() }

    public func write(to out: inout [UInt8]) { for handle in handles { out.appendUInt16(handle) } }
}

/// ATT_READ_MULTIPLE_RSP: the values, one after the other. Core 6.0, Vol 3, Part F, 3.4.4.8.
public struct ReadMultipleResponse: Hashable, Sendable {
    public var values: [UInt8]

    public init(values: [UInt8]) { self.values = values }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) { values = bytes.takeRest() }

    public func write(to out: inout [UInt8]) { out.append(contentsOf: values) }
}

/// ATT_READ_MULTIPLE_VARIABLE_REQ: several values of any length. Core 6.0, Vol 3, Part F, 3.4.4.11.
public struct ReadMultipleVariableRequest: Hashable, Sendable {
    /// Two at least.
    public var handles: [UInt16]

    public init(handles: [UInt16]) { self.handles = handles }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) { handles = try bytes.takeHandles() }

    public func write(to out: inout [UInt8]) { for handle in handles { out.appendUInt16(handle) } }
}

/// ATT_READ_MULTIPLE_VARIABLE_RSP: the values, each behind its length. Core 6.0, Vol 3, Part F, 3.4.4.12.
public struct ReadMultipleVariableResponse: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        /// The whole value's length; the last entry may hold less of it, where the PDU was full.
        public var length: UInt16
        public var value: [UInt8]

        public init(length: UInt16, value: [UInt8]) {
            self.length = length
            self.value = value
        }
    }

    public var entries: [Entry]

    public init(entries: [Entry]) { self.entries = entries }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        entries = []
        while bytes.byteCount > 0 {
            let length = try bytes.takeUInt16()
            entries.append(Entry(length: length, value: try bytes.takeBytes(min(Int(length), bytes.byteCount))))
        }
    }

    public func write(to out: inout [UInt8]) {
        for entry in entries {
            out.appendUInt16(entry.length)
            out.append(contentsOf: entry.value)
        }
    }
}

extension RawSpan {
    /// Handles to the end of the span, two at least.
    mutating func takeHandles() throws(DecodeError) -> [UInt16] {
        guard byteCount >= 4 else { throw .truncated(needed: 4, available: byteCount) }
        let count = try countOfEntries(length: 2)
        var handles: [UInt16] = []
        handles.reserveCapacity(count)
        for _ in 0..<count { handles.append(try takeUInt16()) }
        return handles
    }
}

extension ReadMultipleRequest: FieldDescribed {
    public static var fields: [Field<Self>] {
        [.group("Set Of Handles", .rest, of: [Field("Attribute Handle", \.self)], \.handles)]
    }
}

extension ReadMultipleResponse: FieldDescribed {
    public static var fields: [Field<Self>] {
        [.bytes("Set Of Values", .rest, \.values)]
    }
}

extension ReadMultipleVariableRequest: FieldDescribed {
    public static var fields: [Field<Self>] {
        [.group("Set Of Handles", .rest, of: [Field("Attribute Handle", \.self)], \.handles)]
    }
}

extension ReadMultipleVariableResponse: FieldDescribed {
    public static var fields: [Field<Self>] {
        [.group("Length Value Tuple List", .rest, of: Entry.fields, \.entries)]
    }
}

extension ReadMultipleVariableResponse.Entry: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("Value Length", unit: .octets, \.length),
            .bytes("Attribute Value", .countedAtMost(by: "Value Length"), \.value),
        ]
    }
}
