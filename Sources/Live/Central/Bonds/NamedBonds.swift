import BluethroatBluetoothValues
import BluethroatHost

/// A store in which bonds keep the names that people know their peers by: a host knows none.
final class NamedBonds: BondStore {
    /// The name of the peer that is being paired with.
    var peerName: String?
    private let store: any BondStore

    init(_ store: any BondStore) { self.store = store }

    func bonds(of local: DeviceAddress) throws(BondStoreError) -> [Bond] { try store.bonds(of: local) }

    func save(_ bond: Bond) throws(BondStoreError) {
        var bond = bond
        if let peerName { bond.name = peerName }
        try store.save(bond)
    }

    func remove(peer: DeviceAddress, of local: DeviceAddress) throws(BondStoreError) {
        try store.remove(peer: peer, of: local)
    }
}
