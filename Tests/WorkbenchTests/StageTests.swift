import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import BluethroatWorkbench
import Testing

@Suite("A stage")
struct WorkbenchTests {
    private final class Witness: Onlooker {
        var looks = 0
        var nextLook: Instant?

        func look(at stage: Stage) { looks += 1 }
    }

    @Test("Names are given once")
    func names() {
        let stage = Troupe().stage
        #expect(stage.freeName("key fob") == "key fob 2")
        #expect(stage.freeName("lamp") == "lamp")
        _ = stage.addCentral()
        _ = stage.addCentral()
        #expect(stage.players.map(\.name) == ["key fob", "central", "central 2"])
    }

    @Test("At the edge of its range a device is just heard, and less power reaches less far")
    func range() throws {
        let troupe = Troupe()
        let range = try #require(troupe.stage.range(of: troupe.fob))
        #expect((40.0...120).contains(range))
        let power = SignalStrength(dBm: 0)
        let world = troupe.stage.world
        let sensitivity = Propagation().sensitivity
        #expect(world.strength(of: power, from: troupe.fob, at: .metres(x: 1 + range)) >= sensitivity)
        #expect(world.strength(of: power, from: troupe.fob, at: .metres(x: 2 + range)) < sensitivity)
        troupe.stage.move(troupe.fob, to: .metres(x: -300, y: 40))
        #expect(troupe.stage.range(of: troupe.fob) == range)
        #expect(troupe.stage.range(of: DeviceID(rawValue: 9)) == nil)
    }

    @Test("Onlookers are shown the stage after each run; the first who wants to look again decides when")
    func onlookers() {
        let stage = Troupe().stage
        let (one, other) = (Witness(), Witness())
        stage.add(one)
        stage.add(other)
        stage.ran()
        #expect((one.looks, other.looks) == (1, 1))
        #expect(stage.nextLook == nil)
        one.nextLook = .zero + .seconds(2)
        other.nextLook = .zero + .seconds(1)
        #expect(stage.nextLook == .zero + .seconds(1))
    }

    @Test("The same seed and the same orders are the same packets")
    func repeatable() throws {
        func packets(_ seed: UInt64) throws -> [[UInt8]] {
            let troupe = Troupe(seed: seed)
            _ = try troupe.connectedCentral()
            troupe.run(for: .seconds(2))
            return troupe.stage.air.all.map(\.transmission.frame)
        }
        #expect(try packets(3) == packets(3))
        #expect(try packets(3) != packets(4))
    }
}
