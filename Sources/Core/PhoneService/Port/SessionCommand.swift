public import BluethroatBluetoothValues

/// What a manager wants of the service.
public enum SessionCommand: Sendable {
    case central(CentralCommand)
    case peripheral(PeripheralCommand)
    case channel(AppChannelID, AppChannelCommand)
    /// The app used the API in a way that has no effect; the sentence is for its developer.
    case noteMisuse(MisuseKind, String)
}

/// What a central manager wants.
public enum CentralCommand: Sendable {
    /// Replaces the scan that is running.
    case scan(ScanRequest)
    case stopScan
    /// Stays until it succeeds or is cancelled.
    case connect(PeerID, ConnectRequest)
    /// Ends a connection, or the attempt to make one.
    case cancelConnection(PeerID)
    /// The app has let go of its last reference to the peer.
    case forget(PeerID)
    /// Report connections that any app on the phone makes; nil for no longer.
    case watchConnections(ConnectionWatch?)
    case peer(PeerID, LinkID, PeerCommand)
}

/// What to look for.
public struct ScanRequest: Hashable, Sendable {
    /// Peers that advertise one of these; nil for all.
    public var services: [BluetoothUUID]?
    /// Also peers that solicit one of these.
    public var solicitedServices: [BluetoothUUID]
    /// Whether each packet that is heard is reported, or each peer once.
    public var allowsDuplicates: Bool

    public init(
        services: [BluetoothUUID]? = nil,
        solicitedServices: [BluetoothUUID] = [],
        allowsDuplicates: Bool = false
    ) {
        self.services = services
        self.solicitedServices = solicitedServices
        self.allowsDuplicates = allowsDuplicates
    }
}

/// How to connect.
public struct ConnectRequest: Hashable, Sendable {
    /// How long to wait before the first try, in seconds.
    public var startDelay: Double
    /// The phone connects again by itself when the connection is lost.
    public var reconnects: Bool
    public var notifiesOnConnection: Bool
    public var notifiesOnDisconnection: Bool
    public var notifiesOnNotification: Bool
    public var requiresANCS: Bool
    public var bridgesTransports: Bool

    public init(
        startDelay: Double = 0,
        reconnects: Bool = false,
        notifiesOnConnection: Bool = false,
        notifiesOnDisconnection: Bool = false,
        notifiesOnNotification: Bool = false,
        requiresANCS: Bool = false,
        bridgesTransports: Bool = false
    ) {
        self.startDelay = startDelay
        self.reconnects = reconnects
        self.notifiesOnConnection = notifiesOnConnection
        self.notifiesOnDisconnection = notifiesOnDisconnection
        self.notifiesOnNotification = notifiesOnNotification
        self.requiresANCS = requiresANCS
        self.bridgesTransports = bridgesTransports
    }
}

/// The peers whose connection events an app wants.
public struct ConnectionWatch: Hashable, Sendable {
    public var services: [BluetoothUUID]
    public var peers: [PeerID]

    public init(services: [BluetoothUUID] = [], peers: [PeerID] = []) {
        self.services = services
        self.peers = peers
    }
}

/// What a central wants of a connected peer. Attributes are named by their handles on this connection: a service by its
/// first, a characteristic by its value's.
public enum PeerCommand: Hashable, Sendable {
    case discoverServices([BluetoothUUID]?)
    case discoverIncludedServices([BluetoothUUID]?, of: AttributeHandle)
    case discoverCharacteristics([BluetoothUUID]?, of: AttributeHandle)
    case discoverDescriptors(of: AttributeHandle)
    case read(AttributeHandle)
    case readDescriptor(AttributeHandle)
    /// Values that are longer than a packet are written in parts, by the service.
    case write(AttributeHandle, [UInt8])
    case writeWithoutResponse(AttributeHandle, [UInt8])
    case writeDescriptor(AttributeHandle, [UInt8])
    case setNotifying(AttributeHandle, Bool)
    case readRSSI
    case openChannel(psm: UInt16)
    /// Measures distances, which no host here can.
    case startChannelSounding
}
