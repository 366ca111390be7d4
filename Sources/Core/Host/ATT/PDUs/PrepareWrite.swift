public import BluethroatByteCoding

/// ATT_PREPARE_WRITE_REQ and ATT_PREPARE_WRITE_RSP: part of a value, to be kept until it is executed; the response
/// repeats it. Core 6.0, Vol 3, Part F, 3.4.6.1 and 3.4.6.2.
public struct PreparedWrite: Hashable, Sendable {
    public var handle: UInt16
    public var offset: UInt16
    public var part: [UInt8]

    public init(handle: UInt16, offset: UInt16, part: [UInt8]) {
        self.handle = handle
        self.offset = offset
        self.part = part
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        handle = try bytes.takeUInt16()
        offset = try bytes.takeUInt16()
        part = bytes.takeRest()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(handle)
        out.appendUInt16(offset)
        out.append(contentsOf: part)
    }
}

/// ATT_EXECUTE_WRITE_REQ: write all that was prepared, or forget it. Core 6.0, Vol 3, Part F, 3.4.6.3.
public struct ExecuteWriteRequest: Hashable, Sendable {
    public enum Choice: UInt8, Hashable, Sendable {
        case cancel = 0x00
        case write = 0x01
    }

    public var choice: Choice

    public init(_ choice: Choice) { self.choice = choice }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        let flags = try bytes.takeUInt8()
        guard let choice = Choice(rawValue: flags) else { throw .invalidValue(field: "flags", value: Int(flags)) }
        self.choice = choice
    }

    public func write(to out: inout [UInt8]) { out.appendUInt8(choice.rawValue) }
}

extension PreparedWrite: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("Attribute Handle", \.handle),
            Field("Value Offset", unit: .octets, \.offset),
            .bytes("Part Attribute Value", .rest, \.part),
        ]
    }
}

extension ExecuteWriteRequest: FieldDescribed {
    public static var fields: [Field<Self>] {
        [Field("Flags", \.choice)]
    }
}
