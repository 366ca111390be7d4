public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read RF Path Compensation: what lies between radio and antenna. Core 6.0, Vol 4, Part E, 7.8.75.
public struct LEReadRFPathCompensation: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leReadRFPathCompensation,
            "LE Read RF Path Compensation",
            supportedBit: SupportedCommandsBit(octet: 39, bit: 0)
        )
    }
    public typealias Return = LEReadRFPathCompensationReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

/// What LE Read RF Path Compensation returns. Core 6.0, Vol 4, Part E, 7.8.75.
public struct LEReadRFPathCompensationReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Gain between transmitter and antenna: steps of 0.1 dB, two's complement.
    public var transmit: UInt16
    /// Gain between antenna and receiver: steps of 0.1 dB, two's complement.
    public var receive: UInt16

    public init(status: ControllerError = .success, transmit: UInt16 = 0, receive: UInt16 = 0) {
        self.status = status
        self.transmit = transmit
        self.receive = receive
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        transmit = try bytes.takeUInt16()
        receive = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt16(transmit)
        out.appendUInt16(receive)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("RF_TX_Path_Compensation_Value", unit: .tenthsOfDecibel, \.transmit),
            Field("RF_RX_Path_Compensation_Value", unit: .tenthsOfDecibel, \.receive),
        ]
    }
}

extension Opcode {
    /// LE Read RF Path Compensation. 7.8.75.
    public static let leReadRFPathCompensation = Self(rawValue: 0x204C)
}

extension Command {
    /// LE Read RF Path Compensation.
    public static var leReadRFPathCompensation: Self { Self(LEReadRFPathCompensation()) }
}
