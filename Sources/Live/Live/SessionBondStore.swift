import BluethroatBluetoothValues
import BluethroatHost

/// The bonds of a device of a session. Those with passing peers, the centrals of the workbench, are kept until the session
/// ends: such a central takes its keys along, and nobody could use what a file had of it.
final class SessionBondStore: BondStore {
    private let lasting: any BondStore
    private let passing = MemoryBondStore()
    private let isPassing: (DeviceAddress) -> Bool

    /// - Parameters:
    ///   - lasting: where bonds with all others are kept.
    ///   - isPassing: whether the device with this identity address is gone when the session is.
    init(_ lasting: any BondStore, isPassing: @escaping (DeviceAddress) -> Bool) {
        self.lasting = lasting
        self.isPassing = isPassing
    }

    func bonds(of local: DeviceAddress) throws(BondStoreError) -> [Bond] {
        // Of two with one peer the passing one counts, since it was saved later; and it has the order of all stores.
        try MemoryBondStore(lasting.bonds(of: local) + passing.bonds(of: local)).bonds(of: local)
    }

    func save(_ bond: Bond) throws(BondStoreError) {
        guard isPassing(bond.peer) else {
            try lasting.save(bond)
            return try passing.remove(peer: bond.peer, of: bond.local)
        }
        try passing.save(bond)
        // Left by a central of an earlier session that had the same address.
        try? lasting.remove(peer: bond.peer, of: bond.local)
    }

    func remove(peer: DeviceAddress, of local: DeviceAddress) throws(BondStoreError) {
        let isHere = try passing.bonds(of: local).contains { $0.peer == peer }
        try passing.remove(peer: peer, of: local)
        if !isHere { try lasting.remove(peer: peer, of: local) }
    }
}
