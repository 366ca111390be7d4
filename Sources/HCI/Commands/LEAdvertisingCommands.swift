public import BluetoothValues
public import ByteCoding

/// LE Set Advertising Parameters: how legacy advertising is done. Core 6.0, Vol 4, Part E, 7.8.5.
public struct LESetAdvertisingParameters: CommandParameters {
    public static var opcode: Opcode { .leSetAdvertisingParameters }

    /// Steps of 0.625 ms, 0x0020 to 0x4000; without meaning for high duty cycle.
    public var minimumInterval: UInt16
    /// Steps of 0.625 ms, not less than the minimum.
    public var maximumInterval: UInt16
    /// What the advertising invites to.
    public var type: AdvertisingType
    /// Under which address the controller appears.
    public var ownAddressType: OwnAddressType
    /// Whom directed advertising calls, and whose resolving list entry gives the private address.
    public var peer: PeerAddress
    /// Bit 0 is channel 37, bit 1 channel 38, bit 2 channel 39; at least one.
    public var channelMap: UInt8
    /// Whose requests count.
    public var filterPolicy: AdvertisingFilterPolicy

    public init(
        minimumInterval: UInt16 = 0x0800,
        maximumInterval: UInt16 = 0x0800,
        type: AdvertisingType = .connectable,
        ownAddressType: OwnAddressType = .public,
        peer: PeerAddress = PeerAddress(DeviceAddress(value: 0, kind: .public)),
        channelMap: UInt8 = 0x07,
        filterPolicy: AdvertisingFilterPolicy = .everybody
    ) {
        self.minimumInterval = minimumInterval
        self.maximumInterval = maximumInterval
        self.type = type
        self.ownAddressType = ownAddressType
        self.peer = peer
        self.channelMap = channelMap
        self.filterPolicy = filterPolicy
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        minimumInterval = try bytes.takeUInt16()
        maximumInterval = try bytes.takeUInt16()
        type = try bytes.takeEnum("type")
        ownAddressType = try bytes.takeEnum("own address type")
        peer = try PeerAddress(parsing: &bytes)
        channelMap = try bytes.takeUInt8()
        filterPolicy = try bytes.takeEnum("filter policy")
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(minimumInterval)
        out.appendUInt16(maximumInterval)
        out.append(type.rawValue)
        out.append(ownAddressType.rawValue)
        peer.write(to: &out)
        out.appendUInt8(channelMap)
        out.append(filterPolicy.rawValue)
    }
}

/// What LE Read Advertising Physical Channel Tx Power returns. Core 6.0, Vol 4, Part E, 7.8.6.
public struct LEReadAdvertisingPhysicalChannelTxPowerReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// −127 to +20 dBm.
    public var level: SignalStrength

    public init(status: ControllerError = .success, level: SignalStrength = SignalStrength(dBm: 0)) {
        self.status = status
        self.level = level
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        level = SignalStrength(dBm: try bytes.takeInt8())
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendInt8(level.dBm)
    }
}

/// LE Set Advertising Data: what a legacy advertiser says. Core 6.0, Vol 4, Part E, 7.8.7.
public struct LESetAdvertisingData: CommandParameters {
    public static var opcode: Opcode { .leSetAdvertisingData }

    /// At most 31 bytes; the padding after them does not count.
    public var data: [UInt8]

    public init(data: [UInt8]) {
        self.data = data
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        data = try bytes.takePaddedData()
    }

    public func write(to out: inout [UInt8]) {
        out.appendPaddedData(data)
    }
}

/// LE Set Scan Response Data: what a legacy advertiser answers to scanners who ask. Core 6.0, Vol 4, Part E, 7.8.8.
public struct LESetScanResponseData: CommandParameters {
    public static var opcode: Opcode { .leSetScanResponseData }

    /// At most 31 bytes; the padding after them does not count.
    public var data: [UInt8]

    public init(data: [UInt8]) {
        self.data = data
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        data = try bytes.takePaddedData()
    }

    public func write(to out: inout [UInt8]) {
        out.appendPaddedData(data)
    }
}

/// LE Set Advertising Enable: starts or stops legacy advertising. Core 6.0, Vol 4, Part E, 7.8.9.
public struct LESetAdvertisingEnable: CommandParameters {
    public static var opcode: Opcode { .leSetAdvertisingEnable }

    /// On or off.
    public var isEnabled: Bool

    public init(isEnabled: Bool) {
        self.isEnabled = isEnabled
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        isEnabled = try bytes.takeBool("is enabled")
    }

    public func write(to out: inout [UInt8]) {
        out.append(isEnabled ? 1 : 0)
    }
}
