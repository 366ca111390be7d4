internal import BluethroatByteCoding

/// L2CAP_CREDIT_BASED_CONNECTION_REQ: up to five channels at once. Core 6.0, Vol 3, Part A, 4.25.
struct EnhancedConnectionRequest: Equatable, Sendable {
    var spsm: UInt16
    var mtu: UInt16
    var mps: UInt16
    var initialCredits: UInt16
    /// The requesting ends of the channels.
    var sourceChannels: [UInt16]

    static let code: UInt8 = 0x17
    /// Channels that one request may ask for.
    static let mostChannels = 5
}

extension EnhancedConnectionRequest {
    init(parsing data: inout RawSpan) throws(DecodeError) {
        spsm = try data.takeUInt16()
        mtu = try data.takeUInt16()
        mps = try data.takeUInt16()
        initialCredits = try data.takeUInt16()
        sourceChannels = try data.takeChannels()
    }

    func write(to out: inout [UInt8]) {
        out.appendUInt16(spsm)
        out.appendUInt16(mtu)
        out.appendUInt16(mps)
        out.appendUInt16(initialCredits)
        for channel in sourceChannels { out.appendUInt16(channel) }
    }
}

/// L2CAP_CREDIT_BASED_CONNECTION_RSP. Core 6.0, Vol 3, Part A, 4.26.
struct EnhancedConnectionResponse: Equatable, Sendable {
    var mtu: UInt16
    var mps: UInt16
    var initialCredits: UInt16
    var result: UInt16
    /// The answering ends, in the order of the request; 0 for a channel that was refused.
    var destinationChannels: [UInt16]

    static let code: UInt8 = 0x18

    static func refused(_ reason: ChannelRefusal, count: Int) -> Self {
        Self(
            mtu: 0,
            mps: 0,
            initialCredits: 0,
            result: reason.rawValue,
            destinationChannels: Array(repeating: 0, count: count)
        )
    }

    /// Whether the final answer is still to come: results 0x000D to 0x000F.
    var isPending: Bool { (0x000D...0x000F).contains(result) }
}

extension EnhancedConnectionResponse {
    init(parsing data: inout RawSpan) throws(DecodeError) {
        mtu = try data.takeUInt16()
        mps = try data.takeUInt16()
        initialCredits = try data.takeUInt16()
        result = try data.takeUInt16()
        destinationChannels = try data.takeChannels()
    }

    func write(to out: inout [UInt8]) {
        out.appendUInt16(mtu)
        out.appendUInt16(mps)
        out.appendUInt16(initialCredits)
        out.appendUInt16(result)
        for channel in destinationChannels { out.appendUInt16(channel) }
    }
}

extension RawSpan {
    /// All that is left, two bytes a channel.
    fileprivate mutating func takeChannels() throws(DecodeError) -> [UInt16] {
        var channels: [UInt16] = []
        while byteCount > 0 { channels.append(try takeUInt16()) }
        return channels
    }
}

/// L2CAP_CREDIT_BASED_RECONFIGURE_REQ: the sender takes other lengths from now on. Core 6.0, Vol 3, Part A, 4.27.
struct ReconfigureRequest: Equatable, Sendable {
    var mtu: UInt16
    var mps: UInt16
    /// The sender's ends of the channels: where the data goes that shall have other lengths.
    var channels: [UInt16]

    static let code: UInt8 = 0x19
}

extension ReconfigureRequest {
    init(parsing data: inout RawSpan) throws(DecodeError) {
        mtu = try data.takeUInt16()
        mps = try data.takeUInt16()
        channels = try data.takeChannels()
    }

    func write(to out: inout [UInt8]) {
        out.appendUInt16(mtu)
        out.appendUInt16(mps)
        for channel in channels { out.appendUInt16(channel) }
    }
}

/// L2CAP_CREDIT_BASED_RECONFIGURE_RSP. Core 6.0, Vol 3, Part A, 4.28.
struct ReconfigureResponse: Equatable, Sendable {
    var result: UInt16

    static let code: UInt8 = 0x1A
}

extension ReconfigureResponse {
    init(parsing data: inout RawSpan) throws(DecodeError) { result = try data.takeUInt16() }

    func write(to out: inout [UInt8]) { out.appendUInt16(result) }
}

extension EnhancedConnectionRequest: FieldDescribed {
    static var fields: [Field<Self>] {
        [
            Field("SPSM", \.spsm),
            Field("MTU", unit: .octets, \.mtu),
            Field("MPS", unit: .octets, \.mps),
            Field("Initial Credits", \.initialCredits),
            .group("Source CIDs", .rest, of: [Field("Source CID", \.self)], \.sourceChannels),
        ]
    }
}

extension EnhancedConnectionResponse: FieldDescribed {
    static var fields: [Field<Self>] {
        [
            Field("MTU", unit: .octets, \.mtu),
            Field("MPS", unit: .octets, \.mps),
            Field("Initial Credits", \.initialCredits),
            Field("Result", \.result),
            .group("Destination CIDs", .rest, of: [Field("Destination CID", \.self)], \.destinationChannels),
        ]
    }
}

extension ReconfigureRequest: FieldDescribed {
    static var fields: [Field<Self>] {
        [
            Field("MTU", unit: .octets, \.mtu),
            Field("MPS", unit: .octets, \.mps),
            .group("Destination CIDs", .rest, of: [Field("Destination CID", \.self)], \.channels),
        ]
    }
}

extension ReconfigureResponse: FieldDescribed {
    static var fields: [Field<Self>] {
        [Field("Result", \.result)]
    }
}
