internal import BluetoothValues
internal import VirtualTime

extension HostCore {
    func bond(with peer: DeviceAddress) -> Bond? { bonds.known.first { $0.peer == peer } }

    @discardableResult
    mutating func setPrivacyMode(
        _ mode: PrivacyMode,
        ofBondWith peer: DeviceAddress,
        at now: Instant,
        into actions: inout HostActions
    ) throws(BondStoreError) -> Bool {
        guard var bond = bond(with: peer) else { return false }
        bond.privacyMode = mode
        try keep(bond, at: now, into: &actions)
        return true
    }

    /// Who this host is to those it bonds with; nil unless it is up.
    var localIdentity: LocalIdentity? {
        identity.flatMap { LocalIdentity(address: $0.address, resolvingKey: gap.privacy.identityResolvingKey) }
    }

    /// Reads the bonds of this host's identity, once that is known. A host whose bonds cannot be read works without.
    mutating func loadBonds() {
        do {
            bonds.known = try bonds.store.bonds(of: controller.findings.identity.address)
            bonds.storeError = nil
        } catch {
            bonds.known = []
            bonds.storeError = error
        }
        bonds.resolver.set(bonds.known)
    }

    /// Keeps a bond, new or changed; when this returns it would survive a crash.
    mutating func keep(_ bond: Bond, at now: Instant, into actions: inout HostActions) throws(BondStoreError) {
        try bonds.store.save(bond)
        if let index = bonds.known.firstIndex(where: { $0.peer == bond.peer }) {
            bonds.known[index] = bond
        } else {
            let index = bonds.known.firstIndex { bond.peer.isOrdered(before: $0.peer) } ?? bonds.known.endIndex
            bonds.known.insert(bond, at: index)
        }
        bondsChanged(at: now, into: &actions)
    }

    /// Forgets a bond, its keys and what the controller knows of it. Connections are not touched.
    mutating func forgetBond(with peer: DeviceAddress, at now: Instant, into actions: inout HostActions)
        throws(BondStoreError)
    {
        try bonds.store.remove(peer: peer, of: controller.findings.identity.address)
        bonds.known.removeAll { $0.peer == peer }
        bondsChanged(at: now, into: &actions)
    }
}
