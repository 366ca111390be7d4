internal import BluethroatBluetoothCrypto
public import BluethroatBluetoothValues
public import BluethroatVirtualTime

/// Bonds as pairings make them, and as connections change them.
extension Host {
    /// Forgets the bond with a peer, and what was made on a connection to it, which is ended if there is one.
    /// `bondRemoved` reports this unless the store fails.
    public func removeBond(_ peer: DeviceAddress, at now: Instant, into actions: inout HostActions)
        throws(BondStoreError)
    {
        try enter(at: now, into: &actions) { core, actions throws(BondStoreError) in
            try core.removeBond(peer, at: now, into: &actions)
        }
    }
}
