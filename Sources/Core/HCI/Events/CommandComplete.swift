public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Command Complete: a command is done, and what came of it. Core 6.0, Vol 4, Part E, 7.7.14.
public struct CommandComplete: HCIEvent {
    public static var identifier: EventIdentifier { .commandComplete }
    public static var name: String { "Command Complete" }
    public static var maskBit: EventMaskBit? { nil }
    public var event: Event { .commandComplete(self) }

    /// How many commands the controller takes now.
    public var commandPacketCredits: UInt8
    /// `.none` if this only reports the credits.
    public var opcode: Opcode
    /// Status first; which type of return parameters they are follows from the opcode.
    public var returnParameters: [UInt8]

    private static let success: [UInt8] = [0]

    public init(commandPacketCredits: UInt8 = 1, opcode: Opcode, returnParameters: [UInt8]) {
        self.commandPacketCredits = commandPacketCredits
        self.opcode = opcode
        self.returnParameters = returnParameters
    }

    public init(commandPacketCredits: UInt8 = 1, opcode: Opcode, returning parameters: some ReturnParameters) {
        self.init(commandPacketCredits: commandPacketCredits, opcode: opcode, returnParameters: parameters.bytes)
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        commandPacketCredits = try bytes.takeUInt8()
        opcode = Opcode(rawValue: try bytes.takeUInt16())
        // Most commands answer nothing but success: then nothing is copied.
        var status = bytes
        if bytes.byteCount == 1, try status.takeUInt8() == 0 {
            returnParameters = Self.success
            bytes = status
        } else {
            returnParameters = bytes.takeRest()
        }
    }

    public func write(to out: inout [UInt8]) {
        out.append(commandPacketCredits)
        out.appendUInt16(opcode.rawValue)
        out.append(contentsOf: returnParameters)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Num_HCI_Command_Packets", \.commandPacketCredits),
            Field("Command_Opcode", \.opcode),
            .bytes("Return_Parameters", .rest, \.returnParameters),
        ]
    }
}

extension CommandComplete {
    /// The packet of an answer that is the status alone, as most are: the bytes of `Event.packet()`, without its detours.
    package static func packet(_ opcode: Opcode, _ status: ControllerError) -> [UInt8] {
        let value = opcode.rawValue
        return [
            PacketIndicator.event.rawValue, identifier.code.rawValue, 4, 1, UInt8(truncatingIfNeeded: value),
            UInt8(truncatingIfNeeded: value >> 8), status.rawValue,
        ]
    }

    /// The first return parameter, which for every command named here is the status; nil if there is none.
    public var status: ControllerError? { returnParameters.first.map(ControllerError.init(rawValue:)) }

    /// The return parameters, all bytes of them. Some controllers return the status alone when a command fails, so
    /// look at `status` first.
    public func returned<Parameters: ReturnParameters>(
        _ type: Parameters.Type = Parameters.self
    ) throws(DecodeError) -> Parameters {
        var bytes = returnParameters.span.bytes
        let parameters = try Parameters(parsing: &bytes)
        try bytes.expectEnd()
        return parameters
    }

    /// A refusal with return parameters of full length, as hosts check that even then: what the command's answer
    /// repeats of its parameters, zeroes for the rest. For a command without return parameters, the status alone.
    public init(
        commandPacketCredits: UInt8 = 1,
        refusing opcode: Opcode,
        with status: ControllerError,
        parameters: some Collection<UInt8> = []
    ) {
        var bytes = [status.rawValue]
        if case .commandComplete(let count, let echoed) = opcode.answer {
            bytes.append(contentsOf: parameters.prefix(echoed))
            bytes.append(contentsOf: repeatElement(0, count: count - bytes.count))
        }
        self.init(commandPacketCredits: commandPacketCredits, opcode: opcode, returnParameters: bytes)
    }
}

extension EventIdentifier {
    /// Command Complete.
    public static let commandComplete = Self(.commandComplete)
}

extension EventCode {
    public static let commandComplete = Self(rawValue: 0x0E)
}
