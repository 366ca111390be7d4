public import BluetoothValues
public import ByteCoding

/// LE Enable Encryption: encrypts a connection, or changes its key, as central. Core 6.0, Vol 4, Part E, 7.8.24.
public struct LEEnableEncryption: CommandParameters {
    public static var opcode: Opcode { .leEnableEncryption }

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
}

/// LE Long Term Key Request Reply: the key the controller asked for. Core 6.0, Vol 4, Part E, 7.8.25.
public struct LELongTermKeyRequestReply: CommandParameters {
    public static var opcode: Opcode { .leLongTermKeyRequestReply }

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
}

/// LE Long Term Key Request Negative Reply: there is no key. Core 6.0, Vol 4, Part E, 7.8.26.
public struct LELongTermKeyRequestNegativeReply: CommandParameters {
    public static var opcode: Opcode { .leLongTermKeyRequestNegativeReply }

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
}

/// LE Generate DHKey [v1]: a shared secret from the controller's private key. Core 6.0, Vol 4, Part E, 7.8.37.
public struct LEGenerateDHKey: CommandParameters {
    public static var opcode: Opcode { .leGenerateDHKey }

    /// The peer's: x, then y, each least significant byte first.
    public var publicKey: [UInt8]

    public init(publicKey: [UInt8]) {
        self.publicKey = publicKey
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        publicKey = try bytes.takeBytes(64)
    }

    public func write(to out: inout [UInt8]) {
        out.appendExactly(64, publicKey)
    }
}

/// LE Generate DHKey [v2]: a shared secret from one of the controller's private keys. Core 6.0, Vol 4, Part E, 7.8.37.
public struct LEGenerateDHKeyV2: CommandParameters {
    public static var opcode: Opcode { .leGenerateDHKeyV2 }

    /// The peer's: x, then y, each least significant byte first.
    public var publicKey: [UInt8]
    /// Use the specification's debug private key instead of the one generated.
    public var usesDebugKey: Bool

    public init(publicKey: [UInt8], usesDebugKey: Bool = false) {
        self.publicKey = publicKey
        self.usesDebugKey = usesDebugKey
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        publicKey = try bytes.takeBytes(64)
        usesDebugKey = try bytes.takeBool("uses debug key")
    }

    public func write(to out: inout [UInt8]) {
        out.appendExactly(64, publicKey)
        out.append(usesDebugKey ? 1 : 0)
    }
}
