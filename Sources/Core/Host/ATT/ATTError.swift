/// Why an ATT server refused a request. Core 6.0, Vol 3, Part F, 3.4.1.1, and the Core Specification Supplement,
/// Part B, 1.2. Codes not named here keep their number.
public struct ATTError: RawRepresentable, Error, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There is no attribute with this handle, or the range of handles is empty.
    public static let invalidHandle = Self(rawValue: 0x01)
    public static let readNotPermitted = Self(rawValue: 0x02)
    public static let writeNotPermitted = Self(rawValue: 0x03)
    /// The request was malformed.
    public static let invalidPDU = Self(rawValue: 0x04)
    public static let insufficientAuthentication = Self(rawValue: 0x05)
    /// The server does not know or does not do this request.
    public static let requestNotSupported = Self(rawValue: 0x06)
    /// The offset lies past the end of the value.
    public static let invalidOffset = Self(rawValue: 0x07)
    public static let insufficientAuthorization = Self(rawValue: 0x08)
    /// Too many prepared writes.
    public static let prepareQueueFull = Self(rawValue: 0x09)
    /// No attribute of this type in the range of handles.
    public static let attributeNotFound = Self(rawValue: 0x0A)
    /// The value cannot be read or written in parts.
    public static let attributeNotLong = Self(rawValue: 0x0B)
    /// The link is encrypted with a key too short.
    public static let encryptionKeySizeTooShort = Self(rawValue: 0x0C)
    public static let invalidAttributeValueLength = Self(rawValue: 0x0D)
    public static let unlikelyError = Self(rawValue: 0x0E)
    /// A bond exists and the link is not encrypted with it.
    public static let insufficientEncryption = Self(rawValue: 0x0F)
    /// The type does not group attributes.
    public static let unsupportedGroupType = Self(rawValue: 0x10)
    public static let insufficientResources = Self(rawValue: 0x11)
    /// The client's picture of the database is out of date.
    public static let databaseOutOfSync = Self(rawValue: 0x12)
    public static let valueNotAllowed = Self(rawValue: 0x13)

    /// The codes that applications define for themselves: 0x80 to 0x9F.
    public static let applicationRange: ClosedRange<UInt8> = 0x80...0x9F

    public static let writeRequestRejected = Self(rawValue: 0xFC)
    public static let clientConfigurationImproper = Self(rawValue: 0xFD)
    public static let procedureAlreadyInProgress = Self(rawValue: 0xFE)
    public static let outOfRange = Self(rawValue: 0xFF)
}

extension ATTError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidHandle: "invalid handle"
        case .readNotPermitted: "read not permitted"
        case .writeNotPermitted: "write not permitted"
        case .invalidPDU: "invalid PDU"
        case .insufficientAuthentication: "insufficient authentication"
        case .requestNotSupported: "request not supported"
        case .invalidOffset: "invalid offset"
        case .insufficientAuthorization: "insufficient authorization"
        case .prepareQueueFull: "prepare queue full"
        case .attributeNotFound: "attribute not found"
        case .attributeNotLong: "attribute not long"
        case .encryptionKeySizeTooShort: "encryption key size too short"
        case .invalidAttributeValueLength: "invalid attribute value length"
        case .unlikelyError: "unlikely error"
        case .insufficientEncryption: "insufficient encryption"
        case .unsupportedGroupType: "unsupported group type"
        case .insufficientResources: "insufficient resources"
        case .databaseOutOfSync: "database out of sync"
        case .valueNotAllowed: "value not allowed"
        case .writeRequestRejected: "write request rejected"
        case .clientConfigurationImproper: "client characteristic configuration descriptor improperly configured"
        case .procedureAlreadyInProgress: "procedure already in progress"
        case .outOfRange: "out of range"
        default: (Self.applicationRange.contains(rawValue) ? "application error 0x" : "ATT error 0x") + hexadecimal
        }
    }

    private var hexadecimal: String {
        (rawValue < 0x10 ? "0" : "") + String(rawValue, radix: 16, uppercase: true)
    }
}
