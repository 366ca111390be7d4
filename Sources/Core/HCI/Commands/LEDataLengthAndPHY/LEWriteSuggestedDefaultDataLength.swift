public import BluethroatByteCoding

/// LE Write Suggested Default Data Length: how long packets on new connections should be. Core 6.0, Vol 4, Part E, 7.8.35.
public struct LEWriteSuggestedDefaultDataLength: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leWriteSuggestedDefaultDataLength,
            "LE Write Suggested Default Data Length",
            supportedBit: SupportedCommandsBit(octet: 34, bit: 0),
            feature: .dataPacketLengthExtension
        )
    }

    /// 27 to 251 bytes.
    public var transmitOctets: UInt16
    /// 328 to 17 040 µs.
    public var transmitTime: UInt16

    public init(transmitOctets: UInt16, transmitTime: UInt16) {
        self.transmitOctets = transmitOctets
        self.transmitTime = transmitTime
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        transmitOctets = try bytes.takeUInt16()
        transmitTime = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt16(transmitOctets)
        out.appendUInt16(transmitTime)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Suggested_Max_TX_Octets", unit: .octets, \.transmitOctets),
            Field("Suggested_Max_TX_Time", unit: .microseconds, \.transmitTime),
        ]
    }
}

extension Opcode {
    /// LE Write Suggested Default Data Length. 7.8.35.
    public static let leWriteSuggestedDefaultDataLength = Self(rawValue: 0x2024)
}

extension Command {
    /// LE Write Suggested Default Data Length.
    public static func leWriteSuggestedDefaultDataLength(_ command: LEWriteSuggestedDefaultDataLength) -> Self {
        Self(command)
    }
}
