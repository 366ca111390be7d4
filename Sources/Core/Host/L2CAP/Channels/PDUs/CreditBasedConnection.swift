internal import BluethroatByteCoding

/// L2CAP_LE_CREDIT_BASED_CONNECTION_REQ. Core 6.0, Vol 3, Part A, 4.22. The numbers are as sent, allowed or not.
struct CreditBasedConnectionRequest: Equatable, Sendable {
    var spsm: UInt16
    /// The requesting end of the channel.
    var sourceChannel: UInt16
    /// The longest SDU that the sender takes, in bytes.
    var mtu: UInt16
    /// The longest payload of a frame that the sender takes, in bytes.
    var mps: UInt16
    /// Frames that the other side may send at once.
    var initialCredits: UInt16

    static let code: UInt8 = 0x14
}

extension CreditBasedConnectionRequest {
    init(parsing data: inout RawSpan) throws(DecodeError) {
        spsm = try data.takeUInt16()
        sourceChannel = try data.takeUInt16()
        mtu = try data.takeUInt16()
        mps = try data.takeUInt16()
        initialCredits = try data.takeUInt16()
    }

    func write(to out: inout [UInt8]) {
        out.appendUInt16(spsm)
        out.appendUInt16(sourceChannel)
        out.appendUInt16(mtu)
        out.appendUInt16(mps)
        out.appendUInt16(initialCredits)
    }
}

/// L2CAP_LE_CREDIT_BASED_CONNECTION_RSP. Core 6.0, Vol 3, Part A, 4.23. All but the result is zero in a refusal.
struct CreditBasedConnectionResponse: Equatable, Sendable {
    /// The answering end of the channel.
    var destinationChannel: UInt16
    var mtu: UInt16
    var mps: UInt16
    var initialCredits: UInt16
    var result: UInt16

    static let code: UInt8 = 0x15

    static func refused(_ reason: ChannelRefusal) -> Self {
        Self(destinationChannel: 0, mtu: 0, mps: 0, initialCredits: 0, result: reason.rawValue)
    }
}

extension CreditBasedConnectionResponse {
    init(parsing data: inout RawSpan) throws(DecodeError) {
        destinationChannel = try data.takeUInt16()
        mtu = try data.takeUInt16()
        mps = try data.takeUInt16()
        initialCredits = try data.takeUInt16()
        result = try data.takeUInt16()
    }

    func write(to out: inout [UInt8]) {
        out.appendUInt16(destinationChannel)
        out.appendUInt16(mtu)
        out.appendUInt16(mps)
        out.appendUInt16(initialCredits)
        out.appendUInt16(result)
    }
}

/// L2CAP_FLOW_CONTROL_CREDIT_IND. Core 6.0, Vol 3, Part A, 4.24.
struct FlowControlCredit: Equatable, Sendable {
    /// The sender's end of the channel.
    var channel: UInt16
    /// Further frames that the receiver may send; 0 is not allowed.
    var credits: UInt16

    static let code: UInt8 = 0x16
}

extension FlowControlCredit {
    init(parsing data: inout RawSpan) throws(DecodeError) {
        channel = try data.takeUInt16()
        credits = try data.takeUInt16()
    }

    func write(to out: inout [UInt8]) {
        out.appendUInt16(channel)
        out.appendUInt16(credits)
    }
}

extension CreditBasedConnectionRequest: FieldDescribed {
    static var fields: [Field<Self>] {
        [
            Field("SPSM", \.spsm),
            Field("Source CID", \.sourceChannel),
            Field("MTU", unit: .octets, \.mtu),
            Field("MPS", unit: .octets, \.mps),
            Field("Initial Credits", \.initialCredits),
        ]
    }
}

extension CreditBasedConnectionResponse: FieldDescribed {
    static var fields: [Field<Self>] {
        [
            Field("Destination CID", \.destinationChannel),
            Field("MTU", unit: .octets, \.mtu),
            Field("MPS", unit: .octets, \.mps),
            Field("Initial Credits", \.initialCredits),
            Field("Result", \.result),
        ]
    }
}

extension FlowControlCredit: FieldDescribed {
    static var fields: [Field<Self>] {
        [Field("CID", \.channel), Field("Credits", \.credits)]
    }
}
