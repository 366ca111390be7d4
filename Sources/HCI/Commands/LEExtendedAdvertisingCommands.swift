public import BluetoothValues
public import ByteCoding

/// LE Set Advertising Set Random Address: the random address of one advertising set. Core 6.0, Vol 4, Part E, 7.8.52.
public struct LESetAdvertisingSetRandomAddress: CommandParameters {
    public static var opcode: Opcode { .leSetAdvertisingSetRandomAddress }

    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8
    /// A random address of any kind.
    public var address: DeviceAddress

    public init(advertisingHandle: UInt8, address: DeviceAddress) {
        self.advertisingHandle = advertisingHandle
        self.address = address
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        advertisingHandle = try bytes.takeUInt8()
        address = try DeviceAddress(parsing: &bytes, kind: .random)
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(advertisingHandle)
        address.write(to: &out)
    }
}

/// LE Set Extended Advertising Parameters [v1]: how one advertising set behaves. Core 6.0, Vol 4, Part E, 7.8.53.
public struct LESetExtendedAdvertisingParameters: CommandParameters {
    public static var opcode: Opcode { .leSetExtendedAdvertisingParameters }

    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8
    /// What the set invites to and tells.
    public var properties: AdvertisingProperties
    /// Steps of 0.625 ms, from 0x000020.
    public var primaryMinimumInterval: UInt32
    /// Steps of 0.625 ms, not less than the minimum.
    public var primaryMaximumInterval: UInt32
    /// Bit 0 is channel 37, bit 1 channel 38, bit 2 channel 39; at least one.
    public var primaryChannelMap: UInt8
    /// Under which address the controller appears.
    public var ownAddressType: OwnAddressType
    /// The other device.
    public var peer: PeerAddress
    /// Whose requests count.
    public var filterPolicy: AdvertisingFilterPolicy
    /// The most it may be; nil leaves it to the controller.
    public var transmitPower: SignalStrength?
    /// LE 1M or LE Coded.
    public var primaryPHY: PHY
    /// Advertising events that may pass before the auxiliary packet.
    public var secondaryMaximumSkip: UInt8
    /// For the auxiliary packets; without meaning for legacy PDUs.
    public var secondaryPHY: PHY
    /// Advertising SID, 0 to 15.
    public var setIdentifier: UInt8
    /// Whether to tell the host of each scan request.
    public var notifiesOfScanRequests: Bool

    public init(
        advertisingHandle: UInt8,
        properties: AdvertisingProperties,
        primaryMinimumInterval: UInt32 = 0x000800,
        primaryMaximumInterval: UInt32 = 0x000800,
        primaryChannelMap: UInt8 = 0x07,
        ownAddressType: OwnAddressType = .public,
        peer: PeerAddress = PeerAddress(DeviceAddress(value: 0, kind: .public)),
        filterPolicy: AdvertisingFilterPolicy = .everybody,
        transmitPower: SignalStrength? = nil,
        primaryPHY: PHY = .le1M,
        secondaryMaximumSkip: UInt8 = 0,
        secondaryPHY: PHY = .le1M,
        setIdentifier: UInt8 = 0,
        notifiesOfScanRequests: Bool = false
    ) {
        self.advertisingHandle = advertisingHandle
        self.properties = properties
        self.primaryMinimumInterval = primaryMinimumInterval
        self.primaryMaximumInterval = primaryMaximumInterval
        self.primaryChannelMap = primaryChannelMap
        self.ownAddressType = ownAddressType
        self.peer = peer
        self.filterPolicy = filterPolicy
        self.transmitPower = transmitPower
        self.primaryPHY = primaryPHY
        self.secondaryMaximumSkip = secondaryMaximumSkip
        self.secondaryPHY = secondaryPHY
        self.setIdentifier = setIdentifier
        self.notifiesOfScanRequests = notifiesOfScanRequests
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        advertisingHandle = try bytes.takeUInt8()
        properties = AdvertisingProperties(rawValue: try bytes.takeUInt16())
        primaryMinimumInterval = try bytes.takeUInt24()
        primaryMaximumInterval = try bytes.takeUInt24()
        primaryChannelMap = try bytes.takeUInt8()
        ownAddressType = try bytes.takeEnum("own address type")
        peer = try PeerAddress(parsing: &bytes)
        filterPolicy = try bytes.takeEnum("filter policy")
        transmitPower = try bytes.takeSignalStrength()
        primaryPHY = try bytes.takePHY("primary PHY")
        secondaryMaximumSkip = try bytes.takeUInt8()
        secondaryPHY = try bytes.takePHY("secondary PHY")
        setIdentifier = try bytes.takeUInt8()
        notifiesOfScanRequests = try bytes.takeBool("notifies of scan requests")
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(advertisingHandle)
        out.appendUInt16(properties.rawValue)
        out.appendUInt24(primaryMinimumInterval)
        out.appendUInt24(primaryMaximumInterval)
        out.appendUInt8(primaryChannelMap)
        out.append(ownAddressType.rawValue)
        peer.write(to: &out)
        out.append(filterPolicy.rawValue)
        out.appendInt8(transmitPower?.dBm ?? 127)
        out.append(primaryPHY.rawValue)
        out.appendUInt8(secondaryMaximumSkip)
        out.append(secondaryPHY.rawValue)
        out.appendUInt8(setIdentifier)
        out.append(notifiesOfScanRequests ? 1 : 0)
    }
}

/// What LE Set Extended Advertising Parameters returns. Core 6.0, Vol 4, Part E, 7.8.53.
public struct LESetExtendedAdvertisingParametersReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// What the controller chose.
    public var transmitPower: SignalStrength

    public init(status: ControllerError = .success, transmitPower: SignalStrength = SignalStrength(dBm: 0)) {
        self.status = status
        self.transmitPower = transmitPower
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        transmitPower = SignalStrength(dBm: try bytes.takeInt8())
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendInt8(transmitPower.dBm)
    }
}

