public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Remote Connection Parameter Request Negative Reply: refuses a peer's request for parameters. Core 6.0, Vol 4,
/// Part E, 7.8.32.
public struct LERemoteConnectionParameterRequestNegativeReply: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leRemoteConnectionParameterRequestNegativeReply,
            "LE Remote Connection Parameter Request Negative Reply",
            supportedBit: SupportedCommandsBit(octet: 33, bit: 5),
            feature: .connectionParametersRequest
        )
    }
    public typealias Return = ConnectionReturn

    /// Which connection.
    public var connection: ConnectionHandle
    /// Why.
    public var reason: ControllerError

    public init(connection: ConnectionHandle, reason: ControllerError = .unacceptableConnectionParameters) {
        self.connection = connection
        self.reason = reason
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        reason = ControllerError(rawValue: try bytes.takeUInt8())
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.append(reason.rawValue)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Connection_Handle", \.connection),
            Field("Reason", \.reason),
        ]
    }
}

extension Opcode {
    /// LE Remote Connection Parameter Request Negative Reply. 7.8.32.
    public static let leRemoteConnectionParameterRequestNegativeReply = Self(rawValue: 0x2021)
}

extension Command {
    /// LE Remote Connection Parameter Request Negative Reply.
    public static func leRemoteConnectionParameterRequestNegativeReply(
        _ command: LERemoteConnectionParameterRequestNegativeReply
    ) -> Self { Self(command) }
}
