public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// Encryption Change [v1]: a connection is encrypted now, or no longer, or could not be. Core 6.0, Vol 4, Part E, 7.7.8.
public struct EncryptionChange: HCIEvent {
    public static var identifier: EventIdentifier { .encryptionChange }
    public static var name: String { "Encryption Change [v1]" }
    public static var maskBit: EventMaskBit? { .page1(.encryptionChange) }
    public var event: Event { .encryptionChange(self) }

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

    public static var fields: [Field<Self>] {
        [
            Field("Status", \.status),
            Field("Connection_Handle", \.connection),
            Field("Encryption_Enabled", \.isEncrypted),
        ]
    }
}

extension EventIdentifier {
    /// Encryption Change [v1].
    public static let encryptionChange = Self(.encryptionChange)
}

extension EventCode {
    public static let encryptionChange = Self(rawValue: 0x08)
}

extension EventMask {
    public static let encryptionChange = Self(rawValue: 1 << 7)
}
