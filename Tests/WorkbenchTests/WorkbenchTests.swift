import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import Testing

@Suite("A workbench")
struct WorkbenchTests {
    private final class Witness: Observer {
        var looks = 0
        var nextLook: Instant?

        func look(at workbench: Workbench) { looks += 1 }
    }

    @Test("Names are given once")
    func names() {
        let workbench = Troupe().workbench
        #expect(workbench.freeName("key fob") == "key fob 2")
        #expect(workbench.freeName("lamp") == "lamp")
        _ = workbench.addCentral()
        _ = workbench.addCentral()
        #expect(workbench.entries.map(\.name) == ["key fob", "central", "central 2"])
    }

    @Test("At the edge of its range a device is just heard, and less power reaches less far")
    func range() throws {
        let troupe = Troupe()
        let range = try #require(troupe.workbench.range(of: troupe.fob))
        #expect((40.0...120).contains(range))
        let power = SignalStrength(dBm: 0)
        let world = troupe.workbench.world
        let sensitivity = Propagation().sensitivity
        #expect(world.strength(of: power, from: troupe.fob, at: .metres(x: 1 + range)) >= sensitivity)
        #expect(world.strength(of: power, from: troupe.fob, at: .metres(x: 2 + range)) < sensitivity)
        troupe.workbench.move(troupe.fob, to: .metres(x: -300, y: 40))
        #expect(troupe.workbench.range(of: troupe.fob) == range)
        #expect(troupe.workbench.range(of: DeviceID(rawValue: 9)) == nil)
    }

    @Test("Observers are shown the workbench after each run; the first who wants to look again decides when")
    func observers() {
        let workbench = Troupe().workbench
        let (one, other) = (Witness(), Witness())
        workbench.add(one)
        workbench.add(other)
        workbench.ran()
        #expect((one.looks, other.looks) == (1, 1))
        #expect(workbench.nextLook == nil)
        one.nextLook = .zero + .seconds(2)
        other.nextLook = .zero + .seconds(1)
        #expect(workbench.nextLook == .zero + .seconds(1))
    }

    @Test("The same seed and the same orders are the same packets")
    func repeatable() throws {
        func packets(_ seed: UInt64) throws -> [[UInt8]] {
            let troupe = Troupe(seed: seed)
            _ = try troupe.connectedCentral()
            troupe.run(for: .seconds(2))
            return troupe.workbench.air.all.map(\.transmission.frame)
        }
        #expect(try packets(3) == packets(3))
        #expect(try packets(3) != packets(4))
    }
}
