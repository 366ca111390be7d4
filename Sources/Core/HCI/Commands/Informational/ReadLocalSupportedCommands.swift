public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Read Local Supported Commands: which commands the controller carries out. Core 6.0, Vol 4, Part E, 7.4.2.
public struct ReadLocalSupportedCommands: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .readLocalSupportedCommands,
            "Read Local Supported Commands"
        )
    }
    public typealias Return = ReadLocalSupportedCommandsReturn

    public init() {}

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {}

    public func write(to out: inout [UInt8]) {}

    public static var fields: [Field<Self>] { [] }
}

/// What Read Local Supported Commands returns. Core 6.0, Vol 4, Part E, 7.4.2.
public struct ReadLocalSupportedCommandsReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// A bit a command.
    public var commands: SupportedCommands

    public init(status: ControllerError = .success, commands: SupportedCommands = SupportedCommands()) {
        self.status = status
        self.commands = commands
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        commands = try SupportedCommands(parsing: &bytes)
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        commands.write(to: &out)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Supported_Commands", \.commands),
        ]
    }
}

extension Opcode {
    /// Read Local Supported Commands. 7.4.2.
    public static let readLocalSupportedCommands = Self(rawValue: 0x1002)
}

extension Command {
    /// Read Local Supported Commands.
    public static var readLocalSupportedCommands: Self { Self(ReadLocalSupportedCommands()) }
}
