public import BluethroatBluetoothValues
public import BluethroatVirtualTime

extension Host {
    /// The bonds of this host's identity, in the order of their peers; none unless the host is up.
    public var bonds: [Bond] { core.bonds.known }

    /// The bond with a peer, by its identity.
    public func bond(with peer: DeviceAddress) -> Bond? { core.bond(with: peer) }

    /// Whether a bonded peer may show its identity address although it has private ones. False if there is no such bond.
    @discardableResult
    public func setPrivacyMode(
        _ mode: PrivacyMode,
        ofBondWith peer: DeviceAddress,
        at now: Instant,
        into actions: inout HostActions
    ) throws(BondStoreError) -> Bool {
        try enter(at: now, into: &actions) { core, actions throws(BondStoreError) in
            try core.setPrivacyMode(mode, ofBondWith: peer, at: now, into: &actions)
        }
    }
}
