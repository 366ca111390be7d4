public import BluethroatAirPackets
public import BluethroatBluetoothValues
public import BluethroatRadioMedium
public import BluethroatVirtualTime

/// A frame as a `RawRadio` got it, with what can be derived from it.
public struct HeardFrame: Sendable {
    /// Channel, PHY, start of the preamble, end of the CRC, signal strength, and the bytes, some of them wrong where
    /// another signal has spoilt them.
    public let reception: Reception
    /// Whether the frame is as long as its header says, and its CRC is right for the preset that was listened with.
    /// All that is said below of header and payload is a guess where this is false.
    public let hasValidCRC: Bool

    init(_ reception: Reception, crcInit: CRCInit) {
        self.reception = reception
        hasValidCRC =
            AirFrame.isWellFormed(reception.frame) && AirFrame.hasValidCRC(reception.frame, crcInit: crcInit)
    }

    /// When the preamble began.
    public var start: Instant { reception.start }
    /// When the last bit of the CRC had come.
    public var end: Instant { reception.end }
    public var channel: ChannelIndex { reception.channel }
    /// RSSI, in dBm.
    public var strength: SignalStrength { reception.strength }
    /// Access address to CRC.
    public var bytes: [UInt8] { reception.frame }

    /// Header and payload of a frame that came whole; nil for others.
    public var pdu: [UInt8]? { hasValidCRC ? Array(bytes[AirFrame.pduRange(of: bytes)]) : nil }
    /// The payload of a frame that came whole; nil for others.
    public var payload: [UInt8]? { hasValidCRC ? Array(bytes[AirFrame.payloadRange(of: bytes)]) : nil }
    /// The header of a data PDU that came whole; nil for others, and on advertising channels.
    public var dataHeader: DataHeader? {
        hasValidCRC && !channel.isAdvertising ? AirFrame.dataHeader(of: bytes) : nil
    }

    /// The PDU of a frame that came whole on an advertising channel and can be read; nil for others.
    public var advertisingPDU: AdvertisingPDU? {
        guard channel.isAdvertising, let pdu else { return nil }
        var bytes = pdu.span.bytes
        return try? AdvertisingPDU(parsing: &bytes)
    }

    /// The LL control PDU of a frame that came whole and in the clear; nil for others.
    public var controlPDU: ControlPDU? {
        guard dataHeader?.logicalLink == .control, let payload else { return nil }
        var bytes = payload.span.bytes
        return try? ControlPDU(parsing: &bytes)
    }
}
