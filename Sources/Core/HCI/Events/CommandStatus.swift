public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Command Status: a command has begun, or could not. Core 6.0, Vol 4, Part E, 7.7.15.
public struct CommandStatus: HCIEvent {
    public static var identifier: EventIdentifier { .commandStatus }
    public static var name: String { "Command Status" }
    public static var maskBit: EventMaskBit? { nil }
    public var event: Event { .commandStatus(self) }

    /// Success says that the command has begun.
    public var status: ControllerError
    /// How many commands the controller takes now.
    public var commandPacketCredits: UInt8
    /// `.none` if this only reports the credits.
    public var opcode: Opcode

    public init(status: ControllerError = .success, commandPacketCredits: UInt8 = 1, opcode: Opcode) {
        self.status = status
        self.commandPacketCredits = commandPacketCredits
        self.opcode = opcode
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        commandPacketCredits = try bytes.takeUInt8()
        opcode = Opcode(rawValue: try bytes.takeUInt16())
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.append(commandPacketCredits)
        out.appendUInt16(opcode.rawValue)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Num_HCI_Command_Packets", \.commandPacketCredits),
            Field("Command_Opcode", \.opcode),
        ]
    }
}

extension EventIdentifier {
    /// Command Status.
    public static let commandStatus = Self(.commandStatus)
}

extension EventCode {
    public static let commandStatus = Self(rawValue: 0x0F)
}
