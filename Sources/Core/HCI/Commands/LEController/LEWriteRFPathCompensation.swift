public import BluethroatByteCoding

/// LE Write RF Path Compensation: what lies between radio and antenna. Core 6.0, Vol 4, Part E, 7.8.76.
public struct LEWriteRFPathCompensation: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leWriteRFPathCompensation,
            "LE Write RF Path Compensation",
            supportedBit: SupportedCommandsBit(octet: 39, bit: 1)
        )
    }

    /// Gain between transmitter and antenna: steps of 0.1 dB, two's complement, -128 to 128 dB.
    public var transmit: UInt16
    /// Gain between antenna and receiver: steps of 0.1 dB, two's complement, -128 to 128 dB.
    public var receive: UInt16

    public init(transmit: UInt16, receive: UInt16) {
        self.transmit = transmit
        self.receive = receive
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        transmit = try bytes.takeUInt16()
        receive = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(transmit)
        out.appendUInt16(receive)
    }

    public static var fields: [Field<Self>] {
        [
            Field("RF_TX_Path_Compensation_Value", unit: .tenthsOfDecibel, \.transmit),
            Field("RF_RX_Path_Compensation_Value", unit: .tenthsOfDecibel, \.receive),
        ]
    }
}

extension Opcode {
    /// LE Write RF Path Compensation. 7.8.76.
    public static let leWriteRFPathCompensation = Self(rawValue: 0x204D)
}

extension Command {
    /// LE Write RF Path Compensation.
    public static func leWriteRFPathCompensation(_ command: LEWriteRFPathCompensation) -> Self { Self(command) }
}
