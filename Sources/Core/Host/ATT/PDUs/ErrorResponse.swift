public import BluethroatByteCoding

/// ATT_ERROR_RSP: a request was refused. Core 6.0, Vol 3, Part F, 3.4.1.1.
public struct ErrorResponse: Hashable, Sendable {
    /// The opcode of the request that was refused.
    public var request: ATTOpcode
    /// The attribute that was the trouble; 0x0000 where there was none.
    public var handle: UInt16
    public var error: ATTError

    public init(request: ATTOpcode, handle: UInt16, error: ATTError) {
        self.request = request
        self.handle = handle
        self.error = error
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        request = ATTOpcode(rawValue: try bytes.takeUInt8())
        handle = try bytes.takeUInt16()
        error = ATTError(rawValue: try bytes.takeUInt8())
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(request.rawValue)
        out.appendUInt16(handle)
        out.appendUInt8(error.rawValue)
    }
}

extension ErrorResponse: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("Request Opcode In Error", \.request),
            Field("Attribute Handle In Error", \.handle),
            Field("Error Code", \.error),
        ]
    }
}
