public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// ATT_READ_BY_GROUP_TYPE_REQ: the groups that begin with this type. Core 6.0, Vol 3, Part F, 3.4.4.9.
public struct ReadByGroupTypeRequest: Hashable, Sendable {
    public var start: UInt16
    public var end: UInt16
    /// Of 16 or 128 bits.
    public var groupType: BluetoothUUID

    public init(start: UInt16, end: UInt16, groupType: BluetoothUUID) {
        self.start = start
        self.end = end
        self.groupType = groupType
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        start = try bytes.takeUInt16()
        end = try bytes.takeUInt16()
        groupType = try BluetoothUUID(parsingForATT: &bytes)
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(start)
        out.appendUInt16(end)
        groupType.writeForATT(to: &out)
    }
}

/// ATT_READ_BY_GROUP_TYPE_RSP: where each group begins and ends, and its value. Core 6.0, Vol 3, Part F, 3.4.4.10.
public struct ReadByGroupTypeResponse: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public var handle: UInt16
        public var groupEnd: UInt16
        public var value: [UInt8]

        public init(handle: UInt16, groupEnd: UInt16, value: [UInt8]) {
            self.handle = handle
            self.groupEnd = groupEnd
            self.value = value
        }
    }

    /// One at least; the values are all of one length.
    public var entries: [Entry]

    public init(entries: [Entry]) { self.entries = entries }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        let length = Int(try bytes.takeUInt8())
        guard length >= 4 else { throw .invalidLength(length) }
        let count = try bytes.countOfEntries(length: length)
        entries = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let handle = try bytes.takeUInt16()
            let groupEnd = try bytes.takeUInt16()
            entries.append(Entry(handle: handle, groupEnd: groupEnd, value: try bytes.takeBytes(length - 4)))
        }
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(UInt8(truncatingIfNeeded: 4 + (entries.first?.value.count ?? 0)))
        for entry in entries {
            out.appendUInt16(entry.handle)
            out.appendUInt16(entry.groupEnd)
            out.append(contentsOf: entry.value)
        }
    }
}

extension ReadByGroupTypeRequest: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("Starting Handle", \.start),
            Field("Ending Handle", \.end),
            Field("Attribute Group Type", \.groupType),
        ]
    }
}

extension ReadByGroupTypeResponse: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("Length", unit: .octets) { UInt8(truncatingIfNeeded: 4 + ($0.entries.first?.value.count ?? 0)) },
            .group("Attribute Data List", .rest, of: Entry.fields, \.entries),
        ]
    }
}

extension ReadByGroupTypeResponse.Entry: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("Attribute Handle", \.handle),
            Field("End Group Handle", \.groupEnd),
            .bytes("Attribute Value", .counted(by: "Length", less: 4), \.value),
        ]
    }
}