/// LE Set Extended Advertising Data: what one advertising set says. Core 6.0, Vol 4, Part E, 7.8.54.
public struct LESetExtendedAdvertisingData: CommandParameters {
    public static var opcode: Opcode { .leSetExtendedAdvertisingData }

    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8
    /// Which part of the data this is.
    public var operation: AdvertisingDataOperation
    /// Whether the controller may cut the data up.
    public var fragmentPreference: FragmentPreference
    /// At most 251 bytes a command.
    public var data: [UInt8]

    public init(
        advertisingHandle: UInt8,
        operation: AdvertisingDataOperation = .complete,
        fragmentPreference: FragmentPreference = .mayFragment,
        data: [UInt8]
    ) {
        self.advertisingHandle = advertisingHandle
        self.operation = operation
        self.fragmentPreference = fragmentPreference
        self.data = data
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        advertisingHandle = try bytes.takeUInt8()
        operation = try bytes.takeEnum("operation")
        fragmentPreference = try bytes.takeEnum("fragment preference")
        data = try bytes.takeCountedBytes()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(advertisingHandle)
        out.append(operation.rawValue)
        out.append(fragmentPreference.rawValue)
        out.appendCountedBytes(data)
    }
}

/// LE Set Extended Scan Response Data: what one advertising set answers to scanners who ask. Core 6.0, Vol 4, Part E, 7.8.55.
public struct LESetExtendedScanResponseData: CommandParameters {
    public static var opcode: Opcode { .leSetExtendedScanResponseData }

    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8
    /// Which part of the data this is.
    public var operation: AdvertisingDataOperation
    /// Whether the controller may cut the data up.
    public var fragmentPreference: FragmentPreference
    /// At most 251 bytes a command.
    public var data: [UInt8]

    public init(
        advertisingHandle: UInt8,
        operation: AdvertisingDataOperation = .complete,
        fragmentPreference: FragmentPreference = .mayFragment,
        data: [UInt8]
    ) {
        self.advertisingHandle = advertisingHandle
        self.operation = operation
        self.fragmentPreference = fragmentPreference
        self.data = data
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        advertisingHandle = try bytes.takeUInt8()
        operation = try bytes.takeEnum("operation")
        fragmentPreference = try bytes.takeEnum("fragment preference")
        data = try bytes.takeCountedBytes()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(advertisingHandle)
        out.append(operation.rawValue)
        out.append(fragmentPreference.rawValue)
        out.appendCountedBytes(data)
    }
}

/// LE Set Extended Advertising Enable: starts or stops advertising sets. Core 6.0, Vol 4, Part E, 7.8.56.
public struct LESetExtendedAdvertisingEnable: CommandParameters {
    public static var opcode: Opcode { .leSetExtendedAdvertisingEnable }

    /// On or off.
    public var isEnabled: Bool
    /// None, to stop all sets.
    public var sets: [AdvertisingSetTiming]

    public init(isEnabled: Bool, sets: [AdvertisingSetTiming]) {
        self.isEnabled = isEnabled
        self.sets = sets
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        isEnabled = try bytes.takeBool("is enabled")
        let count = Int(try bytes.takeUInt8())
        sets = []
        sets.reserveCapacity(count)
        for _ in 0..<count { sets.append(try AdvertisingSetTiming(parsing: &bytes)) }
    }

    public func write(to out: inout [UInt8]) {
        out.append(isEnabled ? 1 : 0)
        out.appendUInt8(UInt8(sets.count))
        for element in sets { element.write(to: &out) }
    }
}

/// What LE Read Maximum Advertising Data Length returns. Core 6.0, Vol 4, Part E, 7.8.57.
public struct LEReadMaximumAdvertisingDataLengthReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// 31 to 1650 bytes.
    public var length: UInt16

    public init(status: ControllerError = .success, length: UInt16 = 31) {
        self.status = status
        self.length = length
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        length = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt16(length)
    }
}

/// What LE Read Number of Supported Advertising Sets returns. Core 6.0, Vol 4, Part E, 7.8.58.
public struct LEReadNumberOfSupportedAdvertisingSetsReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// From 1.
    public var count: UInt8

    public init(status: ControllerError = .success, count: UInt8 = 0) {
        self.status = status
        self.count = count
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        count = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt8(count)
    }
}

/// LE Remove Advertising Set: forgets an advertising set. Core 6.0, Vol 4, Part E, 7.8.59.
public struct LERemoveAdvertisingSet: CommandParameters {
    public static var opcode: Opcode { .leRemoveAdvertisingSet }

    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8

    public init(advertisingHandle: UInt8) {
        self.advertisingHandle = advertisingHandle
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        advertisingHandle = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(advertisingHandle)
    }
}

/// One set in LE Set Extended Advertising Enable: how long it is on the air. Core 6.0, Vol 4, Part E, 7.8.56.
public struct AdvertisingSetTiming: Hashable, Sendable {
    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8
    /// Steps of 10 ms; 0 goes on until stopped.
    public var duration: UInt16
    /// Advertising events after which it ends; 0 for no limit.
    public var maximumEvents: UInt8

    public init(advertisingHandle: UInt8, duration: UInt16 = 0, maximumEvents: UInt8 = 0) {
        self.advertisingHandle = advertisingHandle
        self.duration = duration
        self.maximumEvents = maximumEvents
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        advertisingHandle = try bytes.takeUInt8()
        duration = try bytes.takeUInt16()
        maximumEvents = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(advertisingHandle)
        out.appendUInt16(duration)
        out.appendUInt8(maximumEvents)
    }
}
