public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Long Term Key Request Negative Reply: there is no key. Core 6.0, Vol 4, Part E, 7.8.26.
public struct LELongTermKeyRequestNegativeReply: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leLongTermKeyRequestNegativeReply,
            "LE Long Term Key Request Negative Reply",
            supportedBit: SupportedCommandsBit(octet: 28, bit: 2),
            feature: .encryption
        )
    }
    public typealias Return = ConnectionReturn

    /// Which connection.
    public var connection: ConnectionHandle

    public init(connection: ConnectionHandle) {
        self.connection = connection
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Connection_Handle", \.connection)
        ]
    }
}

extension Opcode {
    /// LE Long Term Key Request Negative Reply. 7.8.26.
    public static let leLongTermKeyRequestNegativeReply = Self(rawValue: 0x201B)
}

extension Command {
    /// LE Long Term Key Request Negative Reply.
    public static func leLongTermKeyRequestNegativeReply(_ command: LELongTermKeyRequestNegativeReply) -> Self {
        Self(command)
    }
}
