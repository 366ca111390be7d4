public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read Advertising Physical Channel Tx Power: the power of advertising. Core 6.0, Vol 4, Part E, 7.8.6.
public struct LEReadAdvertisingPhysicalChannelTxPower: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leReadAdvertisingPhysicalChannelTxPower,
            "LE Read Advertising Physical Channel Tx Power",
            supportedBit: SupportedCommandsBit(octet: 25, bit: 6)
        )
    }
    public typealias Return = LEReadAdvertisingPhysicalChannelTxPowerReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
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

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("TX_Power_Level", unit: .decibelMilliwatts, \.level),
        ]
    }
}

extension Opcode {
    /// LE Read Advertising Physical Channel Tx Power. 7.8.6.
    public static let leReadAdvertisingPhysicalChannelTxPower = Self(rawValue: 0x2007)
}

extension Command {
    /// LE Read Advertising Physical Channel Tx Power.
    public static var leReadAdvertisingPhysicalChannelTxPower: Self { Self(LEReadAdvertisingPhysicalChannelTxPower()) }
}
