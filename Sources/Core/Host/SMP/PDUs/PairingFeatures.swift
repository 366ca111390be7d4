public import BluethroatByteCoding

/// What a device can do and what it requests: the fields of Pairing Request and Pairing Response. Core 6.0, Vol 3, Part
/// H, 3.5.1 and 3.5.2.
///
/// Reserved bits are kept, since both the confirm value and the DHKey check are computed over the bytes as they came.
public struct PairingFeatures: Hashable, Sendable {
    public var inputOutput: IOCapability
    /// Whether the sender has received authentication data of the other device on another way.
    public var hasOutOfBandData: Bool
    public var requirements: AuthenticationRequirements
    /// The longest encryption key that the sender takes, in bytes. 7 to 16 are allowed; others are refused when the
    /// key size is agreed, each with its own reason.
    public var maximumKeySize: UInt8
    /// What the initiator is to give away in the third phase.
    public var initiatorKeys: KeyDistribution
    /// What the responder is to give away in the third phase.
    public var responderKeys: KeyDistribution

    public init(
        inputOutput: IOCapability,
        hasOutOfBandData: Bool = false,
        requirements: AuthenticationRequirements,
        maximumKeySize: UInt8 = 16,
        initiatorKeys: KeyDistribution,
        responderKeys: KeyDistribution
    ) {
        self.inputOutput = inputOutput
        self.hasOutOfBandData = hasOutOfBandData
        self.requirements = requirements
        self.maximumKeySize = maximumKeySize
        self.initiatorKeys = initiatorKeys
        self.responderKeys = responderKeys
    }

    public init(parsing bytes: inout RawSpan) throws(DecodeError) {
        guard bytes.byteCount >= 6 else { throw .truncated(needed: 6, available: bytes.byteCount) }
        let capability = try bytes.takeUInt8()
        guard let inputOutput = IOCapability(rawValue: capability) else {
            throw .invalidValue(field: "IO capability", value: Int(capability))
        }
        let flag = try bytes.takeUInt8()
        guard flag <= 1 else { throw .invalidValue(field: "OOB data flag", value: Int(flag)) }
        self.inputOutput = inputOutput
        hasOutOfBandData = flag == 1
        requirements = AuthenticationRequirements(rawValue: try bytes.takeUInt8())
        maximumKeySize = try bytes.takeUInt8()
        initiatorKeys = KeyDistribution(rawValue: try bytes.takeUInt8())
        responderKeys = KeyDistribution(rawValue: try bytes.takeUInt8())
    }

    public func write(to out: inout [UInt8]) {
        out.appendUInt8(inputOutput.rawValue)
        out.appendUInt8(hasOutOfBandData ? 1 : 0)
        out.appendUInt8(requirements.rawValue)
        out.appendUInt8(maximumKeySize)
        out.appendUInt8(initiatorKeys.rawValue)
        out.appendUInt8(responderKeys.rawValue)
    }
}

/// How a device can show something to a person and learn something from one. Core 6.0, Vol 3, Part H, 2.3.2.
public enum IOCapability: UInt8, Hashable, Sendable, CaseIterable {
    /// Shows six digits, takes nothing.
    case displayOnly = 0
    /// Shows six digits, takes yes and no.
    case displayYesNo = 1
    /// Shows nothing, takes six digits.
    case keyboardOnly = 2
    /// A device like a key fob or a sensor.
    case noInputNoOutput = 3
    /// Shows six digits and takes six digits.
    case keyboardDisplay = 4

    /// Whether six digits can be shown.
    var canShow: Bool {
        switch self {
        case .displayOnly, .displayYesNo, .keyboardDisplay: true
        case .keyboardOnly, .noInputNoOutput: false
        }
    }
}

/// What a device demands of a pairing: the AuthReq field. Core 6.0, Vol 3, Part H, 3.5.1.
public struct AuthenticationRequirements: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Keys are kept for the next connection. The field has two bits, of which the upper one is reserved.
    public static let bonding = Self(rawValue: 0x01)
    /// Protection from a man in the middle is asked for.
    public static let manInTheMiddleProtection = Self(rawValue: 0x04)
    /// LE Secure Connections are supported.
    public static let secureConnections = Self(rawValue: 0x08)
    /// Keypress notifications are requested during passkey entry.
    public static let keypressNotifications = Self(rawValue: 0x10)
    /// The h7 function is supported for keys of the other transport, which this host does not derive.
    public static let crossTransport2 = Self(rawValue: 0x20)
}

/// A set of keys. Core 6.0, Vol 3, Part H, 3.6.1.
public struct KeyDistribution: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    @inlinable
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A long term key with EDIV and Rand; without meaning in LE Secure Connections, where both make one.
    public static let encryption = Self(rawValue: 0x01)
    /// The identity resolving key and the identity address.
    public static let identity = Self(rawValue: 0x02)
    /// The connection signature resolving key.
    public static let signing = Self(rawValue: 0x04)
    /// A key for the other transport, which this host does not derive.
    public static let link = Self(rawValue: 0x08)
}
