public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Authenticated Payload Timeout Expired: an encrypted connection went too long without an authenticated packet. Core 6.0, Vol 4, Part E, 7.7.75.
public struct AuthenticatedPayloadTimeoutExpired: HCIEvent {
    public static var identifier: EventIdentifier { .authenticatedPayloadTimeoutExpired }
    public static var name: String { "Authenticated Payload Timeout Expired" }
    public static var maskBit: EventMaskBit? { .page2(.authenticatedPayloadTimeoutExpired) }
    public var event: Event { .authenticatedPayloadTimeoutExpired(self) }

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

extension EventIdentifier {
    /// Authenticated Payload Timeout Expired.
    public static let authenticatedPayloadTimeoutExpired = Self(.authenticatedPayloadTimeoutExpired)
}

extension EventCode {
    public static let authenticatedPayloadTimeoutExpired = Self(rawValue: 0x57)
}

extension EventMaskPage2 {
    public static let authenticatedPayloadTimeoutExpired = Self(rawValue: 1 << 23)
}
