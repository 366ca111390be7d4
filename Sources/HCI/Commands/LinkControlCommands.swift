public import BluetoothValues
public import ByteCoding

/// Disconnect: ends a connection, or the attempt to make one. Core 6.0, Vol 4, Part E, 7.1.6.
public struct Disconnect: CommandParameters {
    public static var opcode: Opcode { .disconnect }

    /// Which connection.
    public var connection: ConnectionHandle
    /// What the peer is told.
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
}

/// Read Remote Version Information: asks a peer who made its controller. Core 6.0, Vol 4, Part E, 7.1.23.
public struct ReadRemoteVersionInformation: CommandParameters {
    public static var opcode: Opcode { .readRemoteVersionInformation }

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
