import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI

/// Between whom a connection is, and how the host calls it.
struct LinkIdentity: Sendable {
    let handle: ConnectionHandle
    let role: ConnectionRole
    /// The peer's address as on the air.
    let peer: DeviceAddress
    /// Our address as on the air.
    let own: DeviceAddress
    /// The peer's identity, where the resolving list knew it behind `peer`; else that.
    let peerIdentity: PeerAddress
    /// What our own address stands for, if it is a private one made here.
    let ownIdentity: DeviceAddress

    init(handle: ConnectionHandle, role: ConnectionRole, plan: ConnectionPlan) {
        self.handle = handle
        self.role = role
        let initiator = plan.indication.initiator, advertiser = plan.indication.advertiser
        (own, peer) = role == .central ? (initiator, advertiser) : (advertiser, initiator)
        peerIdentity = plan.peer.peer
        ownIdentity = plan.own.identity
    }

    /// Whether a device is the peer, by either of its addresses.
    func isConnected(to device: DeviceAddress) -> Bool { peer == device || peerIdentity.address == device }

    /// Whether two devices are those of this connection, whatever addresses they use now.
    func isConnected(from own: OwnAddress, to peer: HeardDevice) -> Bool {
        ownIdentity == own.identity && (peerIdentity.address == peer.device || self.peer == peer.onAir)
    }

    // MARK: As LE Enhanced Connection Complete gives them. Core 6.0, Vol 4, Part E, 7.7.65.10.

    /// The private address that the controller made for itself; all zero if it used none.
    var localPrivateAddress: DeviceAddress { own == ownIdentity ? DeviceAddress(value: 0, kind: .random) : own }

    /// The peer's, where its identity is known; all zero otherwise.
    var peerPrivateAddress: DeviceAddress { peerIdentity.isIdentity ? peer : DeviceAddress(value: 0, kind: .random) }
}
