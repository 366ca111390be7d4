internal import BluetoothValues
internal import VirtualTime

extension HostCore {
    func bond(with peer: DeviceAddress) -> Bond? { knownBonds.first { $0.peer == peer } }

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
        identity.flatMap { LocalIdentity(address: $0.address, resolvingKey: identityResolvingKey) }
    }

    /// Reads the bonds of this host's identity, once that is known. A host whose bonds cannot be read works without.
    mutating func loadBonds() {
        do {
            knownBonds = try bondStore.bonds(of: findings.identity.address)
            bondStoreError = nil
        } catch {
            knownBonds = []
            bondStoreError = error
        }
        resolver.set(knownBonds)
    }

    /// Keeps a bond, new or changed; when this returns it would survive a crash.
    mutating func keep(_ bond: Bond, at now: Instant, into actions: inout HostActions) throws(BondStoreError) {
        try bondStore.save(bond)
        if let index = knownBonds.firstIndex(where: { $0.peer == bond.peer }) {
            knownBonds[index] = bond
        } else {
            let index = knownBonds.firstIndex { bond.peer.isOrdered(before: $0.peer) } ?? knownBonds.endIndex
            knownBonds.insert(bond, at: index)
        }
        bondsChanged(at: now, into: &actions)
    }

    /// Forgets a bond, its keys and what the controller knows of it. Connections are not touched.
    mutating func forgetBond(with peer: DeviceAddress, at now: Instant, into actions: inout HostActions)
        throws(BondStoreError)
    {
        try bondStore.remove(peer: peer, of: findings.identity.address)
        knownBonds.removeAll { $0.peer == peer }
        bondsChanged(at: now, into: &actions)
    }
}
