/// What an SMP PDU is: its first byte. Core 6.0, Vol 3, Part H, 3.3, table 3.3.
public struct SMPCode: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let pairingRequest = Self(rawValue: 0x01)
    public static let pairingResponse = Self(rawValue: 0x02)
    public static let pairingConfirm = Self(rawValue: 0x03)
    public static let pairingRandom = Self(rawValue: 0x04)
    public static let pairingFailed = Self(rawValue: 0x05)
    public static let encryptionInformation = Self(rawValue: 0x06)
    public static let centralIdentification = Self(rawValue: 0x07)
    public static let identityInformation = Self(rawValue: 0x08)
    public static let identityAddressInformation = Self(rawValue: 0x09)
    public static let signingInformation = Self(rawValue: 0x0A)
    public static let securityRequest = Self(rawValue: 0x0B)
    public static let pairingPublicKey = Self(rawValue: 0x0C)
    public static let pairingDHKeyCheck = Self(rawValue: 0x0D)
    public static let pairingKeypressNotification = Self(rawValue: 0x0E)
}

extension SMPCode {
    /// Whether this edition of the specification knows it. Others are ignored. Core 6.0, Vol 3, Part H, 3.3.
    var isDefined: Bool { (0x01...0x0E).contains(rawValue) }
}
