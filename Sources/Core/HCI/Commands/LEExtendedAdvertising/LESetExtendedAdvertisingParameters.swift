public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Set Extended Advertising Parameters [v1]: how one advertising set behaves. Core 6.0, Vol 4, Part E, 7.8.53.
public struct LESetExtendedAdvertisingParameters: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetExtendedAdvertisingParameters,
            "LE Set Extended Advertising Parameters [v1]",
            supportedBit: SupportedCommandsBit(octet: 36, bit: 2)
        )
    }
    public typealias Return = LESetExtendedAdvertisingParametersReturn

    /// The advertising set, 0x00 to 0xEF.
    public var advertisingHandle: UInt8
    /// What the set allows and what it contains.
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
    /// The devices whose requests count.
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
    /// Whether the controller reports each scan request to the host.
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

    public static var fields: [Field<Self>] {
        [
            Field("Advertising_Handle", \.advertisingHandle),
            Field("Advertising_Event_Properties", \.properties),
            Field("Primary_Advertising_Interval_Min", bits: 24, unit: .slots, \.primaryMinimumInterval),
            Field("Primary_Advertising_Interval_Max", bits: 24, unit: .slots, \.primaryMaximumInterval),
            Field("Primary_Advertising_Channel_Map", \.primaryChannelMap),
            Field("Own_Address_Type", \.ownAddressType),
            Field("Peer_Address_Type", \.peer.type),
            Field("Peer_Address", \.peer.address),
            Field("Advertising_Filter_Policy", \.filterPolicy),
            Field("Advertising_TX_Power", unit: .decibelMilliwatts) { $0.transmitPower?.dBm ?? 127 },
            Field("Primary_Advertising_PHY", \.primaryPHY),
            Field("Secondary_Advertising_Max_Skip", \.secondaryMaximumSkip),
            Field("Secondary_Advertising_PHY", \.secondaryPHY),
            Field("Advertising_SID", \.setIdentifier),
            Field("Scan_Request_Notification_Enable", \.notifiesOfScanRequests),
        ]
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

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Selected_TX_Power", unit: .decibelMilliwatts, \.transmitPower),
        ]
    }
}

extension Opcode {
    /// LE Set Extended Advertising Parameters [v1]. 7.8.53.
    public static let leSetExtendedAdvertisingParameters = Self(rawValue: 0x2036)
}

extension Command {
    /// LE Set Extended Advertising Parameters [v1].
    public static func leSetExtendedAdvertisingParameters(_ command: LESetExtendedAdvertisingParameters) -> Self {
        Self(command)
    }
}
