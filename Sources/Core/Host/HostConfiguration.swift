public import BluethroatBluetoothCrypto
public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// What a host gets once, before it is switched on.
public struct HostConfiguration: Sendable {
    /// The seed of the host's random numbers: its static address and, where no `secret` is given, its keys.
    public var seed: UInt64
    /// Distinguishes hosts of one world, so that the same seed gives each its own random numbers.
    public var device: UInt64

    /// The static random address to use; nil draws one from the seed. It is the host's identity where the
    /// controller has no public address. Its two most significant bits must be set.
    public var staticAddress: DeviceAddress?

    /// Whether the host goes by its static address even where the controller has a public one: for hosts that keep bonds
    /// and get another controller each time.
    public var prefersStaticAddress: Bool {
        get { shared.prefersStaticAddress }
        set { share { $0.prefersStaticAddress = newValue } }
    }

    /// How long the controller may take to answer a command before the host gives it up; 2 to 5 s are usual.
    public var commandTimeout: TimeSpan {
        get { shared.commandTimeout }
        set { share { $0.commandTimeout = newValue } }
    }

    /// The longest ATT PDU this host takes and offers in an MTU exchange, 23 to 517 bytes.
    public var maximumATTMTU: Int {
        get { shared.maximumATTMTU }
        set { share { $0.maximumATTMTU = newValue } }
    }

    /// Whether the host asks for the longest Link Layer packets (251 bytes) on each new connection, if its
    /// controller can.
    public var asksForLongPackets: Bool {
        get { shared.asksForLongPackets }
        set { share { $0.asksForLongPackets = newValue } }
    }

    /// Whether the host asks for LE 2M on each new connection, if its controller and the peer have it.
    public var asksForLE2M: Bool {
        get { shared.asksForLE2M }
        set { share { $0.asksForLE2M = newValue } }
    }

    /// The PHYs that the controller agrees to on new connections, both ways; nil leaves that to the controller.
    /// Core 6.0, Vol 4, Part E, 7.8.48.
    public var defaultPHYs: PHYSet? {
        get { shared.defaultPHYs }
        set { share { $0.defaultPHYs = newValue } }
    }

    /// What to answer when a peer asks for other connection parameters.
    public var parameterRequestPolicy: ParameterRequestPolicy {
        get { shared.parameterRequestPolicy }
        set { share { $0.parameterRequestPolicy = newValue } }
    }

    /// How many PDUs an application may have queued on one connection before it has to wait.
    public var queueLimit = 32

    /// How many connections are held at once; any more are disconnected as they come.
    public var maximumConnections: Int {
        get { shared.maximumConnections }
        set { share { $0.maximumConnections = newValue } }
    }

    /// How the host pairs where an order does not say otherwise.
    public var pairing: PairingSettings {
        get { sharedPairing.wrappedValue }
        set { sharedPairing.update(newValue) }
    }

    /// The same, shared by all hosts that get no other settings.
    private(set) var sharedPairing = Self.usualPairing
    private static let usualPairing = Boxed(wrappedValue: PairingSettings())

    /// What makes and resolves the host's private addresses, and is given to those it bonds with; nil draws it from
    /// `secret`, so that it stays the same as long as the secret does. Core 6.0, Vol 3, Part C, 10.8.2.1.
    public var identityResolvingKey: Block128?

    /// The seed of all that is secret: keys, nonces, passkeys, private addresses. Nil derives it from `seed`, which can
    /// be guessed from how the host was started: devices in real life give 16 bytes of good randomness.
    public var secret: Block128?

    /// Which addresses the host shows, and for how long.
    public var privacy: PrivacySettings {
        get { shared.privacy }
        set { share { $0.privacy = newValue } }
    }

    /// Whether a connection to a bonded peer is encrypted as soon as this host, as central, has made it.
    public var encryptsBondedLinks: Bool {
        get { shared.encryptsBondedLinks }
        set { share { $0.encryptsBondedLinks = newValue } }
    }

    /// How many bonds are kept. A pairing with one more peer leaves none, and those that are there stay.
    public var bondLimit: Int {
        get { shared.bondLimit }
        set { share { $0.bondLimit = newValue } }
    }

    /// How many L2CAP channels one connection may have at once, opened by either side; at most 64.
    public var maximumChannels: Int {
        get { shared.maximumChannels }
        set { share { $0.maximumChannels = newValue } }
    }

    /// What most hosts have alike.
    private struct Usual: Hashable, Sendable {
        var prefersStaticAddress = false
        var commandTimeout = TimeSpan.seconds(3)
        var maximumATTMTU = 517
        var asksForLongPackets = true
        var asksForLE2M = false
        var defaultPHYs: PHYSet?
        var parameterRequestPolicy = ParameterRequestPolicy.acceptValid
        var maximumConnections = 64
        var privacy = PrivacySettings()
        var encryptsBondedLinks = true
        var bondLimit = 1_000
        var maximumChannels = 32
    }

    /// One block for all hosts that are told nothing else.
    @Boxed private var shared: Usual
    private static let usual = Boxed(wrappedValue: Usual())

    private mutating func share(_ change: (inout Usual) -> Void) {
        var changed = shared
        change(&changed)
        _shared.update(changed)
    }

    /// Random numbers for `device` in a world with this seed.
    public init(seed: UInt64, device: UInt64 = 0) {
        self.seed = seed
        self.device = device
        _shared = Self.usual
    }
}

/// How a host answers a peer's request for other connection parameters.
public enum ParameterRequestPolicy: Hashable, Sendable {
    /// Grants whatever the Core Specification allows.
    case acceptValid
    /// Grants requests whose interval range overlaps this range, and whose latency and timeout do not exceed its.
    case acceptWithin(ConnectionParameterRange)
    /// Grants whatever the Core Specification allows, with intervals no shorter than this: the range of a request is
    /// narrowed, and a request for shorter ones only is rejected.
    case acceptFrom(ConnectionInterval)
    /// Grants nothing.
    case reject
}
