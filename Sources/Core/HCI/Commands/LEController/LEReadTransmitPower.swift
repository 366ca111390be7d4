public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read Transmit Power: the range of power the controller can send with. Core 6.0, Vol 4, Part E, 7.8.74.
public struct LEReadTransmitPower: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leReadTransmitPower,
            "LE Read Transmit Power",
            supportedBit: SupportedCommandsBit(octet: 38, bit: 7)
        )
    }
    public typealias Return = LEReadTransmitPowerReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

/// What LE Read Transmit Power returns: the range of power the controller can send with. Core 6.0, Vol 4, Part E, 7.8.74.
public struct LEReadTransmitPowerReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// The weakest.
    public var minimum: SignalStrength
    /// The strongest.
    public var maximum: SignalStrength

    public init(
        status: ControllerError = .success,
        minimum: SignalStrength = SignalStrength(dBm: 0),
        maximum: SignalStrength = SignalStrength(dBm: 0)
    ) {
        self.status = status
        self.minimum = minimum
        self.maximum = maximum
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        minimum = SignalStrength(dBm: try bytes.takeInt8())
        maximum = SignalStrength(dBm: try bytes.takeInt8())
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendInt8(minimum.dBm)
        out.appendInt8(maximum.dBm)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Min_TX_Power", unit: .decibelMilliwatts, \.minimum),
            Field("Max_TX_Power", unit: .decibelMilliwatts, \.maximum),
        ]
    }
}

extension Opcode {
    /// LE Read Transmit Power. 7.8.74.
    public static let leReadTransmitPower = Self(rawValue: 0x204B)
}

extension Command {
    /// LE Read Transmit Power.
    public static var leReadTransmitPower: Self { Self(LEReadTransmitPower()) }
}
