public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Set Advertising Parameters: how legacy advertising is done. Core 6.0, Vol 4, Part E, 7.8.5.
public struct LESetAdvertisingParameters: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leSetAdvertisingParameters,
            "LE Set Advertising Parameters",
            supportedBit: SupportedCommandsBit(octet: 25, bit: 5)
        )
    }

    /// Steps of 0.625 ms, 0x0020 to 0x4000; without meaning for high duty cycle.
    public var minimumInterval: UInt16
    /// Steps of 0.625 ms, not less than the minimum.
    public var maximumInterval: UInt16
    /// What the advertising invites to.
    public var type: AdvertisingType
    /// Under which address the controller appears.
    public var ownAddressType: OwnAddressType
    /// The target of directed advertising, or the peer whose resolving list entry gives the private address.
    public var peer: PeerAddress
    /// Bit 0 is channel 37, bit 1 channel 38, bit 2 channel 39; at least one.
    public var channelMap: UInt8
    /// The devices whose requests count.
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

    public static var fields: [Field<Self>] {
        [
            Field("Advertising_Interval_Min", unit: .slots, \.minimumInterval),
            Field("Advertising_Interval_Max", unit: .slots, \.maximumInterval),
            Field("Advertising_Type", \.type),
            Field("Own_Address_Type", \.ownAddressType),
            Field("Peer_Address_Type", \.peer.type),
            Field("Peer_Address", \.peer.address),
            Field("Advertising_Channel_Map", \.channelMap),
            Field("Advertising_Filter_Policy", \.filterPolicy),
        ]
    }
}

extension Opcode {
    /// LE Set Advertising Parameters. 7.8.5.
    public static let leSetAdvertisingParameters = Self(rawValue: 0x2006)
}

extension Command {
    /// LE Set Advertising Parameters.
    public static func leSetAdvertisingParameters(_ command: LESetAdvertisingParameters) -> Self { Self(command) }
}
