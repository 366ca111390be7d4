public import BluethroatByteCoding

/// ATT_WRITE_REQ: a new value, to be acknowledged. Core 6.0, Vol 3, Part F, 3.4.5.1.
public struct WriteRequest: Hashable, Sendable {
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

/// ATT_WRITE_CMD: a new value, never answered. Core 6.0, Vol 3, Part F, 3.4.5.3.
public struct WriteCommand: Hashable, Sendable {
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

/// ATT_SIGNED_WRITE_CMD: a new value with a proof of who sent it, never answered. Core 6.0, Vol 3, Part F, 3.4.5.4.
public struct SignedWriteCommand: Hashable, Sendable {
    public var handle: UInt16
    public var value: [UInt8]
    /// Twelve bytes: a counter and a message authentication code. Core 6.0, Vol 3, Part C, 10.4.1.
    public var signature: [UInt8]

    public static let signatureLength = 12

    public init(handle: UInt16, value: [UInt8], signature: [UInt8]) {
        self.handle = handle
        self.value = value
        self.signature = signature
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        handle = try bytes.takeUInt16()
        guard bytes.byteCount >= Self.signatureLength else {
            throw .truncated(needed: Self.signatureLength, available: bytes.byteCount)
        }
        value = try bytes.takeBytes(bytes.byteCount - Self.signatureLength)
        signature = bytes.takeRest()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(handle)
        out.append(contentsOf: value)
        out.append(contentsOf: signature)
    }
}

extension WriteRequest: FieldDescribed {
    public static var fields: [Field<Self>] {
        [Field("Attribute Handle", \.handle), .bytes("Attribute Value", .rest, \.value)]
    }
}

extension WriteCommand: FieldDescribed {
    public static var fields: [Field<Self>] {
        [Field("Attribute Handle", \.handle), .bytes("Attribute Value", .rest, \.value)]
    }
}

extension SignedWriteCommand: FieldDescribed {
    public static var fields: [Field<Self>] {
        [
            Field("Attribute Handle", \.handle),
            .bytes("Attribute Value", .rest(except: signatureLength), \.value),
            .bytes("Authentication Signature", .fixed(signatureLength), \.signature),
        ]
    }
}
