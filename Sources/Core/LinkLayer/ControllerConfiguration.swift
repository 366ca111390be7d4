public import BluethroatAirPackets
public import BluethroatBluetoothCrypto
public import BluethroatBluetoothValues
public import BluethroatHCI

/// What a controller is: its address, its size and its clock.
public struct ControllerConfiguration: Sendable {
    /// The public device address; all zeroes for a controller without one.
    public var publicAddress: DeviceAddress
    /// ACL data packets from the host that fit in at once.
    public var aclPacketCount: UInt8 = 12
    /// Bytes of data that an ACL packet from the host may carry, 27 to 251.
    public var aclDataLength: UInt16 = 251
    /// The longest Link Layer packet that it sends and takes, in bytes of payload, 27 to 251: connections begin with 27, and
    /// hosts may ask for as many as both controllers have.
    public var maximumDataOctets: UInt16 = 251
    /// Connections at once in both roles together, 1 to 32.
    public var connectionLimit = 32
    /// Places in the filter accept list.
    public var filterAcceptListSize: UInt8 = 32
    /// Places in the resolving list.
    public var resolvingListSize: UInt8 = 32
    /// How far the sleep clock may be off, as announced to peers and used for window widening.
    public var sleepClockAccuracy: SleepClockAccuracy = .upTo50
    /// What the Link Layer can do; commands and PDUs of other features are unknown to it. Of what is not in
    /// `allFeatures` nothing comes about.
    public var features = Self.allFeatures
    /// The power of every transmission.
    public var transmitPower = SignalStrength(dBm: 0)
    /// Core Specification version as an assigned number, 0x0D for 5.4.
    public var version: UInt8 = 0x0D
    /// 0xFFFF is no company: hosts that load firmware by the company leave such a controller alone.
    public var companyIdentifier: UInt16 = 0xFFFF
    public var subversion: UInt16 = 0x0001

    /// What everything secret is drawn from: session keys, LE Rand, private keys. Nil draws it from the seed, which is
    /// right for a world that has to be replayed; a live device brings 128 random bits that are kept secret.
    public var secret: Block128?

    public init(publicAddress: DeviceAddress) {
        self.publicAddress = publicAddress
    }

    /// A controller as those of Core 4.0 were: encryption is its only feature, packets are short, and LE 1M is the only
    /// PHY.
    public static func core40(publicAddress: DeviceAddress, company: CompanyIdentifier) -> Self {
        var configuration = Self(publicAddress: publicAddress)
        configuration.version = 0x06
        configuration.companyIdentifier = company.rawValue
        configuration.features = .encryption
        return configuration
    }

    /// The features that this Link Layer has. Core 6.0, Vol 6, Part B, 4.6.
    public static let allFeatures: LEFeatures = [
        .encryption, .ping, .connectionParametersRequest, .extendedRejectIndication,
        .peripheralInitiatedFeaturesExchange, .dataPacketLengthExtension, .privacy, .extendedScanningFilterPolicies,
        .le2MPHY, .channelSelectionAlgorithm2, .remotePublicKeyValidation,
    ]

    var mostDataOctets: UInt16 { min(max(maximumDataOctets, DataLength.leastOctets), DataLength.mostOctets) }

    /// Those that it claims.
    var claimedFeatures: LEFeatures { features.intersection(Self.allFeatures) }
    /// Whether Channel Selection Algorithm #2 is used where the peer can.
    var supportsChannelSelection2: Bool { features.contains(.channelSelectionAlgorithm2) }
}
