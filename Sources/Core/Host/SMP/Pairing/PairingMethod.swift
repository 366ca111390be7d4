public import BluethroatBluetoothValues

/// How two devices convince themselves that they pair with each other. Core 6.0, Vol 3, Part H, 2.3.5.1.
public enum PairingMethod: Hashable, Sendable {
    /// No person is asked, and a man in the middle is not detected.
    case justWorks
    /// Both show six digits, and a person says whether they are the same. LE Secure Connections only.
    case numericComparison
    /// One shows six digits that a person types into the other; with nil, a person types the same into both.
    case passkeyEntry(shownBy: ConnectionRole?)
    /// Something was carried from one to the other on another way.
    case outOfBand

    /// Whether a man in the middle would have been noticed.
    public var isAuthenticated: Bool { self != .justWorks }

    /// The method for two devices, by tables 2.6 to 2.8. The initiator is always the central.
    static func chosen(initiator: PairingFeatures, responder: PairingFeatures) -> Self {
        let secureConnections = initiator.requirements.intersection(responder.requirements).contains(.secureConnections)
        // Legacy pairing needs the data on both sides, Secure Connections on one. Tables 2.6 and 2.7.
        let hasOutOfBandData =
            secureConnections
            ? initiator.hasOutOfBandData || responder.hasOutOfBandData
            : initiator.hasOutOfBandData && responder.hasOutOfBandData
        if hasOutOfBandData { return .outOfBand }
        guard initiator.requirements.union(responder.requirements).contains(.manInTheMiddleProtection) else {
            return .justWorks
        }
        return byCapability(
            initiator: initiator.inputOutput,
            responder: responder.inputOutput,
            secureConnections: secureConnections
        )
    }

    /// Table 2.8.
    static func byCapability(initiator: IOCapability, responder: IOCapability, secureConnections: Bool) -> Self {
        switch (initiator, responder) {
        case (.noInputNoOutput, _), (_, .noInputNoOutput): .justWorks
        case (.keyboardOnly, .keyboardOnly): .passkeyEntry(shownBy: nil)
        case (.keyboardOnly, _): .passkeyEntry(shownBy: .peripheral)
        case (_, .keyboardOnly): .passkeyEntry(shownBy: .central)
        case (.displayOnly, .displayOnly), (.displayOnly, .displayYesNo), (.displayYesNo, .displayOnly): .justWorks
        case (.displayOnly, .keyboardDisplay): .passkeyEntry(shownBy: .central)
        case (.keyboardDisplay, .displayOnly): .passkeyEntry(shownBy: .peripheral)
        case (.displayYesNo, .displayYesNo): secureConnections ? .numericComparison : .justWorks
        case (.displayYesNo, .keyboardDisplay), (.keyboardDisplay, .keyboardDisplay):
            secureConnections ? .numericComparison : .passkeyEntry(shownBy: .central)
        case (.keyboardDisplay, .displayYesNo):
            secureConnections ? .numericComparison : .passkeyEntry(shownBy: .peripheral)
        }
    }
}

/// Association models, of which a device may take some only. Core 6.0, Vol 1, Part A, 5.4.1.
public struct AssociationModels: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let justWorks = Self(rawValue: 1)
    public static let numericComparison = Self(rawValue: 2)
    public static let passkeyEntry = Self(rawValue: 4)
    public static let outOfBand = Self(rawValue: 8)
    public static let all: Self = [.justWorks, .numericComparison, .passkeyEntry, .outOfBand]
}

extension PairingMethod {
    /// The association model that a method belongs to.
    var associationModel: AssociationModels {
        switch self {
        case .justWorks: .justWorks
        case .numericComparison: .numericComparison
        case .passkeyEntry: .passkeyEntry
        case .outOfBand: .outOfBand
        }
    }
}
