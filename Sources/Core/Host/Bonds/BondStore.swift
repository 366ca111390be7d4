public import BluethroatBluetoothValues

/// Where a host keeps its bonds. It is called seldom, and answers before it returns.
public protocol BondStore: AnyObject {
    /// The bonds of one identity, in the order of their peers: public addresses first, then by their value.
    func bonds(of local: DeviceAddress) throws(BondStoreError) -> [Bond]

    /// Adds a bond, or replaces the one with the same identities. Returns only when it would survive a crash.
    func save(_ bond: Bond) throws(BondStoreError)

    /// Forgets a bond. It is no error if there is none.
    func remove(peer: DeviceAddress, of local: DeviceAddress) throws(BondStoreError)
}
