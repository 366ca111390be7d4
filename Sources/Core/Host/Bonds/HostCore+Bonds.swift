internal import BluethroatBluetoothValues
internal import BluethroatVirtualTime

extension HostCore {
    func bond(with peer: DeviceAddress) -> Bond? { bonds[peer] }

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

    /// This host's identity for bonded peers; nil unless it is up.
    var localIdentity: LocalIdentity? {
        identity.flatMap { LocalIdentity(address: $0.address, resolvingKey: gap.privacy.identityResolvingKey) }
    }

    /// Keeps a bond, new or changed; when this returns it would survive a crash.
    mutating func keep(_ bond: Bond, at now: Instant, into actions: inout HostActions) throws(BondStoreError) {
        try bonds.keep(bond)
        bondsChanged(at: now, into: &actions)
    }

    /// Forgets a bond, its keys and what the controller knows of it. Connections are not touched.
    mutating func forgetBond(with peer: DeviceAddress, at now: Instant, into actions: inout HostActions)
        throws(BondStoreError)
    {
        try bonds.forget(peer, of: controller.findings.identity.address)
        bondsChanged(at: now, into: &actions)
    }
}
