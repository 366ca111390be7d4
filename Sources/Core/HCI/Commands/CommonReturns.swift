public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// What a command returns that has nothing to report but its success.
public struct StatusReturn: ReturnParameters {
    /// Success, or why not; then the other values mean nothing.
    public var status: ControllerError

    public init(status: ControllerError = .success) {
        self.status = status
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        status = ControllerError(rawValue: try bytes.takeUInt8())
    }

    public func write(to out: inout [UInt8]) {
        out.append(status.rawValue)
    }

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status)
        ]
    }
}

/// What a command on a connection returns that has nothing else to report.
public struct ConnectionReturn: ReturnParameters {
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

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Connection_Handle", \.connection),
        ]
    }
}
