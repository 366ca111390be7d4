/// Why a device refuses to open a channel. Core 6.0, Vol 3, Part A, tables 4.18 and 4.20.
public struct ChannelRefusal: RawRepresentable, Error, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// No service listens there.
    public static let spsmNotSupported = Self(rawValue: 0x0002)
    public static let noResources = Self(rawValue: 0x0004)
    /// The link's key is missing, or comes from a pairing that was not safe from a man in the middle.
    public static let insufficientAuthentication = Self(rawValue: 0x0005)
    /// The application does not want this peer.
    public static let insufficientAuthorization = Self(rawValue: 0x0006)
    public static let encryptionKeySizeTooShort = Self(rawValue: 0x0007)
    /// There is a key for the link, and it is not in use.
    public static let insufficientEncryption = Self(rawValue: 0x0008)
    /// The channel's number is none of 0x0040 to 0x007F.
    public static let invalidSourceChannel = Self(rawValue: 0x0009)
    public static let sourceChannelAllocated = Self(rawValue: 0x000A)
    /// MTU, MPS or credits are out of range.
    public static let unacceptableParameters = Self(rawValue: 0x000B)
    /// Of enhanced channels only.
    public static let invalidParameters = Self(rawValue: 0x000C)

    /// The refusal that says what a link lacks.
    init(_ error: ATTError) {
        self =
            switch error {
            case .insufficientAuthentication: .insufficientAuthentication
            case .insufficientEncryption: .insufficientEncryption
            case .encryptionKeySizeTooShort: .encryptionKeySizeTooShort
            default: .insufficientAuthorization
            }
    }
}

extension ChannelRefusal: CustomStringConvertible {
    public var description: String {
        switch self {
        case .spsmNotSupported: "no service listens there"
        case .noResources: "no resources"
        case .insufficientAuthentication: "insufficient authentication"
        case .insufficientAuthorization: "insufficient authorization"
        case .encryptionKeySizeTooShort: "encryption key size too short"
        case .insufficientEncryption: "insufficient encryption"
        case .invalidSourceChannel: "invalid source channel"
        case .sourceChannelAllocated: "source channel already allocated"
        case .unacceptableParameters: "unacceptable parameters"
        case .invalidParameters: "invalid parameters"
        default: "result \(rawValue)"
        }
    }
}

/// The peer's answer to other lengths. Core 6.0, Vol 3, Part A, table 4.22.
public struct ReconfigureResult: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt16

    public init(rawValue: UInt16) { self.rawValue = rawValue }

    public static let success = Self(rawValue: 0x0000)
    public static let mtuReduced = Self(rawValue: 0x0001)
    /// The MPS of several channels at once may only grow.
    public static let mpsReduced = Self(rawValue: 0x0002)
    public static let invalidChannel = Self(rawValue: 0x0003)
    public static let unacceptableParameters = Self(rawValue: 0x0004)
}
