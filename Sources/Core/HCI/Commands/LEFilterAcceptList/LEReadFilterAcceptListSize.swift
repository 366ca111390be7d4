public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read Filter Accept List Size: how many devices the list holds. Core 6.0, Vol 4, Part E, 7.8.14.
public struct LEReadFilterAcceptListSize: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leReadFilterAcceptListSize,
            "LE Read Filter Accept List Size",
            supportedBit: SupportedCommandsBit(octet: 26, bit: 6)
        )
    }
    public typealias Return = LEReadFilterAcceptListSizeReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

/// What LE Read Filter Accept List Size returns. Core 6.0, Vol 4, Part E, 7.8.14.
public struct LEReadFilterAcceptListSizeReturn: ReturnParameters {
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
            Field("Filter_Accept_List_Size", \.size),
        ]
    }
}

extension Opcode {
    /// LE Read Filter Accept List Size. 7.8.14.
    public static let leReadFilterAcceptListSize = Self(rawValue: 0x200F)
}

extension Command {
    /// LE Read Filter Accept List Size.
    public static var leReadFilterAcceptListSize: Self { Self(LEReadFilterAcceptListSize()) }
}
