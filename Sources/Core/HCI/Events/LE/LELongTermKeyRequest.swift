public import BluethroatBluetoothValues
public import BluethroatByteCoding

/// LE Long Term Key Request: the central requests encryption; the host gives the key. Core 6.0, Vol 4, Part E,
/// 7.7.65.5.
public struct LELongTermKeyRequest: HCIEvent {
    public static var identifier: EventIdentifier { .leLongTermKeyRequest }
    public static var name: String { "LE Long Term Key Request" }
    public var event: Event { .leLongTermKeyRequest(self) }

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

    public static var fields: [Field<Self>] {
        [
            Field("Connection_Handle", \.connection),
            Field("Random_Number", \.random),
            Field("Encrypted_Diversifier", \.encryptedDiversifier),
        ]
    }
}

extension EventIdentifier {
    /// LE Long Term Key Request.
    public static let leLongTermKeyRequest = Self(le: .longTermKeyRequest)
}

extension LESubeventCode {
    public static let longTermKeyRequest = Self(rawValue: 0x05)
}

extension LEEventMask {
    public static let longTermKeyRequest = Self(.longTermKeyRequest)
}
