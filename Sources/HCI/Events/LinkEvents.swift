public import BluetoothValues
public import ByteCoding

/// Disconnection Complete: a connection has ended. Core 6.0, Vol 4, Part E, 7.7.5.
public struct DisconnectionComplete: EventParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle
    /// Why.
    public var reason: ControllerError

    public init(status: ControllerError = .success, connection: ConnectionHandle, reason: ControllerError) {
        self.status = status
        self.connection = connection
        self.reason = reason
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        connection = try ConnectionHandle(parsing: &bytes, status: status)
        reason = ControllerError(rawValue: try bytes.takeUInt8())
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        connection.write(to: &out)
        out.append(reason.rawValue)
    }
}

/// Encryption Change [v1]: a connection is encrypted now, or no longer, or could not be. Core 6.0, Vol 4, Part E, 7.7.8.
public struct EncryptionChange: EventParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle
    /// With AES-CCM, as LE always does.
    public var isEncrypted: Bool

    public init(status: ControllerError = .success, connection: ConnectionHandle, isEncrypted: Bool) {
        self.status = status
        self.connection = connection
        self.isEncrypted = isEncrypted
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        connection = try ConnectionHandle(parsing: &bytes, status: status)
        isEncrypted = try bytes.takeBool("is encrypted")
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        connection.write(to: &out)
        out.append(isEncrypted ? 1 : 0)
    }
}

/// Read Remote Version Information Complete: who made the peer's controller, to which version. Core 6.0, Vol 4, Part E, 7.7.12.
public struct ReadRemoteVersionInformationComplete: EventParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle
    /// 0x0D is Core 5.4, by the Assigned Numbers, 2.1.
    public var version: UInt8
    /// By the Assigned Numbers, 7.
    public var companyIdentifier: UInt16
    /// The maker's own.
    public var subversion: UInt16

    public init(
        status: ControllerError = .success,
        connection: ConnectionHandle,
        version: UInt8,
        companyIdentifier: UInt16,
        subversion: UInt16
    ) {
        self.status = status
        self.connection = connection
        self.version = version
        self.companyIdentifier = companyIdentifier
        self.subversion = subversion
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        connection = try ConnectionHandle(parsing: &bytes, status: status)
        version = try bytes.takeUInt8()
        companyIdentifier = try bytes.takeUInt16()
        subversion = try bytes.takeUInt16()
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        connection.write(to: &out)
        out.appendUInt8(version)
        out.appendUInt16(companyIdentifier)
        out.appendUInt16(subversion)
    }
}

/// Encryption Key Refresh Complete: an encrypted connection has changed its key. Core 6.0, Vol 4, Part E, 7.7.39.
public struct EncryptionKeyRefreshComplete: EventParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError
    /// Which connection.
    public var connection: ConnectionHandle

    public init(status: ControllerError = .success, connection: ConnectionHandle) {
        self.status = status
        self.connection = connection
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
        connection = try ConnectionHandle(parsing: &bytes, status: status)
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
        connection.write(to: &out)
    }
}

/// Authenticated Payload Timeout Expired: an encrypted connection went too long without an authenticated packet. Core 6.0, Vol 4, Part E, 7.7.75.
public struct AuthenticatedPayloadTimeoutExpired: EventParameters {
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
