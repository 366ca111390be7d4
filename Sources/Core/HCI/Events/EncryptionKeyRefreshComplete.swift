public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Encryption Key Refresh Complete: an encrypted connection has changed its key. Core 6.0, Vol 4, Part E, 7.7.39.
public struct EncryptionKeyRefreshComplete: HCIEvent {
    public static var identifier: EventIdentifier { .encryptionKeyRefreshComplete }
    public static var name: String { "Encryption Key Refresh Complete" }
    public static var maskBit: EventMaskBit? { .page1(.encryptionKeyRefreshComplete) }
    public var event: Event { .encryptionKeyRefreshComplete(self) }

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

extension EventIdentifier {
    /// Encryption Key Refresh Complete.
    public static let encryptionKeyRefreshComplete = Self(.encryptionKeyRefreshComplete)
}

extension EventCode {
    public static let encryptionKeyRefreshComplete = Self(rawValue: 0x30)
}

extension EventMask {
    public static let encryptionKeyRefreshComplete = Self(rawValue: 1 << 47)
}
