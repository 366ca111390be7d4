import BluethroatBluetoothValues
import BluethroatBondDatabase
import BluethroatHost
import Testing

/// What every store promises, held to the one in memory and the one on disk.
@Suite("Laws of bond stores")
struct BondStoreLawTests {
    enum Kind: CaseIterable {
        case memory
        case disk
        /// On disk, and opened anew after everything that is done to it.
        case reopened
    }

    /// A store that may forget everything but its file between two calls.
    private final class Subject: BondStore {
        private let kind: Kind
        private let folder = TestFolder()
        private var store: any BondStore

        init(_ kind: Kind) throws {
            self.kind = kind
            store = kind == .memory ? MemoryBondStore() : try BondDatabase(path: folder.file)
        }

        private func current() throws(BondStoreError) -> any BondStore {
            if kind == .reopened {
                do {
                    store = try BondDatabase(path: folder.file)
                } catch {
                    throw .unreadable(reason: "\(error)")
                }
            }
            return store
        }

        func bonds(of local: DeviceAddress) throws(BondStoreError) -> [Bond] { try current().bonds(of: local) }
        func save(_ bond: Bond) throws(BondStoreError) { try current().save(bond) }
        func remove(peer: DeviceAddress, of local: DeviceAddress) throws(BondStoreError) {
            try current().remove(peer: peer, of: local)
        }
    }

    @Test("A new store is empty", arguments: Kind.allCases)
    func empty(_ kind: Kind) throws {
        #expect(try Subject(kind).bonds(of: Sample.local).isEmpty)
    }

    @Test("What was saved is read as it was saved, field by field", arguments: Kind.allCases)
    func identity(_ kind: Kind) throws {
        let store = try Subject(kind)
        let bare = Bond(local: Sample.local, peer: Sample.peer(0xFFFF))
        for number: UInt64 in 0..<4 { try store.save(Sample.bond(number)) }
        try store.save(bare)
        let read = try store.bonds(of: Sample.local)
        #expect(Set(read) == Set((0..<4).map { Sample.bond($0) } + [bare]))
    }

    @Test("Bonds come in the order of their peers, public addresses first", arguments: Kind.allCases)
    func order(_ kind: Kind) throws {
        let store = try Subject(kind)
        for value: UInt64 in [9, 2, 0x0010_0000_0000, 1] {
            try store.save(Bond(local: Sample.local, peer: Sample.peer(value, .random)))
            try store.save(Bond(local: Sample.local, peer: Sample.peer(value | 0xF000_0000_0000, .public)))
        }
        let peers = try store.bonds(of: Sample.local).map(\.peer)
        #expect(peers.map(\.kind) == [.public, .public, .public, .public, .random, .random, .random, .random])
        #expect(peers.map { $0.value & 0xFFF_FFFF_FFFF } == [1, 2, 9, 0x10_0000_0000, 1, 2, 9, 0x10_0000_0000])
    }

    @Test("A bond replaces the one with the same identities, and no other", arguments: Kind.allCases)
    func replacing(_ kind: Kind) throws {
        let store = try Subject(kind)
        // The same 48 bits, public and random, are two peers.
        let twin = DeviceAddress(value: Sample.peer(1).value, kind: .public)
        try store.save(Bond(local: Sample.local, peer: Sample.peer(1), name: "old", keyAsCentral: Sample.key(1)))
        try store.save(Bond(local: Sample.local, peer: twin, name: "twin"))
        try store.save(Bond(local: Sample.otherLocal, peer: Sample.peer(1), name: "another's"))
        try store.save(Bond(local: Sample.local, peer: Sample.peer(1), name: "new", keyAsCentral: Sample.key(2)))
        #expect(try store.bonds(of: Sample.local).map(\.name) == ["twin", "new"])
        #expect(try store.bonds(of: Sample.otherLocal).map(\.name) == ["another's"])
    }

    @Test(
        "A removed bond is gone, its neighbours are not, and to remove it again is no error",
        arguments: Kind.allCases
    )
    func removing(_ kind: Kind) throws {
        let store = try Subject(kind)
        for number: UInt64 in 0..<3 { try store.save(Sample.bond(number)) }
        try store.save(Sample.bond(1, local: Sample.otherLocal))
        for _ in 0..<2 { try store.remove(peer: Sample.bond(1).peer, of: Sample.local) }
        #expect(try Set(store.bonds(of: Sample.local)) == [Sample.bond(0), Sample.bond(2)])
        #expect(try store.bonds(of: Sample.otherLocal) == [Sample.bond(1, local: Sample.otherLocal)])
    }

    @Test("A bond that was removed can be made again, with the same keys too", arguments: Kind.allCases)
    func again(_ kind: Kind) throws {
        let store = try Subject(kind)
        try store.save(Sample.bond(1))
        try store.remove(peer: Sample.bond(1).peer, of: Sample.local)
        try store.save(Sample.bond(1))
        #expect(try store.bonds(of: Sample.local) == [Sample.bond(1)])
    }
}
