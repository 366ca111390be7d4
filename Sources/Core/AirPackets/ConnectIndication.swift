public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// CONNECT_IND: all that two devices must agree on to be connected. Core 6.0, Vol 6, Part B, 2.3.3.1.
public struct ConnectIndication: Hashable, Sendable {
    /// InitA: who becomes the central.
    public var initiator: DeviceAddress
    /// AdvA: who becomes the peripheral.
    public var advertiser: DeviceAddress
    /// AA: the access address of the new link.
    public var accessAddress: AccessAddress
    /// CRCInit: the preset of every CRC on the new link.
    public var crcInit: CRCInit
    /// WinSize and WinOffset.
    public var window: TransmitWindow
    /// Interval, Latency and Timeout.
    public var parameters: ConnectionParameters
    /// ChM.
    public var channelMap: ChannelMap
    /// Hop: what Channel Selection Algorithm #1 adds from event to event.
    public var hopIncrement: HopIncrement
    /// SCA: the worst that the central's sleep clock does.
    public var sleepClockAccuracy: SleepClockAccuracy
    /// ChSel: whether the initiator can use Channel Selection Algorithm #2; used if the advertiser can too.
    public var supportsChannelSelection2: Bool

    /// Bytes after the header.
    public static let payloadLength = 34

    public init(
        initiator: DeviceAddress,
        advertiser: DeviceAddress,
        accessAddress: AccessAddress,
        crcInit: CRCInit,
        window: TransmitWindow,
        parameters: ConnectionParameters,
        channelMap: ChannelMap,
        hopIncrement: HopIncrement,
        sleepClockAccuracy: SleepClockAccuracy,
        supportsChannelSelection2: Bool
    ) {
        self.initiator = initiator
        self.advertiser = advertiser
        self.accessAddress = accessAddress
        self.crcInit = crcInit
        self.window = window
        self.parameters = parameters
        self.channelMap = channelMap
        self.hopIncrement = hopIncrement
        self.sleepClockAccuracy = sleepClockAccuracy
        self.supportsChannelSelection2 = supportsChannelSelection2
    }

    /// Takes the payload; the header gives the kinds of the addresses. A field that is out of its range is an error: no
    /// connection comes of such a PDU.
    public init(parsing bytes: inout RawSpan, header: AdvertisingHeader) throws(DecodeError) {
        initiator = try DeviceAddress(parsing: &bytes, kind: header.transmitter)
        advertiser = try DeviceAddress(parsing: &bytes, kind: header.receiver)
        supportsChannelSelection2 = header.supportsChannelSelection2
        accessAddress = try AccessAddress(parsing: &bytes)
        crcInit = try CRCInit(parsing: &bytes)
        let windowSize = try bytes.takeUInt8()
        let windowOffset = try bytes.takeUInt16()
        let interval = try bytes.takeUInt16()
        let latency = try bytes.takeUInt16()
        let timeout = try bytes.takeUInt16()
        let channels = try ChannelMap(parsing: &bytes)
        let hopAndAccuracy = try bytes.takeUInt8()

        guard
            let parameters = ConnectionParameters(
                intervalSteps: interval,
                latencyEvents: latency,
                timeoutSteps: timeout
            )
        else { throw .invalidValue(field: "connection interval, latency or timeout", value: Int(interval)) }
        guard
            let window = TransmitWindow(
                sizeSteps: windowSize,
                offsetSteps: windowOffset,
                interval: parameters.interval
            )
        else { throw .invalidValue(field: "transmit window", value: Int(windowSize)) }
        guard let hop = HopIncrement(hopAndAccuracy & 0x1F) else {
            throw .invalidValue(field: "hop increment", value: Int(hopAndAccuracy & 0x1F))
        }
        guard let accuracy = SleepClockAccuracy(rawValue: hopAndAccuracy >> 5) else {
            throw .invalidValue(field: "sleep clock accuracy", value: Int(hopAndAccuracy >> 5))
        }
        self.parameters = parameters
        self.window = window
        channelMap = channels
        hopIncrement = hop
        sleepClockAccuracy = accuracy
    }

    /// Writes the payload; the kinds of the addresses and ChSel belong to the header.
    public func write(to out: inout [UInt8]) {
        initiator.write(to: &out)
        advertiser.write(to: &out)
        accessAddress.write(to: &out)
        crcInit.write(to: &out)
        out.appendUInt8(window.sizeSteps)
        out.appendUInt16(window.offsetSteps)
        out.appendUInt16(parameters.interval.steps)
        out.appendUInt16(parameters.latency.events)
        out.appendUInt16(parameters.supervisionTimeout.steps)
        channelMap.write(to: &out)
        out.appendUInt8(hopIncrement.channels | sleepClockAccuracy.rawValue << 5)
    }
}

/// How many channels apart the connection events of Channel Selection Algorithm #1 are, 5 to 16.
/// Core 6.0, Vol 6, Part B, 2.3.3.1.
public struct HopIncrement: Hashable, Sendable {
    /// 5 to 16.
    public let channels: UInt8

    @inlinable
    public init?(_ channels: UInt8) {
        guard (5...16).contains(channels) else { return nil }
        self.channels = channels
    }
}
