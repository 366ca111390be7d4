import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatBondDatabase
import BluethroatHost

/// What a process does to a bond file, the same for the same seed.
struct BondPlan {
    struct Step {
        /// Which of the peers, from 0.
        var peer: UInt64
        /// Counts the states of this bond, from 1; 0 where it is removed.
        var revision: UInt64
        var bond: Bond

        func carryOut(_ database: BondDatabase) throws(BondStoreError) {
            if revision == 0 {
                try database.remove(peer: bond.peer, of: bond.local)
            } else {
                try database.save(bond)
            }
        }
    }

    private let process: UInt64
    private var state: UInt64
    private var revisions: [UInt64: UInt64] = [:]
    private var count: UInt64 = 0

    init(seed: UInt64, process: UInt64) {
        self.process = process
        state = seed &+ process &* 0x9E37_79B9_7F4A_7C15
    }

    mutating func next() -> Step {
        // Numbers that look random are enough here.
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        count += 1
        let peer = (state >> 33) % 8 + process * 100
        let isRemoval = revisions[peer] ?? 0 > 0 && (state >> 40) % 5 == 0
        let revision = isRemoval ? 0 : count
        revisions[peer] = revision
        return Step(peer: peer, revision: revision, bond: Self.bond(peer: peer, revision: revision))
    }

    /// The bond as this plan saves it: the revision is in its name, its key and its subscriptions, so that a mixture of
    /// two states would be seen.
    static func bond(peer: UInt64, revision: UInt64) -> Bond {
        var bond = Bond(
            local: DeviceAddress(value: 0x78C5_E59B_760D, kind: .public),
            peer: DeviceAddress(value: 0xC000_0000_0000 | peer, kind: .random)
        )
        bond.name = "revision \(revision)"
        bond.keyAsPeripheral = LongTermKey(
            value: Block128(high: revision, low: peer),
            identification: .none,
            size: 16,
            isAuthenticated: true,
            isSecureConnections: true
        )
        bond.clientRecord.databaseHash = [UInt8](repeating: UInt8(truncatingIfNeeded: revision), count: 16)
        let handles = UInt16(revision % 40) + 1
        bond.clientRecord.subscriptions = (1...handles).compactMap { number in
            AttributeHandle(rawValue: number).map { ClientRecord.Entry(value: $0, subscription: .notifications) }
        }
        return bond
    }
}
