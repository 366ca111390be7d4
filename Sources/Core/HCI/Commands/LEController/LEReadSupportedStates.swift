public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read Supported States: which roles can be played at once. Core 6.0, Vol 4, Part E, 7.8.27.
public struct LEReadSupportedStates: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leReadSupportedStates,
            "LE Read Supported States",
            supportedBit: SupportedCommandsBit(octet: 28, bit: 3)
        )
    }
    public typealias Return = LEReadSupportedStatesReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

/// What LE Read Supported States returns: which roles can be played at once. Core 6.0, Vol 4, Part E, 7.8.27.
public struct LEReadSupportedStatesReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// A bit a combination; the table stands in the section named.
    public var states: UInt64

    public init(status: ControllerError = .success, states: UInt64 = 0) {
        self.status = status
        self.states = states
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        states = try bytes.takeUInt64()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendUInt64(states)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("LE_States", \.states),
        ]
    }
}

extension Opcode {
    /// LE Read Supported States. 7.8.27.
    public static let leReadSupportedStates = Self(rawValue: 0x201C)
}

extension Command {
    /// LE Read Supported States.
    public static var leReadSupportedStates: Self { Self(LEReadSupportedStates()) }
}
