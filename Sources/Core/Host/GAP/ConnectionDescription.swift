public import BluethroatBluetoothValues

/// A new connection.
public struct ConnectionDescription: Hashable, Sendable {
    // In an order that makes it small: it travels in an event.
    public var id: ConnectionID
    /// The peer's address on the air, or its identity where the controller reported nothing else.
    public var peer: DeviceAddress
    /// This host's role.
    public var role: ConnectionRole
    /// The parameters at the beginning; `parametersChanged` reports later ones.
    public var parameters: ConnectionParameters
    /// The peer's identity address where it is known: that of its bond, or the one that it showed.
    public var peerIdentity: DeviceAddress?
    /// Whether there is a bond with the peer.
    public var isBonded: Bool

    public init(
        id: ConnectionID,
        role: ConnectionRole,
        peer: DeviceAddress,
        peerIdentity: DeviceAddress? = nil,
        isBonded: Bool = false,
        parameters: ConnectionParameters
    ) {
        self.id = id
        self.role = role
        self.peer = peer
        self.peerIdentity = peerIdentity
        self.isBonded = isBonded
        self.parameters = parameters
    }
}

/// The result of a request for other connection parameters.
public enum ParameterUpdateResult: Hashable, Sendable {
    /// Granted. As central, the connection has the new parameters; as peripheral the central said yes, and
    /// `parametersChanged` reports when it has acted.
    case accepted
    /// The peer said no.
    case rejected
    /// The peer does not know the request.
    case notUnderstood
    /// The peer did not answer within 30 s.
    case timeout
    /// The controller refused, or the procedure failed.
    case failed(ControllerError)
}

/// The longest Link Layer payloads of a connection, 27 to 251 bytes, and how long one may take on air.
/// Core 6.0, Vol 4, Part E, 7.7.65.7.
public struct DataLength: Hashable, Sendable {
    public var sentBytes: Int
    public var sentMicroseconds: Int
    public var receivedBytes: Int
    public var receivedMicroseconds: Int

    public init(sentBytes: Int, sentMicroseconds: Int, receivedBytes: Int, receivedMicroseconds: Int) {
        self.sentBytes = sentBytes
        self.sentMicroseconds = sentMicroseconds
        self.receivedBytes = receivedBytes
        self.receivedMicroseconds = receivedMicroseconds
    }
}

/// How symbols go over the air on a connection, in each direction. Core 6.0, Vol 4, Part E, 7.7.65.12.
public struct ConnectionPHYs: Hashable, Sendable {
    /// From here to the peer.
    public var sending: PHY
    /// From the peer to here.
    public var receiving: PHY

    public init(sending: PHY, receiving: PHY) {
        self.sending = sending
        self.receiving = receiving
    }
}

/// The edition of the specification a peer's Link Layer follows, and its maker. Core 6.0, Vol 4, Part E, 7.7.12.
public struct RemoteVersion: Hashable, Sendable {
    /// In the numbers of the Assigned Numbers, 2.1: 6 is Core 4.0, 9 is 5.0.
    public var version: UInt8
    public var manufacturer: UInt16
    public var subversion: UInt16

    public init(version: UInt8, manufacturer: UInt16, subversion: UInt16) {
        self.version = version
        self.manufacturer = manufacturer
        self.subversion = subversion
    }
}
