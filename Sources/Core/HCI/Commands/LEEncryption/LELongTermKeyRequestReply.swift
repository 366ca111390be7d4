public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Long Term Key Request Reply: the key the controller asked for. Core 6.0, Vol 4, Part E, 7.8.25.
public struct LELongTermKeyRequestReply: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leLongTermKeyRequestReply,
            "LE Long Term Key Request Reply",
            supportedBit: SupportedCommandsBit(octet: 28, bit: 1),
            feature: .encryption
        )
    }
    public typealias Return = ConnectionReturn

    /// Which connection.
    public var connection: ConnectionHandle
    /// Least significant byte first.
    public var longTermKey: [UInt8]

    public init(connection: ConnectionHandle, longTermKey: [UInt8]) {
        self.connection = connection
        self.longTermKey = longTermKey
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        longTermKey = try bytes.takeBytes(16)
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.appendExactly(16, longTermKey)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Connection_Handle", \.connection),
            .bytes("Long_Term_Key", .fixed(16), \.longTermKey),
        ]
    }
}

extension Opcode {
    /// LE Long Term Key Request Reply. 7.8.25.
    public static let leLongTermKeyRequestReply = Self(rawValue: 0x201A)
}

extension Command {
    /// LE Long Term Key Request Reply.
    public static func leLongTermKeyRequestReply(_ command: LELongTermKeyRequestReply) -> Self { Self(command) }
}
