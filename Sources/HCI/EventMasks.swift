/// Which events the controller may send. Bits not named here exist too. Core 6.0, Vol 4, Part E, 7.3.1.
public struct EventMask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let disconnectionComplete = Self(rawValue: 1 << 4)
    public static let encryptionChange = Self(rawValue: 1 << 7)
    public static let readRemoteVersionInformationComplete = Self(rawValue: 1 << 11)
    public static let hardwareError = Self(rawValue: 1 << 15)
    public static let dataBufferOverflow = Self(rawValue: 1 << 25)
    public static let encryptionKeyRefreshComplete = Self(rawValue: 1 << 47)
    /// Without it none of the LE events comes.
    public static let leMeta = Self(rawValue: 1 << 61)

    /// After Reset: without the LE Meta event.
    public static let standard = Self(rawValue: 0x0000_1FFF_FFFF_FFFF)
}

/// Which events of the second page the controller may send. Core 6.0, Vol 4, Part E, 7.3.69.
public struct EventMaskPage2: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let authenticatedPayloadTimeoutExpired = Self(rawValue: 1 << 23)

    /// After Reset: none.
    public static let standard: Self = []
}

/// Which LE Meta events the controller may send: bit n for the subevent n + 1. Core 6.0, Vol 4, Part E, 7.8.1.
public struct LEEventMask: OptionSet, Hashable, Sendable {
    public let rawValue: UInt64

    @inlinable
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    public static let connectionComplete = Self(rawValue: 1 << 0)
    public static let advertisingReport = Self(rawValue: 1 << 1)
    public static let connectionUpdateComplete = Self(rawValue: 1 << 2)
    public static let readRemoteFeaturesComplete = Self(rawValue: 1 << 3)
    public static let longTermKeyRequest = Self(rawValue: 1 << 4)
    public static let remoteConnectionParameterRequest = Self(rawValue: 1 << 5)
    public static let dataLengthChange = Self(rawValue: 1 << 6)
    public static let readLocalP256PublicKeyComplete = Self(rawValue: 1 << 7)
    public static let generateDHKeyComplete = Self(rawValue: 1 << 8)
    public static let enhancedConnectionComplete = Self(rawValue: 1 << 9)
    public static let directedAdvertisingReport = Self(rawValue: 1 << 10)
    public static let phyUpdateComplete = Self(rawValue: 1 << 11)
    public static let extendedAdvertisingReport = Self(rawValue: 1 << 12)
    public static let scanTimeout = Self(rawValue: 1 << 16)
    public static let advertisingSetTerminated = Self(rawValue: 1 << 17)
    public static let scanRequestReceived = Self(rawValue: 1 << 18)
    public static let channelSelectionAlgorithm = Self(rawValue: 1 << 19)

    /// After Reset: the events that came with LE, up to Long Term Key Request.
    public static let standard = Self(rawValue: 0x1F)
}

/// The three masks of a controller together.
public struct EventMasks: Hashable, Sendable {
    /// The first page.
    public var events: EventMask = .standard
    /// The second page.
    public var page2: EventMaskPage2 = .standard
    /// The LE Meta events.
    public var le: LEEventMask = .standard

    /// As after Reset.
    public init() {}

    /// Whether an event may be sent. Command Complete, Command Status and Number Of Completed Packets cannot be
    /// masked, nor can events of vendors.
    public func allow(_ code: EventCode) -> Bool {
        switch code {
        case .disconnectionComplete: events.contains(.disconnectionComplete)
        case .encryptionChange: events.contains(.encryptionChange)
        case .readRemoteVersionInformationComplete: events.contains(.readRemoteVersionInformationComplete)
        case .hardwareError: events.contains(.hardwareError)
        case .dataBufferOverflow: events.contains(.dataBufferOverflow)
        case .encryptionKeyRefreshComplete: events.contains(.encryptionKeyRefreshComplete)
        case .authenticatedPayloadTimeoutExpired: page2.contains(.authenticatedPayloadTimeoutExpired)
        case .leMeta: events.contains(.leMeta)
        default: true
        }
    }

    /// Whether an LE Meta event may be sent.
    public func allow(_ subevent: LESubeventCode) -> Bool {
        guard events.contains(.leMeta), 1...64 ~= subevent.rawValue else { return false }
        return le.contains(LEEventMask(rawValue: 1 << UInt64(subevent.rawValue - 1)))
    }

    /// Whether an event may be sent.
    public func allow(_ event: Event) -> Bool {
        if let subevent = event.subevent { allow(subevent) } else { allow(event.code) }
    }
}
