public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Disconnect: ends a connection, or the attempt to make one. Core 6.0, Vol 4, Part E, 7.1.6.
public struct Disconnect: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .disconnect,
            "Disconnect",
            supportedBit: SupportedCommandsBit(octet: 0, bit: 5),
            answer: .commandStatus(then: [.disconnectionComplete])
        )
    }

    /// Which connection.
    public var connection: ConnectionHandle
    /// The reason that the peer receives.
    public var reason: ControllerError

    public init(connection: ConnectionHandle, reason: ControllerError = .remoteUserTerminatedConnection) {
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
    /// Disconnect. 7.1.6.
    public static let disconnect = Self(rawValue: 0x0406)
}

extension Command {
    /// Disconnect.
    public static func disconnect(_ command: Disconnect) -> Self { Self(command) }
}
