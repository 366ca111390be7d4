internal import BluethroatBluetoothValues

/// The bonds of a host: where they are kept, those of its identity, and whose addresses they resolve.
///
/// What is known here is what the store has, and what the resolver goes by: a change that the store refuses is none.
struct BondRegister {
    private let store: any BondStore
    private let limit: Int
    private var resolver = AddressResolver()
    /// The bonds of this host's identity, in the order of their peers; empty unless the host is up.
    private(set) var known: [Bond] = []
    /// Why the bonds could not be read when the host came up; nil if they were.
    private(set) var storeError: BondStoreError?

    /// - Parameter limit: how many bonds are kept. One more is refused and removes none: a device can pair under one address
    ///   after another.
    init(store: any BondStore, limit: Int) {
        self.store = store
        self.limit = limit
    }

    subscript(peer: DeviceAddress) -> Bond? { known.first { $0.peer == peer } }

    func contains(_ peer: DeviceAddress) -> Bool { known.contains { $0.peer == peer } }

    /// The peer behind an address, as far as it is bonded.
    mutating func finding(for address: DeviceAddress) -> AddressResolver.Finding { resolver.finding(for: address) }

    /// Reads the bonds of an identity. A host whose bonds cannot be read works without.
    mutating func load(of local: DeviceAddress) {
        do {
            known = try store.bonds(of: local)
            storeError = nil
        } catch {
            known = []
            storeError = error
        }
        resolver.set(known)
    }

    /// The host is down, and knows its identity no more.
    mutating func unload() { known = [] }

    /// Keeps a bond, new or changed; when this returns it would survive a crash.
    mutating func keep(_ bond: Bond) throws(BondStoreError) {
        guard contains(bond.peer) || known.count < limit else { throw .full(limit: limit) }
        try store.save(bond)
        if let index = known.firstIndex(where: { $0.peer == bond.peer }) {
            known[index] = bond
        } else {
            let index = known.firstIndex { bond.peer.isOrdered(before: $0.peer) } ?? known.endIndex
            known.insert(bond, at: index)
        }
        resolver.set(known)
    }

    /// Forgets a bond with all its keys.
    mutating func forget(_ peer: DeviceAddress, of local: DeviceAddress) throws(BondStoreError) {
        try store.remove(peer: peer, of: local)
        known.removeAll { $0.peer == peer }
        resolver.set(known)
    }
}
