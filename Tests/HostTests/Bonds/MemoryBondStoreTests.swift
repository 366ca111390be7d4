import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import Testing

@testable import BluethroatHost

/// What every store promises, on the one in memory; and what a bond keeps of a pairing.
struct MemoryBondStoreTests {
    private let local = DeviceAddress(value: 0xC0FF_EE00_0001, kind: .random)
    private let otherLocal = DeviceAddress(value: 0xC0FF_EE00_0002, kind: .random)

    private func peer(_ value: UInt64, _ kind: DeviceAddress.Kind = .public) -> DeviceAddress {
        DeviceAddress(value: value, kind: kind)
    }

    @Test("Bonds come in the order of their peers, public addresses first, each identity's by themselves")
    func order() throws {
        let store = MemoryBondStore()
        for value: UInt64 in [3, 1, 2] {
            try store.save(Bond(local: local, peer: peer(0xC000_0000_0000 | value, .random)))
            try store.save(Bond(local: local, peer: peer(0xF0_0000_0000 | value)))
        }
        try store.save(Bond(local: otherLocal, peer: peer(0)))
        let peers = try store.bonds(of: local).map(\.peer)
        #expect(peers.map(\.kind) == [.public, .public, .public, .random, .random, .random])
        #expect(peers.map { $0.value & 0xF } == [1, 2, 3, 1, 2, 3])
        #expect(try store.bonds(of: otherLocal).count == 1)
    }

    @Test("A bond replaces the one with the same identities, and no other")
    func replacing() throws {
        let store = MemoryBondStore()
        try store.save(Bond(local: local, peer: peer(1), name: "old"))
        try store.save(Bond(local: otherLocal, peer: peer(1), name: "another's"))
        try store.save(Bond(local: local, peer: peer(1), name: "new"))
        #expect(try store.bonds(of: local).map(\.name) == ["new"])
        #expect(try store.bonds(of: otherLocal).map(\.name) == ["another's"])
    }

    @Test("A removed bond is gone, and to remove it again is no error")
    func removing() throws {
        let store = MemoryBondStore([Bond(local: local, peer: peer(1)), Bond(local: otherLocal, peer: peer(1))])
        for _ in 0..<2 { try store.remove(peer: peer(1), of: local) }
        #expect(try store.bonds(of: local).isEmpty)
        #expect(try store.bonds(of: otherLocal).count == 1)
    }

    private func result(
        isBonded: Bool = true,
        resolvingKey: Block128? = nil,
        identity: DeviceAddress? = nil
    ) -> PairingResult {
        let key = LongTermKey(
            value: Block128(high: 1, low: 2),
            identification: .none,
            size: 16,
            isAuthenticated: true,
            isSecureConnections: true
        )
        return PairingResult(
            method: .justWorks,
            isBonded: isBonded,
            usesDebugKey: false,
            linkKey: key,
            keyAsCentral: key,
            keyAsPeripheral: key,
            peerIdentityResolvingKey: resolvingKey,
            peerIdentity: identity,
            peerSigningKey: nil,
            localSigningKey: nil,
            gaveIdentity: true
        )
    }

    @Test("A pairing that one of the two does not want to keep leaves no bond")
    func unbonded() {
        #expect(Bond(result(isBonded: false), local: local, peer: peer(1)) == nil)
    }

    @Test("A peer that paired under a private address is known by its identity, and has to hide it")
    func privatePeer() throws {
        let shown = peer(0x4000_0000_0001, .random)
        let pairing = result(resolvingKey: Block128(high: 5, low: 5), identity: peer(7))
        let bond = try #require(Bond(pairing, local: local, peer: shown))
        #expect(bond.peer == peer(7))
        #expect(bond.privacyMode == .network)
    }

    @Test("A peer that gave a resolving key under its identity address may show that later too")
    func shownIdentity() throws {
        let pairing = result(resolvingKey: Block128(high: 5, low: 5), identity: peer(7))
        #expect(try #require(Bond(pairing, local: local, peer: peer(7))).privacyMode == .device)
    }

    @Test("A resolving key of zeros is none")
    func zeroKey() throws {
        let bond = try #require(Bond(result(resolvingKey: .zero, identity: peer(7)), local: local, peer: peer(7)))
        #expect(bond.peerIdentityResolvingKey == nil)
        #expect(bond.privacyMode == .network)
    }

    @Test("A peer that gave no identity is known by the address it had on the air")
    func noIdentity() throws {
        #expect(try #require(Bond(result(), local: local, peer: peer(9))).peer == peer(9))
    }
}
