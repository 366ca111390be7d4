public import BluethroatBluetoothValues
internal import BluethroatHCI
public import BluethroatVirtualTime

/// How to advertise: one of the five legacy types, how often, under which address and to whom.
/// Core 6.0, Vol 4, Part E, 7.8.5.
public struct AdvertisingParameters: Hashable, Sendable {
    /// What an advertisement invites others to do.
    public enum Kind: Hashable, Sendable {
        /// ADV_IND: any device may connect or ask for more data.
        case connectable
        /// ADV_DIRECT_IND every few milliseconds for 1.28 s: one device may connect, at once.
        case directedHighDuty(to: DeviceAddress)
        /// ADV_DIRECT_IND at the usual interval: one device may connect.
        case directedLowDuty(to: DeviceAddress)
        /// ADV_SCAN_IND: any device may ask for more data, none may connect.
        case scannable
        /// ADV_NONCONN_IND: a beacon.
        case nonConnectable
    }

    /// Whose requests the controller answers, by its filter accept list. Core 6.0, Vol 6, Part B, 4.3.2.
    public enum Filter: UInt8, Hashable, Sendable {
        case anybody = 0
        /// Scan requests from listed devices only, connections from any device.
        case listedScanners = 1
        /// Connections from listed devices only, scan requests from any device.
        case listedInitiators = 2
        case listedOnly = 3
    }

    public var kind: Kind
    public var minimumInterval: AdvertisingInterval
    public var maximumInterval: AdvertisingInterval
    public var ownAddress = OwnAddress.usual
    public var channels = AdvertisingChannels.all
    public var filter = Filter.anybody
    /// Advertising ends by itself after this time; nil goes on until it is stopped. Limited discoverable mode
    /// uses it (Core 6.0, Vol 3, Part C, 9.2.3).
    public var duration: TimeSpan?

    /// Nil where the interval's bounds are swapped.
    public init?(
        _ kind: Kind = .connectable,
        minimumInterval: AdvertisingInterval,
        maximumInterval: AdvertisingInterval,
        duration: TimeSpan? = nil
    ) {
        guard minimumInterval <= maximumInterval else { return nil }
        self.kind = kind
        self.minimumInterval = minimumInterval
        self.maximumInterval = maximumInterval
        self.duration = duration
    }

    /// One interval for both bounds.
    public init(_ kind: Kind = .connectable, interval: AdvertisingInterval, duration: TimeSpan? = nil) {
        self.kind = kind
        minimumInterval = interval
        maximumInterval = interval
        self.duration = duration
    }
}

/// Which of its own addresses a device shows.
public enum OwnAddress: Hashable, Sendable {
    /// The one that `PrivacySettings.ownAddress` names.
    case usual
    /// The one it goes by: public where the controller has one, else static random.
    case identity
    case `public`
    case staticRandom
    /// One that only bonded peers recognise, and that changes every now and then. Core 6.0, Vol 6, Part B, 1.3.2.2.
    case resolvablePrivate
    /// One that no device recognises, and that changes every now and then. Core 6.0, Vol 6, Part B, 1.3.2.2.
    case nonResolvablePrivate
}

/// Which of the three primary advertising channels are used; at least one.
public struct AdvertisingChannels: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let channel37 = Self(rawValue: 1)
    public static let channel38 = Self(rawValue: 2)
    public static let channel39 = Self(rawValue: 4)
    public static let all: Self = [.channel37, .channel38, .channel39]
}

/// Why advertising is over.
public enum AdvertisingEnd: Hashable, Sendable {
    /// `stopAdvertising` was called.
    case stopped
    /// The duration asked for is over.
    case durationOver
    /// A central has connected; `connected` follows.
    case connected(ConnectionID)
    /// Directed advertising at high duty ended after 1.28 s without a connection.
    case directedTimeout
    /// The controller refused to begin.
    case refused(ControllerError)
    /// The controller failed.
    case controllerFailed
}

extension AdvertisingParameters.Filter {
    /// The same in the words of HCI.
    var policy: AdvertisingFilterPolicy {
        switch self {
        case .anybody: .everybody
        case .listedScanners: .scansFromList
        case .listedInitiators: .connectionsFromList
        case .listedOnly: .onlyFromList
        }
    }
}
