public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// ATT_FIND_INFORMATION_REQ: which types have the attributes in a range? Core 6.0, Vol 3, Part F, 3.4.3.1.
public struct FindInformationRequest: Hashable, Sendable {
    public var start: UInt16
    public var end: UInt16

    public init(start: UInt16, end: UInt16) {
        self.start = start
        self.end = end
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        start = try bytes.takeUInt16()
        end = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(start)
        out.appendUInt16(end)
    }
}

/// ATT_FIND_INFORMATION_RSP: handles and their types, all of one width. Core 6.0, Vol 3, Part F, 3.4.3.2.
public struct FindInformationResponse: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public var handle: UInt16
        public var type: BluetoothUUID

        public init(handle: UInt16, type: BluetoothUUID) {
            self.handle = handle
            self.type = type
        }
    }

    /// One at least; their types are all of 16 bits or all of 128.
    public var entries: [Entry]

    public init(entries: [Entry]) { self.entries = entries }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        let format = try bytes.takeUInt8()
        let typeLength: Int
        switch format {
        case 1: typeLength = 2
        case 2: typeLength = 16
        default: throw .invalidValue(field: "format", value: Int(format))
        }
        let count = try bytes.countOfEntries(length: 2 + typeLength)
        entries = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let handle = try bytes.takeUInt16()
            var type = bytes.extracting(first: typeLength)
            try bytes.skip(typeLength)
            entries.append(Entry(handle: handle, type: try BluetoothUUID(parsing: &type)))
        }
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(entries.first?.type.attByteCount == 2 ? 1 : 2)
        for entry in entries {
            out.appendUInt16(entry.handle)
            entry.type.writeForATT(to: &out)
        }
    }
}

extension RawSpan {
    /// How many entries of `length` bytes are left; it has to be a whole number and one at least.
    func countOfEntries(length: Int) throws(DecodeError) -> Int {
        guard byteCount >= length else { throw .truncated(needed: length, available: byteCount) }
        guard byteCount % length == 0 else { throw .trailingBytes(byteCount % length) }
        return byteCount / length
    }
}

extension FindInformationRequest: FieldDescribed {
    public static var fields: [Field<Self>] {
        [Field("Starting Handle", \.start), Field("Ending Handle", \.end)]
    }
}

extension FindInformationResponse: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("Format") { $0.entries.first?.type.attByteCount == 2 ? 1 : 2 as UInt8 },
            .group("Information Data", .rest, of: Entry.fields, \.entries),
        ]
    }
}

extension FindInformationResponse.Entry: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("Handle", \.handle),
            Field(FieldDescription("UUID", .bytes(.selected(by: "Format", [1: 2, 2: 16])))) { $0.type.fieldValue },
        ]
    }
}
