internal import BluethroatBluetoothValues
internal import BluethroatVirtualTime

/// All that a host keeps of one open connection: who is at its ends, its timers, and a part for each layer, whose state
/// is that layer's own.
///
/// It cannot be copied: it lies in the `LinkTable`, and layers are given it `inout`.
struct HostLink: ~Copyable {
    let id: ConnectionID
    let role: ConnectionRole
    /// The peer's address on the air, or its identity where the controller reported nothing else.
    let peer: DeviceAddress
    /// This host's address on the air.
    let own: DeviceAddress
    /// The peer's identity address, where that is known.
    var peerIdentity: DeviceAddress?
    /// Whether there is a bond with the peer.
    var isBonded = false

    /// When something of this link runs out, whatever layer it belongs to.
    var deadlines = Deadlines<LinkTimer>()

    var control: LinkControl
    var l2cap = L2CAPLink()
    var att: ATTBearer
    var smp: PairingLink
    var security = SecuredLink()

    init(
        id: ConnectionID,
        role: ConnectionRole,
        own: DeviceAddress,
        peer: DeviceAddress,
        parameters: ConnectionParameters,
        maximumMTU: Int = ATTBearer.defaultMTU,
        smp: PairingLink
    ) {
        self.id = id
        self.role = role
        self.own = own
        self.peer = peer
        control = LinkControl(parameters: parameters)
        att = ATTBearer(maximumMTU: maximumMTU)
        self.smp = smp
    }

    /// The peer by its identity, and by its address on the air as long as that is not known.
    var knownPeer: DeviceAddress { peerIdentity ?? peer }

    /// The addresses on the air, as a pairing mixes them into its keys.
    var pairingAddresses: PairingAddresses {
        role == .central
            ? PairingAddresses(initiator: own, responder: peer) : PairingAddresses(initiator: peer, responder: own)
    }

    var description: ConnectionDescription {
        ConnectionDescription(
            id: id,
            role: role,
            peer: peer,
            peerIdentity: peerIdentity,
            isBonded: isBonded,
            parameters: control.parameters
        )
    }
}

/// What runs out on a link. Timers of one instant leave in this order.
enum LinkTimer: Comparable {
    /// L2CAP: the peer's answer to the signalling request with this identifier.
    case signalling(identifier: UInt8)
    /// L2CAP: the application's decision about channels that the peer has asked for.
    case channelRequest(number: UInt32)
    /// SMP: the pairing under way rests.
    case pairing
    /// ATT: the client's confirmation of an indication.
    case confirmation
    /// ATT: the server's response to a request of this host.
    case response
    /// ATT: the application's answer to a request of the client.
    case answer

    var isOfATT: Bool {
        switch self {
        case .confirmation, .response, .answer: true
        case .signalling, .channelRequest, .pairing: false
        }
    }
}
