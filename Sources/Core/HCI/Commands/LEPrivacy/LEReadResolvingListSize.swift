public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read Resolving List Size: how many devices the list holds. Core 6.0, Vol 4, Part E, 7.8.41.
public struct LEReadResolvingListSize: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leReadResolvingListSize,
            "LE Read Resolving List Size",
            supportedBit: SupportedCommandsBit(octet: 34, bit: 6),
            feature: .privacy
        )
    }
    public typealias Return = LEReadResolvingListSizeReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

/// What LE Read Resolving List Size returns. Core 6.0, Vol 4, Part E, 7.8.41.
public struct LEReadResolvingListSizeReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Entries the list can hold, from 1.
    public var size: UInt8

    public init(status: ControllerError = .success, size: UInt8 = 0) {
        self.status = status
        self.size = size
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        size = try bytes.takeUInt8()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt8(size)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Resolving_List_Size", \.size),
        ]
    }
}

extension Opcode {
    /// LE Read Resolving List Size. 7.8.41.
    public static let leReadResolvingListSize = Self(rawValue: 0x202A)
}

extension Command {
    /// LE Read Resolving List Size.
    public static var leReadResolvingListSize: Self { Self(LEReadResolvingListSize()) }
}
