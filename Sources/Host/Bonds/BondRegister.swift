internal import BluetoothValues

/// The bonds of a host: where they are kept, those of its identity, and whose addresses they resolve.
struct BondRegister {
    let store: any BondStore
    /// The bonds of this host's identity, in the order of their peers; empty unless the host is up.
    var known: [Bond] = []
    var resolver = AddressResolver()
    /// Why the bonds could not be read when the host came up; nil if they were.
    var storeError: BondStoreError?

    init(store: any BondStore) { self.store = store }
}
