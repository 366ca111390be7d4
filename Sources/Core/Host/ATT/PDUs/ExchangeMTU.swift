public import BluethroatByteCoding

/// ATT_EXCHANGE_MTU_REQ: the longest PDU the client takes. Core 6.0, Vol 3, Part F, 3.4.2.1.
public struct ExchangeMTURequest: Hashable, Sendable {
    /// In bytes, 23 at least.
    public var clientReceiveMTU: UInt16

    public init(clientReceiveMTU: UInt16) { self.clientReceiveMTU = clientReceiveMTU }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) { clientReceiveMTU = try bytes.takeUInt16() }

    public func write(to out: inout [UInt8]) { out.appendUInt16(clientReceiveMTU) }
}

/// ATT_EXCHANGE_MTU_RSP: the longest PDU the server takes. Core 6.0, Vol 3, Part F, 3.4.2.2.
public struct ExchangeMTUResponse: Hashable, Sendable {
    /// In bytes, 23 at least.
    public var serverReceiveMTU: UInt16

    public init(serverReceiveMTU: UInt16) { self.serverReceiveMTU = serverReceiveMTU }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) { serverReceiveMTU = try bytes.takeUInt16() }

    public func write(to out: inout [UInt8]) { out.appendUInt16(serverReceiveMTU) }
}

extension ExchangeMTURequest: FieldDescribed {
    public static var fields: [Field<Self>] {
        [Field("Client Rx MTU", unit: .octets, \.clientReceiveMTU)]
    }
}

extension ExchangeMTUResponse: FieldDescribed {
    public static var fields: [Field<Self>] {
        [Field("Server Rx MTU", unit: .octets, \.serverReceiveMTU)]
    }
}
