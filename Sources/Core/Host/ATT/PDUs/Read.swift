public import BluethroatByteCoding

/// ATT_READ_REQ: the value of one attribute. Core 6.0, Vol 3, Part F, 3.4.4.3.
public struct ReadRequest: Hashable, Sendable {
    public var handle: UInt16

    public init(handle: UInt16) { self.handle = handle }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) { handle = try bytes.takeUInt16() }

    public func write(to out: inout [UInt8]) { out.appendUInt16(handle) }
}

/// ATT_READ_RSP: the value, or its beginning. Core 6.0, Vol 3, Part F, 3.4.4.4.
public struct ReadResponse: Hashable, Sendable {
    public var value: [UInt8]

    public init(value: [UInt8]) { self.value = value }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) { value = bytes.takeRest() }

    public func write(to out: inout [UInt8]) { out.append(contentsOf: value) }
}

/// ATT_READ_BLOB_REQ: the value from an offset on. Core 6.0, Vol 3, Part F, 3.4.4.5.
public struct ReadBlobRequest: Hashable, Sendable {
    public var handle: UInt16
    public var offset: UInt16

    public init(handle: UInt16, offset: UInt16) {
        self.handle = handle
        self.offset = offset
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        handle = try bytes.takeUInt16()
        offset = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(handle)
        out.appendUInt16(offset)
    }
}

/// ATT_READ_BLOB_RSP: a part of the value. Core 6.0, Vol 3, Part F, 3.4.4.6.
public struct ReadBlobResponse: Hashable, Sendable {
    public var part: [UInt8]

    public init(part: [UInt8]) { self.part = part }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) { part = bytes.takeRest() }

    public func write(to out: inout [UInt8]) { out.append(contentsOf: part) }
}

extension ReadRequest: FieldDescribed {
    public static var fields: [Field<Self>] {
        [Field("Attribute Handle", \.handle)]
    }
}

extension ReadResponse: FieldDescribed {
    public static var fields: [Field<Self>] {
        [.bytes("Attribute Value", .rest, \.value)]
    }
}

extension ReadBlobRequest: FieldDescribed {
    public static var fields: [Field<Self>] {
        [Field("Attribute Handle", \.handle), Field("Value Offset", unit: .octets, \.offset)]
    }
}

extension ReadBlobResponse: FieldDescribed {
    public static var fields: [Field<Self>] {
        [.bytes("Part Attribute Value", .rest, \.part)]
    }
}
