internal import BluetoothValues
internal import HCI

/// All that a host keeps of one open connection.
struct Connection {
    let id: ConnectionID
    let role: ConnectionRole
    /// The peer's address on the air, or its identity where the controller told nothing else.
    let peer: DeviceAddress
    /// This host's address on the air.
    let own: DeviceAddress
    /// Who the peer is, where that is known.
    var peerIdentity: DeviceAddress?
    /// Whether there is a bond with the peer.
    var isBonded = false
    /// Whether the peer is known to be there, so that the application was told.
    var isAnswered = true
    var parameters: ConnectionParameters

    var recombination = Recombination()
    var signalling = SignallingChannel()

    /// The L2CAP channels that were opened on it.
    var channels = ChannelSet()
    /// Whether it is the channels' turn to send.
    var prefersChannels = false
    /// The most packets that the controller has told of at once as sent.
    var mostCompletedAtOnce = 0

    /// What waits for room in the controller.
    var outgoing = OutgoingQueue()
    /// ACL data packets that the controller holds and has not completed.
    var inFlight = 0
    /// Whether somebody was told that the queue is full, and waits to hear otherwise.
    var owesReady = false

    /// The change of parameters that the controller is working on.
    var update = ParameterUpdate.none
    /// Whose wish for other PHYs the controller is working on.
    var phyWish = PHYWish.none
    /// Why the controller is asking for the peer's features.
    var featureReading: FeatureReading = []
    /// What the peer's Link Layer can do; nil if that is not known.
    var peerFeatures: LEFeatures?
    var isDisconnecting = false

    init(
        id: ConnectionID,
        role: ConnectionRole,
        own: DeviceAddress,
        peer: DeviceAddress,
        parameters: ConnectionParameters
    ) {
        self.id = id
        self.role = role
        self.own = own
        self.peer = peer
        self.parameters = parameters
    }

    var description: ConnectionDescription {
        ConnectionDescription(
            id: id,
            role: role,
            peer: peer,
            peerIdentity: peerIdentity,
            isBonded: isBonded,
            parameters: parameters
        )
    }
}

/// A change of parameters under way at the controller of a central.
enum ParameterUpdate: Equatable, Sendable {
    case none
    /// The application asked for it.
    case own
    /// The peer asked for it over L2CAP and was told that it will be.
    case forPeer
}
