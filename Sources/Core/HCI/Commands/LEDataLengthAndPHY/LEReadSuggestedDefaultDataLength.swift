public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read Suggested Default Data Length: what new connections begin with. Core 6.0, Vol 4, Part E, 7.8.34.
public struct LEReadSuggestedDefaultDataLength: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leReadSuggestedDefaultDataLength,
            "LE Read Suggested Default Data Length",
            supportedBit: SupportedCommandsBit(octet: 33, bit: 7),
            feature: .dataPacketLengthExtension
        )
    }
    public typealias Return = LEReadSuggestedDefaultDataLengthReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

/// What LE Read Suggested Default Data Length returns. Core 6.0, Vol 4, Part E, 7.8.34.
public struct LEReadSuggestedDefaultDataLengthReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// 27 to 251 bytes.
    public var transmitOctets: UInt16
    /// 328 to 17 040 µs.
    public var transmitTime: UInt16

    public init(status: ControllerError = .success, transmitOctets: UInt16 = 27, transmitTime: UInt16 = 328) {
        self.status = status
        self.transmitOctets = transmitOctets
        self.transmitTime = transmitTime
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        transmitOctets = try bytes.takeUInt16()
        transmitTime = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt16(transmitOctets)
        out.appendUInt16(transmitTime)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Suggested_Max_TX_Octets", unit: .octets, \.transmitOctets),
            Field("Suggested_Max_TX_Time", unit: .microseconds, \.transmitTime),
        ]
    }
}

extension Opcode {
    /// LE Read Suggested Default Data Length. 7.8.34.
    public static let leReadSuggestedDefaultDataLength = Self(rawValue: 0x2023)
}

extension Command {
    /// LE Read Suggested Default Data Length.
    public static var leReadSuggestedDefaultDataLength: Self { Self(LEReadSuggestedDefaultDataLength()) }
}
