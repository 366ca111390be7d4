public import BluethroatBluetoothValues

/// Bonds that last as long as the process.
public final class MemoryBondStore: BondStore {
    /// All bonds of all identities, in the order of their local identities and then of their peers.
    public private(set) var all: [Bond]

    public init(_ bonds: [Bond] = []) {
        all = []
        for bond in bonds { put(bond) }
    }

    public func bonds(of local: DeviceAddress) throws(BondStoreError) -> [Bond] { all.filter { $0.local == local } }

    public func save(_ bond: Bond) throws(BondStoreError) { put(bond) }

    public func remove(peer: DeviceAddress, of local: DeviceAddress) throws(BondStoreError) {
        all.removeAll { $0.peer == peer && $0.local == local }
    }

    private func put(_ bond: Bond) {
        if let index = all.firstIndex(where: { $0.peer == bond.peer && $0.local == bond.local }) {
            all[index] = bond
        } else {
            let index = all.firstIndex { Self.isOrdered(bond, before: $0) } ?? all.endIndex
            all.insert(bond, at: index)
        }
    }

    private static func isOrdered(_ one: Bond, before other: Bond) -> Bool {
        guard one.local == other.local else { return one.local.isOrdered(before: other.local) }
        return one.peer.isOrdered(before: other.peer)
    }
}

extension DeviceAddress {
    /// The order of bonds: public addresses first, then by value.
    func isOrdered(before other: Self) -> Bool { (kind.rawValue, value) < (other.kind.rawValue, other.value) }
}
