public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read Number of Supported Advertising Sets: how many sets there can be at once. Core 6.0, Vol 4, Part E, 7.8.58.
public struct LEReadNumberOfSupportedAdvertisingSets: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leReadNumberOfSupportedAdvertisingSets,
            "LE Read Number of Supported Advertising Sets",
            supportedBit: SupportedCommandsBit(octet: 36, bit: 7)
        )
    }
    public typealias Return = LEReadNumberOfSupportedAdvertisingSetsReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

/// What LE Read Number of Supported Advertising Sets returns. Core 6.0, Vol 4, Part E, 7.8.58.
public struct LEReadNumberOfSupportedAdvertisingSetsReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// From 1.
    public var count: UInt8

    public init(status: ControllerError = .success, count: UInt8 = 0) {
        self.status = status
        self.count = count
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        count = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt8(count)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Num_Supported_Advertising_Sets", \.count),
        ]
    }
}

extension Opcode {
    /// LE Read Number of Supported Advertising Sets. 7.8.58.
    public static let leReadNumberOfSupportedAdvertisingSets = Self(rawValue: 0x203B)
}

extension Command {
    /// LE Read Number of Supported Advertising Sets.
    public static var leReadNumberOfSupportedAdvertisingSets: Self { Self(LEReadNumberOfSupportedAdvertisingSets()) }
}
