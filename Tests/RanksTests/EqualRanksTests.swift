import BluethroatRanks
import BluethroatSimulation
import BluethroatVirtualTime
import FuzzInputs
import RankTowns
import Testing

@Suite("One world on several ranks")
struct EqualRanksTests {
    @Test("Whoever has the devices, the same is sent, heard and reported", arguments: [2, 3, 4])
    func advertisers(ranks: Int) throws {
        let town = Town()
        let alone = try town.run(ranks: 1), parted = try town.run(ranks: ranks)
        #expect(parted.outcome == alone.outcome)
        #expect(alone.outcome.reports > 1_000)
        #expect(alone.outcome.spoiltReceptions > 10)
        // It is about something: devices of different ranks have heard each other.
        #expect(parted.hearingsAcross > 5)
    }

    @Test("Connections over a border carry the same data at the same time", arguments: [2, 3, 4])
    func connections(ranks: Int) throws {
        var town = Town(seed: 5)
        town.pairs = 12
        town.beacons = 10
        town.side = 60
        let alone = try town.run(ranks: 1), parted = try town.run(ranks: ranks)
        #expect(parted.outcome == alone.outcome)
        #expect(alone.outcome.reads > 20)
    }

    @Test("Frames that are lost are lost with any number of ranks", arguments: [2, 4])
    func losses(ranks: Int) throws {
        var town = Town(seed: 9)
        town.loss = .percent(20)
        town.pairs = 4
        town.side = 100
        town.length = .seconds(2)
        let alone = try town.run(ranks: 1), parted = try town.run(ranks: ranks)
        #expect(parted.outcome == alone.outcome)
        town.loss = .never
        #expect(try town.run(ranks: 1).outcome.reports > alone.outcome.reports)
    }

    @Test("Many small towns are the same on 1 to 4 ranks", arguments: 20..<UInt64(20 + Effort.count(10, usually: 5)))
    func seeds(seed: UInt64) throws {
        try Self.expectEqual(Self.smallTown(seed, beaconsBelow: 40))
    }

    /// A town of any kind.
    private static func smallTown(_ seed: UInt64, beaconsBelow: UInt64) -> Town {
        var random = SeededRandom(seed: seed, purpose: "town")
        var town = Town(seed: seed)
        town.side = Double(20 + random.next(below: 800))
        town.beacons = Int(random.next(below: beaconsBelow))
        town.scanners = 1 + Int(random.next(below: 8))
        town.pairs = Int(random.next(below: 5))
        town.speed = Double(random.next(below: 100))
        town.loss = .percent(Int32(random.next(below: 3)) * 10)
        town.length = .seconds(1)
        return town
    }

    private static func expectEqual(_ town: Town) throws {
        let alone = try town.run(ranks: 1)
        for ranks in 2...4 { #expect(try town.run(ranks: ranks).outcome == alone.outcome, "\(town), \(ranks) ranks") }
    }

    @Test("In a wide world a rank is told of what happens at its border, and not of the rest")
    func borders() throws {
        var town = Town(seed: 3)
        town.side = 3_000
        town.beacons = 300
        town.speed = 1
        town.length = .seconds(1)
        let run = try town.run(ranks: 4)
        #expect(run.outcome == (try town.run(ranks: 1)).outcome)
        for costs in run.costs {
            #expect(costs.heardFrames > 0)
            #expect(costs.heardFrames < (run.outcome.frames - costs.ownFrames) / 3)
        }
    }

    @Test("Devices that walk into another rank's region are heard there, and stop being heard where they came from")
    func walkers() throws {
        var town = Town(seed: 11)
        town.side = 1_000
        town.beacons = 60
        town.scanners = 6
        town.speed = 250
        town.length = .seconds(4)
        let alone = try town.run(ranks: 1), parted = try town.run(ranks: 4)
        #expect(parted.outcome == alone.outcome)
        #expect(parted.hearingsAcross > 5)
    }

    // MARK: In a crowd's air

    @Test("A crowd is the same on any number of ranks; each computes what may be heard", arguments: [2, 3, 4, 8])
    func crowd(ranks: Int) throws {
        var town = Town(seed: 4)
        town.length = .seconds(2)
        town.air = .crowd
        town.side = 600
        town.beacons = 120
        town.pairs = 6
        let alone = try town.run(ranks: 1), parted = try town.run(ranks: ranks)
        #expect(parted.outcome == alone.outcome)
        #expect(alone.outcome.reports > 300, "\(alone.outcome.reports)")
        #expect(alone.outcome.reads > 10, "\(alone.outcome.reads)")
        #expect(parted.hearingsAcross > 0)
    }

    @Test(
        "An advertiser that moves while its frame is out has sent it from where it was",
        arguments: 13..<UInt64(13 + Effort.count(2, usually: 1))
    )
    func walkingBeacons(seed: UInt64) throws {
        var town = Town(seed: seed)
        town.air = .crowd
        town.side = 500
        town.beacons = 200
        town.beaconsWalk = true
        town.speed = 250
        town.length = .seconds(2)
        let alone = try town.run(ranks: 1)
        #expect(try town.run(ranks: 2).outcome == alone.outcome)
        #expect(alone.outcome.reports > 250)
    }

    @Test("Many small crowds are the same on 1 to 4 ranks", arguments: 40..<UInt64(40 + Effort.count(100, usually: 10)))
    func crowdSeeds(seed: UInt64) throws {
        var town = Self.smallTown(seed, beaconsBelow: 60)
        town.air = .crowd
        try Self.expectEqual(town)
    }

    @Test("In a divided world both kinds of air agree within 3 %, and a crowd's computes far fewer frames")
    func bothKinds() throws {
        var town = Town(seed: 6)
        town.side = 2_000
        town.beacons = 300
        town.scanners = 8
        town.pairs = 2
        var crowd = town
        crowd.air = .crowd
        let quiet = try crowd.run(ranks: 2), exact = try town.run(ranks: 2).outcome
        func agree(_ first: Int, _ second: Int) -> Bool { abs(first - second) * 33 <= max(first, second) }
        #expect(agree(exact.reports, quiet.outcome.reports), "\(exact.reports) \(quiet.outcome.reports)")
        #expect(agree(exact.frames, quiet.outcome.frames), "\(exact.frames) \(quiet.outcome.frames)")
        let told = quiet.costs.reduce(0) { $0 + $1.ownFrames }
        #expect(told * 2 < quiet.outcome.frames, "\(told) of \(quiet.outcome.frames)")
    }
}
