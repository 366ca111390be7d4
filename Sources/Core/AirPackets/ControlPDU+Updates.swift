public import BluethroatBluetoothValues
import BluethroatByteCoding

/// LL_CONNECTION_UPDATE_IND: from the event `instant` on, the connection has other parameters.
/// Core 6.0, Vol 6, Part B, 2.4.2.1.
public struct ConnectionUpdateIndication: Hashable, Sendable {
    /// In steps of 1.25 ms.
    public var windowSizeSteps: UInt8
    /// In steps of 1.25 ms.
    public var windowOffsetSteps: UInt16
    /// In steps of 1.25 ms.
    public var intervalSteps: UInt16
    /// Connection events that the peripheral may sleep through.
    public var latencyEvents: UInt16
    /// In steps of 10 ms.
    public var timeoutSteps: UInt16
    /// The connection event counter at which the change happens.
    public var instant: UInt16

    public init(window: TransmitWindow, parameters: ConnectionParameters, instant: UInt16) {
        windowSizeSteps = window.sizeSteps
        windowOffsetSteps = window.offsetSteps
        intervalSteps = parameters.interval.steps
        latencyEvents = parameters.latency.events
        timeoutSteps = parameters.supervisionTimeout.steps
        self.instant = instant
    }

    /// Interval, latency and timeout; nil where they are not allowed.
    public var parameters: ConnectionParameters? {
        ConnectionParameters(intervalSteps: intervalSteps, latencyEvents: latencyEvents, timeoutSteps: timeoutSteps)
    }

    /// Size and offset; nil where they are not allowed.
    public var window: TransmitWindow? {
        guard let interval = ConnectionInterval(steps: intervalSteps) else { return nil }
        return TransmitWindow(sizeSteps: windowSizeSteps, offsetSteps: windowOffsetSteps, interval: interval)
    }

    init(parsing bytes: inout RawSpan) throws(DecodeError) {
        windowSizeSteps = try bytes.takeUInt8()
        windowOffsetSteps = try bytes.takeUInt16()
        intervalSteps = try bytes.takeUInt16()
        latencyEvents = try bytes.takeUInt16()
        timeoutSteps = try bytes.takeUInt16()
        instant = try bytes.takeUInt16()
    }

    func write(to out: inout [UInt8]) {
        out.appendUInt8(windowSizeSteps)
        out.appendUInt16(windowOffsetSteps)
        out.appendUInt16(intervalSteps)
        out.appendUInt16(latencyEvents)
        out.appendUInt16(timeoutSteps)
        out.appendUInt16(instant)
    }
}

/// LL_CHANNEL_MAP_IND: from the event `instant` on, other channels are used. Core 6.0, Vol 6, Part B, 2.4.2.2.
public struct ChannelMapIndication: Hashable, Sendable {
    /// The channels used from then on.
    public var channelMap: ChannelMap
    /// The connection event counter at which the change happens.
    public var instant: UInt16

    public init(channelMap: ChannelMap, instant: UInt16) {
        self.channelMap = channelMap
        self.instant = instant
    }

    init(parsing bytes: inout RawSpan) throws(DecodeError) {
        channelMap = try ChannelMap(parsing: &bytes)
        instant = try bytes.takeUInt16()
    }

    func write(to out: inout [UInt8]) {
        channelMap.write(to: &out)
        out.appendUInt16(instant)
    }
}

/// LL_PHY_UPDATE_IND: from the event `instant` on, other PHYs are used; an empty set leaves a direction as it is.
/// Core 6.0, Vol 6, Part B, 2.4.2.24.
public struct PHYUpdateIndication: Hashable, Sendable {
    /// The one PHY that the central sends on from then on.
    public var centralToPeripheral: PHYSet
    /// The one PHY that the peripheral sends on from then on.
    public var peripheralToCentral: PHYSet
    /// The connection event counter at which the change happens; without meaning if both sets are empty.
    public var instant: UInt16

    public init(centralToPeripheral: PHYSet, peripheralToCentral: PHYSet, instant: UInt16) {
        self.centralToPeripheral = centralToPeripheral
        self.peripheralToCentral = peripheralToCentral
        self.instant = instant
    }

    init(parsing bytes: inout RawSpan) throws(DecodeError) {
        centralToPeripheral = PHYSet(rawValue: try bytes.takeUInt8())
        peripheralToCentral = PHYSet(rawValue: try bytes.takeUInt8())
        instant = try bytes.takeUInt16()
    }

    func write(to out: inout [UInt8]) {
        out.appendUInt8(centralToPeripheral.rawValue)
        out.appendUInt8(peripheralToCentral.rawValue)
        out.appendUInt16(instant)
    }
}
