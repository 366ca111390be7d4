internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// The peer behind an address.
extension HostCore {
    /// The bonds are not what they were: connections learn whose they are, and the controller whom to resolve.
    mutating func bondsChanged(at now: Instant, into actions: inout HostActions) {
        for slot in 0..<links.slotCount where links.isOpen(slot) {
            identifyPeer(slot, resolved: links[slot].peerIdentity)
        }
        for slot in 0..<links.slotCount where isKnownOpen(slot) { updateSecurity(slot) }
        gap.privacy.list.set(bonds.known)
        advanceGAP(at: now, into: &actions)
    }

    /// Notes whose connection one is: by what the controller or an earlier look has resolved, else by the address.
    mutating func identifyPeer(_ slot: Int, resolved: DeviceAddress?) {
        let peer = links[slot].peer
        var identity = resolved
        if identity == nil, case .peer(let known) = bonds.finding(for: peer) { identity = known }
        // An address that never changes is an identity by itself.
        if identity == nil, peer.kind == .public || peer.randomSubtype == .staticDevice { identity = peer }
        links[slot].peerIdentity = identity
        links[slot].isBonded = identity.map { bonds.contains($0) } ?? false
    }

    /// The sender of an advertisement, as the resolver says; a controller that has resolved the address itself is
    /// believed.
    mutating func sender(of peer: PeerAddress) -> AddressResolver.Finding {
        peer.isIdentity ? .peer(peer.address) : bonds.finding(for: peer.address)
    }
}

extension AddressResolver.Finding {
    var identity: DeviceAddress? {
        if case .peer(let identity) = self { identity } else { nil }
    }
}
