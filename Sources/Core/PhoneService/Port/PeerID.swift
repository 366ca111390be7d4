public import BluethroatBluetoothValues

/// Under which name an app knows a peer: 128 bits that say nothing of its address.
///
/// The same peer has the same name for the same app on the same phone, in every run; another app has another.
public struct PeerID: Hashable, Sendable {
    /// The more significant 64 bits.
    public let high: UInt64
    /// The less significant 64 bits.
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// One connection to a peer. Events and commands carry it, so that what comes late for a connection that has ended is known
/// by comparison, and dropped.
public struct LinkID: Hashable, Sendable {
    public let number: UInt32

    public init(number: UInt32) { self.number = number }
}

/// What the phone knows of a peer without asking it.
public struct PeerSummary: Hashable, Sendable {
    public var id: PeerID
    /// The name that the peer gave in its GAP service, else the one that it advertised.
    public var name: String?
    /// The services by which a connected peer can be asked for; nil while it is not connected to the phone.
    public var connectedServices: [BluetoothUUID]?

    public init(id: PeerID, name: String? = nil, connectedServices: [BluetoothUUID]? = nil) {
        self.id = id
        self.name = name
        self.connectedServices = connectedServices
    }
}
