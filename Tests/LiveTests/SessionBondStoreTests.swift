import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import Testing

@testable import BluethroatLive

/// A bond with a central of the panel ends with that central; what the user keeps has nothing of it.
@Suite("Bonds with centrals of the workbench")
struct SessionBondStoreTests {
    private static func address(_ last: UInt8) throws -> DeviceAddress {
        try #require(DeviceAddress("C0:00:00:00:00:0\(last)", kind: .random))
    }

    /// Connects a central to a fob that advertises, and pairs with it.
    private static func pair(_ workbench: Workbench, _ id: DeviceID, with fob: DeviceAddress) throws {
        let central = try #require(workbench.central(id))
        _ = workbench.order(id) { central, host, now, actions in
            central.connect(to: fob, host: host, at: now, into: &actions) { _ in }
        }
        workbench.world.run(for: .seconds(10)) { !central.links.isEmpty }
        _ = workbench.order(id) { central, host, now, actions in
            central.pair(fob, host: host, at: now, into: &actions) { _ in }
        }
        workbench.world.run(for: .seconds(10)) { central.links.first?.question != nil }
        let passkey = try #require(Passkey(digits: "000000"))
        _ = try workbench.order(id) { central, host, now, actions throws(WorkbenchCentral.Refusal) in
            try central.answer(.passkey(passkey), to: fob, host: host, at: now, into: &actions)
        }
        workbench.world.run(for: .seconds(10)) { central.links.first?.isBonded == true }
        #expect(central.links.first?.isBonded == true)
    }

    @Test("What is passing is not in the lasting store, is found beside the rest, and is removed from where it is")
    func separate() throws {
        let (own, passing, staying) = try (Self.address(1), Self.address(2), Self.address(3))
        let lasting = MemoryBondStore()
        let store = SessionBondStore(lasting) { $0 == passing }
        try store.save(Bond(local: own, peer: staying))
        try store.save(Bond(local: own, peer: passing))
        #expect(lasting.all.map(\.peer) == [staying])
        #expect(try store.bonds(of: own).map(\.peer) == [passing, staying])
        try store.remove(peer: passing, of: own)
        #expect(try store.bonds(of: own).map(\.peer) == [staying])
        try store.remove(peer: staying, of: own)
        #expect(lasting.all.isEmpty)
    }

    @Test("What an earlier session has left under a passing peer's address is taken away when that one bonds")
    func left() throws {
        let (own, passing) = try (Self.address(1), Self.address(2))
        let lasting = MemoryBondStore([Bond(local: own, peer: passing, name: "old")])
        let store = SessionBondStore(lasting) { $0 == passing }
        #expect(try store.bonds(of: own).map(\.name) == ["old"])
        try store.save(Bond(local: own, peer: passing, name: "new"))
        #expect(lasting.all.isEmpty)
        #expect(try store.bonds(of: own).map(\.name) == ["new"])
    }

    @Test("A device that is bonded with a central forgets it when that one is removed, and keeps its other bonds")
    func removed() throws {
        let lasting = MemoryBondStore()
        let session = LiveSession(seed: 1, drawsSecrets: false)
        var options = KeyFobOptions()
        options.advertisesAtStart = true
        let other = try Self.address(4)
        let fob = session.addDevice(
            named: "key fob",
            host: KeyFobDevice.hostConfiguration(seed: 1),
            identity: PersistentIdentity(bonds: lasting, secret: nil),
            application: KeyFobDevice(options: options)
        )
        session.workbench.register(fob, as: .device, named: "key fob")
        let central = session.workbench.addCentral()
        session.workbench.world.run(for: .seconds(1))
        let identity = try #require(session.workbench.central(central)?.identity)
        #expect(session.workbench.hasCentral(identity: identity) && !session.workbench.hasCentral(identity: other))
        let own = try #require(session.workbench.world.perform(on: fob) { host, _, _ in host.identity?.address } ?? nil)
        try lasting.save(Bond(local: own, peer: other))
        try Self.pair(session.workbench, central, with: own)
        #expect(lasting.all.map(\.peer) == [other])
        session.workbench.retire(central)
        session.workbench.world.run(for: .seconds(2))
        #expect(session.workbench.central(central) == nil)
        let left = session.workbench.world.perform(on: fob) { host, _, _ in host.bonds.map(\.peer) }
        #expect(left == [])
        #expect(lasting.all.map(\.peer) == [other])
    }
}
