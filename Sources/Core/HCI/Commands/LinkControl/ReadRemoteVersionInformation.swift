public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Read Remote Version Information: asks a peer who made its controller. Core 6.0, Vol 4, Part E, 7.1.23.
public struct ReadRemoteVersionInformation: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .readRemoteVersionInformation,
            "Read Remote Version Information",
            supportedBit: SupportedCommandsBit(octet: 2, bit: 7),
            answer: .commandStatus(then: [.readRemoteVersionInformationComplete])
        )
    }

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
    /// Read Remote Version Information. 7.1.23.
    public static let readRemoteVersionInformation = Self(rawValue: 0x041D)
}

extension Command {
    /// Read Remote Version Information.
    public static func readRemoteVersionInformation(_ command: ReadRemoteVersionInformation) -> Self { Self(command) }
}
