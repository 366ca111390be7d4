import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatRankGroups
import BluethroatRanks
import BluethroatSimulation
import BluethroatVirtualTime
import RankTowns
import Testing

@Suite("A part of a world")
struct WorldPartTests {
    @Test("A device that jumps further than the others can be told in time ends the run, and the line names it")
    func jump() throws {
        let part = WorldPart(seed: 1, ranks: OnlyRank())
        let id = part.add(4, at: .origin) { $0.addDevice(named: "jumper", application: Citizen(.beacon)) }
        part.world.schedule(at: .zero + .milliseconds(10)) { _ in part.move(id, to: .metres(x: 29)) }
        try part.run(until: .zero + .milliseconds(20))
        part.world.schedule(at: .zero + .milliseconds(25)) { _ in part.move(id, to: .metres(x: 31)) }
        let failure = #expect(throws: RankFailure.self) { try part.run(until: .zero + .seconds(1)) }
        #expect(failure?.reason == "device 4 has moved more than 30 m at once; move it in shorter steps")
    }

    @Test("A device that is louder than the world was made for ends the run")
    func loud() throws {
        let part = WorldPart(seed: 1, ranks: OnlyRank(), loudest: SignalStrength(dBm: -10))
        part.add(0, at: .origin) { $0.addDevice(named: "shouter", application: Citizen(.beacon)) }
        let failure = #expect(throws: RankFailure.self) { try part.run(until: .zero + .seconds(1)) }
        #expect(failure?.reason.hasPrefix("shouter sends with ") == true)
    }

    @Test("In a crowd a device that listens, and was said not to, ends the run")
    func unannounced() throws {
        for listens in [true, false] {
            let part = WorldPart(seed: 1, ranks: OnlyRank(), air: .crowd)
            part.add(0, at: .origin, listens: listens) { $0.addDevice(named: "ear", application: Citizen(.scanner)) }
            if listens {
                try part.run(until: .zero + .seconds(1))
            } else {
                let failure = #expect(throws: RankFailure.self) { try part.run(until: .zero + .seconds(1)) }
                #expect(failure?.reason == "ear listens, and was added as one that does not")
            }
        }
    }

    @Test("A device that is keener than the world was made for ends the run; one that is as keen as was said does not")
    func keen() throws {
        let keen = SignalStrength(dBm: -110)
        for said in [nil, SignalStrength(dBm: -100), keen] {
            let part = WorldPart(seed: 1, ranks: OnlyRank(), keenest: said)
            let id = part.add(0, at: .origin) { $0.addDevice(named: "listener", application: Citizen(.scanner)) }
            part.world.setSensitivity(keen, of: id)
            if said == keen {
                try part.run(until: .zero + .seconds(1))
            } else {
                let failure = #expect(throws: RankFailure.self) { try part.run(until: .zero + .seconds(1)) }
                #expect(failure?.reason.hasPrefix("a device follows signals of -110 dBm") == true, "\(failure as Any)")
            }
        }
    }

    @Test("A receiver that is keener than others hears devices of another rank from as far away as without a border")
    func heardFromAfar() throws {
        let keen = SignalStrength(dBm: -120), places = [Position.origin, .metres(x: 390)]
        let heard = try [1, 2].map { count in
            try RankThreads.run(count, looksBeforeSleep: false) { ranks in
                let part = WorldPart(seed: 1, ranks: ranks, keenest: keen), citizen = Citizen(.scanner)
                if ranks.rank == 0 {
                    let id = part.add(0, at: places[0]) { $0.addDevice(named: "listener", application: citizen) }
                    part.world.setSensitivity(keen, of: id)
                }
                if ranks.rank == count - 1 {
                    part.add(1, at: places[1]) { world in
                        world.addDevice(named: "beacon", at: places[1], application: Citizen(.beacon))
                    }
                }
                try part.run(until: .zero + .seconds(2))
                return citizen.reports
            }[0]
        }
        #expect(heard[0] > 0 && heard[0] == heard[1], "\(heard)")
    }

    @Test("A world that is divided, and one that is not, have as many frames, reports and reads, within 5 %")
    func agreement() throws {
        var town = Town(seed: 2)
        town.side = 120
        town.pairs = 4
        town.length = .seconds(10)
        let divided = try town.run(ranks: 2).outcome, whole = town.runUndivided()
        func agree(_ first: Int, _ second: Int) -> Bool { abs(first - second) * 20 <= max(first, second) }
        #expect(agree(divided.frames, whole.frames), "\(divided.frames) \(whole.frames)")
        #expect(agree(divided.reports, whole.reports), "\(divided.reports) \(whole.reports)")
        #expect(agree(divided.reads, whole.reads), "\(divided.reads) \(whole.reads)")
    }

    @Test("Radios that interfere are as far apart as a signal can matter, and no further")
    func reach() throws {
        let usual = try #require(Propagation().interferenceReach(of: SignalStrength(dBm: 0)))
        #expect(140_000...180_000 ~= usual)
        let louder = try #require(Propagation().interferenceReach(of: SignalStrength(dBm: 10)))
        #expect(louder > 2 * usual)
        let keener = Propagation().interferenceReach(of: SignalStrength(dBm: 0), heardBy: SignalStrength(dBm: -105))
        #expect(keener == louder)
        #expect(Propagation(exponentTenths: 0).interferenceReach(of: SignalStrength(dBm: 0)) == nil)
    }
}
