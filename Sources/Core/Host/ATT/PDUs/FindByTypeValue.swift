public import BluethroatByteCoding

/// ATT_FIND_BY_TYPE_VALUE_REQ: where are the attributes of this type with this value? Core 6.0, Vol 3, Part F, 3.4.3.3.
public struct FindByTypeValueRequest: Hashable, Sendable {
    public var start: UInt16
    public var end: UInt16
    /// A 16-bit UUID.
    public var type: UInt16
    public var value: [UInt8]

    public init(start: UInt16, end: UInt16, type: UInt16, value: [UInt8]) {
        self.start = start
        self.end = end
        self.type = type
        self.value = value
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        start = try bytes.takeUInt16()
        end = try bytes.takeUInt16()
        type = try bytes.takeUInt16()
        value = bytes.takeRest()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(start)
        out.appendUInt16(end)
        out.appendUInt16(type)
        out.append(contentsOf: value)
    }
}

/// ATT_FIND_BY_TYPE_VALUE_RSP: the attributes found, each with the end of its group. Core 6.0, Vol 3, Part F, 3.4.3.4.
public struct FindByTypeValueResponse: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public var handle: UInt16
        /// The last handle of the group that the attribute begins; its own where it begins none.
        public var groupEnd: UInt16

        public init(handle: UInt16, groupEnd: UInt16) {
            self.handle = handle
            self.groupEnd = groupEnd
        }
    }

    /// One at least.
    public var entries: [Entry]

    public init(entries: [Entry]) { self.entries = entries }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        let count = try bytes.countOfEntries(length: 4)
        entries = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let handle = try bytes.takeUInt16()
            entries.append(Entry(handle: handle, groupEnd: try bytes.takeUInt16()))
        }
    }

    public func write(to out: inout [UInt8]) {
        for entry in entries {
            out.appendUInt16(entry.handle)
            out.appendUInt16(entry.groupEnd)
        }
    }
}

extension FindByTypeValueRequest: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("Starting Handle", \.start),
            Field("Ending Handle", \.end),
            Field("Attribute Type", \.type),
            .bytes("Attribute Value", .rest, \.value),
        ]
    }
}

extension FindByTypeValueResponse: FieldDescribed {
    public static var fields: [Field<Self>] {
        [.group("Handles Information List", .rest, of: Entry.fields, \.entries)]
    }
}

extension FindByTypeValueResponse.Entry: FieldDescribed {
    public static var fields: [Field<Self>] {
        [Field("Found Attribute Handle", \.handle), Field("Group End Handle", \.groupEnd)]
    }
}
