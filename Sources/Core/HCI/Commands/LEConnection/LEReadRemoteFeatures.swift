public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Read Remote Features: which LE features the peer's controller has. Core 6.0, Vol 4, Part E, 7.8.21.
public struct LEReadRemoteFeatures: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leReadRemoteFeatures,
            "LE Read Remote Features",
            supportedBit: SupportedCommandsBit(octet: 27, bit: 5),
            answer: .commandStatus(then: [.leReadRemoteFeaturesComplete])
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
    /// LE Read Remote Features. 7.8.21.
    public static let leReadRemoteFeatures = Self(rawValue: 0x2016)
}

extension Command {
    /// LE Read Remote Features.
    public static func leReadRemoteFeatures(_ command: LEReadRemoteFeatures) -> Self { Self(command) }
}
