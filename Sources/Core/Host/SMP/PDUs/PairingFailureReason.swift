internal import BluethroatByteCoding

/// Why a pairing failed, as one device reports it to the other. Core 6.0, Vol 3, Part H, 3.5.5, table 3.7.
public struct PairingFailureReason: RawRepresentable, Error, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The person did not enter the passkey.
    public static let passkeyEntryFailed = Self(rawValue: 0x01)
    /// Data from another way were counted on and are not there.
    public static let outOfBandNotAvailable = Self(rawValue: 0x02)
    /// What this device demands cannot be had with what both can show and take.
    public static let authenticationRequirements = Self(rawValue: 0x03)
    /// A random value was not the one that had been committed to.
    public static let confirmValueFailed = Self(rawValue: 0x04)
    /// The device does not pair, or does not now.
    public static let pairingNotSupported = Self(rawValue: 0x05)
    /// The key would be shorter than this device allows.
    public static let encryptionKeySize = Self(rawValue: 0x06)
    /// The PDU is not one that this device takes.
    public static let commandNotSupported = Self(rawValue: 0x07)
    public static let unspecified = Self(rawValue: 0x08)
    /// Too little time has passed since the last attempt.
    public static let repeatedAttempts = Self(rawValue: 0x09)
    /// A PDU of the wrong length, or a field out of its range.
    public static let invalidParameters = Self(rawValue: 0x0A)
    /// The peers have not derived the same keys, or a public key was no good.
    public static let dhKeyCheckFailed = Self(rawValue: 0x0B)
    /// The person saw different digits.
    public static let numericComparisonFailed = Self(rawValue: 0x0C)
    /// A pairing over the other transport is under way.
    public static let classicPairingInProgress = Self(rawValue: 0x0D)
    /// Keys for the other transport may not be derived.
    public static let crossTransportNotAllowed = Self(rawValue: 0x0E)
    /// A key that the peer gave was not accepted.
    public static let keyRejected = Self(rawValue: 0x0F)
    /// The device is busy.
    public static let busy = Self(rawValue: 0x10)
}

extension PairingFailureReason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .passkeyEntryFailed: "the passkey was not entered"
        case .outOfBandNotAvailable: "out-of-band data are not available"
        case .authenticationRequirements: "the authentication requirements cannot be met"
        case .confirmValueFailed: "the confirm value does not match"
        case .pairingNotSupported: "pairing is not supported"
        case .encryptionKeySize: "the encryption key would be too short"
        case .commandNotSupported: "the command is not supported"
        case .unspecified: "no reason given"
        case .repeatedAttempts: "too many attempts in too short a time"
        case .invalidParameters: "a parameter is invalid"
        case .dhKeyCheckFailed: "the DHKey check does not match"
        case .numericComparisonFailed: "the digits were not the same"
        case .classicPairingInProgress: "pairing over BR/EDR is in progress"
        case .crossTransportNotAllowed: "keys for the other transport are not allowed"
        case .keyRejected: "a key was rejected"
        case .busy: "the device is busy"
        default: "reason 0x" + [rawValue].hex
        }
    }
}
