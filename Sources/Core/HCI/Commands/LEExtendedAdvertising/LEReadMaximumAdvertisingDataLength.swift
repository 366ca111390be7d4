public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read Maximum Advertising Data Length: the most data of one advertising set. Core 6.0, Vol 4, Part E, 7.8.57.
public struct LEReadMaximumAdvertisingDataLength: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leReadMaximumAdvertisingDataLength,
            "LE Read Maximum Advertising Data Length",
            supportedBit: SupportedCommandsBit(octet: 36, bit: 6)
        )
    }
    public typealias Return = LEReadMaximumAdvertisingDataLengthReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
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

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Max_Advertising_Data_Length", unit: .octets, \.length),
        ]
    }
}

extension Opcode {
    /// LE Read Maximum Advertising Data Length. 7.8.57.
    public static let leReadMaximumAdvertisingDataLength = Self(rawValue: 0x203A)
}

extension Command {
    /// LE Read Maximum Advertising Data Length.
    public static var leReadMaximumAdvertisingDataLength: Self { Self(LEReadMaximumAdvertisingDataLength()) }
}
