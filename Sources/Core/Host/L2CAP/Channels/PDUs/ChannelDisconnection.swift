internal import BluethroatByteCoding

/// The two ends of a channel, as L2CAP_DISCONNECTION_REQ and L2CAP_DISCONNECTION_RSP name them. Core 6.0, Vol 3,
/// Part A, 4.6 and 4.7.
struct ChannelEnds: Equatable, Sendable {
    /// The channel end of the device that receives the request.
    var destination: UInt16
    /// The channel end of the device that sends the request.
    var source: UInt16

    static let requestCode: UInt8 = 0x06
    static let responseCode: UInt8 = 0x07
}

extension ChannelEnds {
    init(parsing data: inout RawSpan) throws(DecodeError) {
        destination = try data.takeUInt16()
        source = try data.takeUInt16()
    }

    func write(to out: inout [UInt8]) {
        out.appendUInt16(destination)
        out.appendUInt16(source)
    }
}

extension ChannelEnds: FieldDescribed {
    static var fields: [Field<Self>] {
        [Field("Destination CID", \.destination), Field("Source CID", \.source)]
    }
}
