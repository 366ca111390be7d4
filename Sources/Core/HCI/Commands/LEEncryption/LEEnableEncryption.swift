public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Enable Encryption: encrypts a connection, or changes its key, as central. Core 6.0, Vol 4, Part E, 7.8.24.
public struct LEEnableEncryption: HCICommand {
    public static var declaration: CommandDeclaration {
        CommandDeclaration(
            .leEnableEncryption,
            "LE Enable Encryption",
            supportedBit: SupportedCommandsBit(octet: 28, bit: 0),
            feature: .encryption,
            answer: .commandStatus(then: [.encryptionChange, .encryptionKeyRefreshComplete])
        )
    }

    /// Which connection.
    public var connection: ConnectionHandle
    /// The Rand that names the key; 0 for LE Secure Connections.
    public var random: UInt64
    /// The EDIV that names the key; 0 for LE Secure Connections.
    public var encryptedDiversifier: UInt16
    /// Least significant byte first.
    public var longTermKey: [UInt8]

    public init(
        connection: ConnectionHandle,
        random: UInt64 = 0,
        encryptedDiversifier: UInt16 = 0,
        longTermKey: [UInt8]
    ) {
        self.connection = connection
        self.random = random
        self.encryptedDiversifier = encryptedDiversifier
        self.longTermKey = longTermKey
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        random = try bytes.takeUInt64()
        encryptedDiversifier = try bytes.takeUInt16()
        longTermKey = try bytes.takeBytes(16)
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.appendUInt64(random)
        out.appendUInt16(encryptedDiversifier)
        out.appendExactly(16, longTermKey)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Connection_Handle", \.connection),
            Field("Random_Number", \.random),
            Field("Encrypted_Diversifier", \.encryptedDiversifier),
            .bytes("Long_Term_Key", .fixed(16), \.longTermKey),
        ]
    }
}

extension Opcode {
    /// LE Enable Encryption. 7.8.24.
    public static let leEnableEncryption = Self(rawValue: 0x2019)
}

extension Command {
    /// LE Enable Encryption.
    public static func leEnableEncryption(_ command: LEEnableEncryption) -> Self { Self(command) }
}
