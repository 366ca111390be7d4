public import BluetoothValues
public import ByteCoding

/// LE Long Term Key Request: the central wants encryption; the host gives the key. Core 6.0, Vol 4, Part E, 7.7.65.5.
public struct LELongTermKeyRequest: EventParameters {
    /// Which connection.
    public var connection: ConnectionHandle
    /// The Rand that names the key; 0 for LE Secure Connections.
    public var random: UInt64
    /// The EDIV that names the key; 0 for LE Secure Connections.
    public var encryptedDiversifier: UInt16

    public init(connection: ConnectionHandle, random: UInt64, encryptedDiversifier: UInt16) {
        self.connection = connection
        self.random = random
        self.encryptedDiversifier = encryptedDiversifier
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        connection = try ConnectionHandle(parsing: &bytes)
        random = try bytes.takeUInt64()
        encryptedDiversifier = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        connection.write(to: &out)
        out.appendUInt64(random)
        out.appendUInt16(encryptedDiversifier)
    }
}

/// LE Read Local P-256 Public Key Complete: the controller has made a key pair. Core 6.0, Vol 4, Part E, 7.7.65.8.
public struct LEReadLocalP256PublicKeyComplete: EventParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// x, then y, each least significant byte first.
    public var publicKey: [UInt8]

    public init(status: ControllerError = .success, publicKey: [UInt8]) {
        self.status = status
        self.publicKey = publicKey
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        publicKey = try bytes.takeBytes(64)
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendExactly(64, publicKey)
    }
}

/// LE Generate DHKey Complete: the shared secret. Core 6.0, Vol 4, Part E, 7.7.65.9.
public struct LEGenerateDHKeyComplete: EventParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Least significant byte first.
    public var key: [UInt8]

    public init(status: ControllerError = .success, key: [UInt8]) {
        self.status = status
        self.key = key
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        key = try bytes.takeBytes(32)
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        out.appendExactly(32, key)
    }
}
