public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read Maximum Data Length: the longest packets the controller can send and receive. Core 6.0, Vol 4, Part E, 7.8.46.
public struct LEReadMaximumDataLength: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leReadMaximumDataLength,
            "LE Read Maximum Data Length",
            supportedBit: SupportedCommandsBit(octet: 35, bit: 3),
            feature: .dataPacketLengthExtension
        )
    }
    public typealias Return = LEReadMaximumDataLengthReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

/// What LE Read Maximum Data Length returns: the longest packets the controller can send and receive. Core 6.0, Vol 4, Part E, 7.8.46.
public struct LEReadMaximumDataLengthReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// 27 to 251 bytes.
    public var transmitOctets: UInt16
    /// 328 to 17 040 µs.
    public var transmitTime: UInt16
    /// 27 to 251 bytes.
    public var receiveOctets: UInt16
    /// 328 to 17 040 µs.
    public var receiveTime: UInt16

    public init(
        status: ControllerError = .success,
        transmitOctets: UInt16 = 27,
        transmitTime: UInt16 = 328,
        receiveOctets: UInt16 = 27,
        receiveTime: UInt16 = 328
    ) {
        self.status = status
        self.transmitOctets = transmitOctets
        self.transmitTime = transmitTime
        self.receiveOctets = receiveOctets
        self.receiveTime = receiveTime
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        transmitOctets = try bytes.takeUInt16()
        transmitTime = try bytes.takeUInt16()
        receiveOctets = try bytes.takeUInt16()
        receiveTime = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt16(transmitOctets)
        out.appendUInt16(transmitTime)
        out.appendUInt16(receiveOctets)
        out.appendUInt16(receiveTime)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Supported_Max_TX_Octets", unit: .octets, \.transmitOctets),
            Field("Supported_Max_TX_Time", unit: .microseconds, \.transmitTime),
            Field("Supported_Max_RX_Octets", unit: .octets, \.receiveOctets),
            Field("Supported_Max_RX_Time", unit: .microseconds, \.receiveTime),
        ]
    }
}

extension Opcode {
    /// LE Read Maximum Data Length. 7.8.46.
    public static let leReadMaximumDataLength = Self(rawValue: 0x202F)
}

extension Command {
    /// LE Read Maximum Data Length.
    public static var leReadMaximumDataLength: Self { Self(LEReadMaximumDataLength()) }
}
