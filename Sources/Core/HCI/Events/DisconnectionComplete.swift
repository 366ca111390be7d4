public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Disconnection Complete: a connection has ended. Core 6.0, Vol 4, Part E, 7.7.5.
public struct DisconnectionComplete: HCIEvent {
    public static var identifier: EventIdentifier { .disconnectionComplete }
    public static var name: String { "Disconnection Complete" }
    public static var maskBit: EventMaskBit? { .page1(.disconnectionComplete) }
    public var event: Event { .disconnectionComplete(self) }

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

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Connection_Handle", \.connection),
            Field("Reason", \.reason),
        ]
    }
}

extension EventIdentifier {
    /// Disconnection Complete.
    public static let disconnectionComplete = Self(.disconnectionComplete)
}

extension EventCode {
    public static let disconnectionComplete = Self(rawValue: 0x05)
}

extension EventMask {
    public static let disconnectionComplete = Self(rawValue: 1 << 4)
}
