import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatRankGroups
import BluethroatRanks
import BluethroatSimulation
import BluethroatVirtualTime
import RankTowns
import Synchronization
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

    @Test("In a crowd, too, where nobody of its rank hears it")
    func loudInCrowd() throws {
        for count in [1, 2] {
            let failure = #expect(throws: RankFailure.self) {
                try RankThreads.run(count, looksBeforeSleep: false) { ranks in
                    let quiet = SignalStrength(dBm: -10), place = Position.metres(x: -300)
                    let part = WorldPart(seed: 1, ranks: ranks, air: .crowd, loudest: quiet)
                    if ranks.rank == 0 {
                        part.add(0, at: .origin) { $0.addDevice(named: "ear", application: Citizen(.scanner)) }
                    }
                    if ranks.rank == count - 1 {
                        part.add(1, at: place) {
                            $0.addDevice(named: "shouter", at: place, application: Citizen(.beacon))
                        }
                    }
                    try part.run(until: .zero + .seconds(2))
                }
            }
            #expect(failure?.reason == "shouter sends with 0 dBm, and the world was made for -10 dBm at most")
        }
    }

    /// A beacon of the last rank, and one who listens to it on the first; how much that one has heard.
    private static func hear(
        ranks count: Int,
        _ body: @Sendable @escaping (WorldPart, any Ranks) throws -> Void
    ) throws -> Int {
        try RankThreads.run(count, looksBeforeSleep: false) { ranks in
            let part = WorldPart(seed: 1, ranks: ranks), citizen = Citizen(.scanner), place = Position.metres(x: 5)
            if ranks.rank == 0 { part.add(0, at: .origin) { $0.addDevice(named: "ear", application: citizen) } }
            if ranks.rank == count - 1 {
                part.add(1, at: place) { $0.addDevice(named: "beacon", at: place, application: Citizen(.beacon)) }
            }
            try body(part, ranks)
            return citizen.reports
        }[0]
    }

    @Test("What gets lost between two devices does so on any number of ranks")
    func loss() throws {
        let heard = try [1, 2].map { count in
            try Self.hear(ranks: count) { part, _ in
                part.world.setLoss(.percent(60), from: DeviceID(rawValue: 1), to: DeviceID(rawValue: 0))
                try part.run(until: .zero + .seconds(5))
            }
        }
        let all = try Self.hear(ranks: 2) { part, _ in try part.run(until: .zero + .seconds(5)) }
        #expect(heard[0] == heard[1] && heard[0] > 0 && heard[0] * 3 < all * 2, "\(heard) of \(all)")
    }

    @Test("A device may leave between two runs, in the middle of a frame, on any number of ranks")
    func leavesBetweenRuns() throws {
        let heard = try [1, 2].map { count in
            try Self.hear(ranks: count) { part, ranks in
                let frames = LastFrame()
                part.world.tap = frames
                var isGone = false
                for step in 1...Int64(3_000) {
                    try part.run(until: .zero + .milliseconds(100) + .microseconds(100 * step))
                    if ranks.rank == count - 1, let end = frames.end, end > part.world.now {
                        part.world.remove(DeviceID(rawValue: 1))
                        isGone = true
                    }
                    if try ranks.all(!isGone) == false { break }
                }
                try part.run(until: .zero + .seconds(1))
            }
        }
        #expect(heard[0] == heard[1], "\(heard)")
    }

    @Test("A world in which nothing happens any more can run for ever")
    func forEver() throws {
        let part = WorldPart(seed: 1, ranks: OnlyRank())
        part.add(0, at: .origin) { $0.addDevice(named: "ear", application: Citizen(.scanner)) }
        part.world.remove(DeviceID(rawValue: 0))
        try part.run(until: .distantFuture)
        #expect(part.world.now == .distantFuture)
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

    @Test("Ranks of which each is a neighbour of each meet once in a window; others have to agree on the next one")
    func meetings() throws {
        for (apart, isOneMeeting) in [(5.0, true), (2_000.0, false)] {
            let counts = try RankThreads.run(3, looksBeforeSleep: false) { ranks in
                let counting = CountingRanks(ranks), part = WorldPart(seed: 1, ranks: counting)
                let number = UInt32(ranks.rank), place = Position.metres(x: apart * Double(number))
                part.add(number, at: place) { $0.addDevice(named: "beacon", at: place, application: Citizen(.beacon)) }
                try part.run(until: .zero + .seconds(5))
                return (agreed: counting.agreements, windows: part.costs.windows)
            }
            for count in counts {
                #expect(count.windows > 200)
                #expect(isOneMeeting ? count.agreed < 10 : count.agreed > count.windows, "\(apart) m: \(count)")
            }
        }
    }

    @Test("What another rank says of its next instant is not believed if that is past")
    func pastOutlook() throws {
        let failure = #expect(throws: RankFailure.self) {
            try RankThreads.run(2, looksBeforeSleep: false) { ranks in
                if ranks.rank == 0 {
                    let part = WorldPart(seed: 1, ranks: ranks)
                    part.add(0, at: .origin) { $0.addDevice(named: "beacon", application: Citizen(.beacon)) }
                    return try part.run(until: .zero + .seconds(1))
                }
                // Everywhere is of interest, listening or not.
                while true {
                    if try ranks.least([.max, 0])[1] == 0 { _ = try ranks.share([0, 0]) }
                    if try ranks.least([.max, 1])[1] == 1 { break }
                }
                try ranks.send([UInt8](repeating: 0, count: 9), to: 0)
                _ = try ranks.receive(from: 0)
                _ = try ranks.receive(from: 0)
            }
        }
        #expect(failure?.reason.hasPrefix("it did not understand rank 1: ") == true, "\(failure as Any)")
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

/// Keeps when the last frame ends that began.
private final class LastFrame: WorldTap {
    private(set) var end: Instant?

    func transmitted(_ transmission: Transmission, by device: DeviceID) { end = transmission.end }
}

/// Counts how often ranks agree on something.
private final class CountingRanks: Ranks {
    private let ranks: any Ranks
    private let calls = Mutex(0)

    init(_ ranks: any Ranks) { self.ranks = ranks }

    var agreements: Int { calls.withLock { $0 } }
    var rank: Int { ranks.rank }
    var count: Int { ranks.count }

    func send(_ bytes: [UInt8], to rank: Int) throws(RankFailure) { try ranks.send(bytes, to: rank) }
    func receive(from rank: Int) throws(RankFailure) -> [UInt8] { try ranks.receive(from: rank) }
    func sum(_ numbers: [UInt64]) throws(RankFailure) -> [UInt64] { try ranks.sum(numbers) }

    func least(_ numbers: [Int64]) throws(RankFailure) -> [Int64] {
        calls.withLock { $0 += 1 }
        return try ranks.least(numbers)
    }
}
