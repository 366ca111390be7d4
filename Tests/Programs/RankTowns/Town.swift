import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatRankGroups
public import BluethroatRanks
public import BluethroatSimulation
public import BluethroatVirtualTime

/// A square with beacons, with people who walk about and listen, and with pairs of whom one reads from the other while it
/// walks from one end to the other.
public struct Town: Sendable {
    public init(seed: UInt64 = 1) { self.seed = seed }

    public var seed: UInt64 = 1
    /// The side in metres.
    public var side = 300.0
    public var beacons = 40
    public var scanners = 8
    public var pairs = 0
    /// In metres a second.
    public var speed = 20.0
    /// Whether beacons walk, too.
    public var beaconsWalk = false
    public var loss = Ratio.never
    public var air = AirMode.exact
    public var length = TimeSpan.seconds(3)

    /// What came of it.
    public struct Outcome: Equatable, Sendable {
        public var digest: UInt64 = 0
        /// Of each device, in the order of their numbers.
        public var diaries: [[String]] = []
        public var reports = 0
        public var reads = 0
        public var spoiltReceptions = 0
        public var frames = 0
    }

    /// The same and what it took, which may depend on the ranks.
    public struct Run: Sendable {
        public var outcome = Outcome()
        public var costs: [PartCosts] = []
        /// How many pairs there are of a listener and a device of another rank that it heard.
        public var hearingsAcross = 0
    }

    private var count: Int { beacons + scanners + 2 * pairs }

    /// Pairs begin near each other.
    private var places: [Position] {
        (0..<count).map { number in
            let isClient = number >= beacons + scanners && (number - beacons - scanners) % 2 == 1
            var random = SeededRandom(
                seed: seed,
                device: UInt64(isClient ? number - 1 : number),
                purpose: "place in a town"
            )
            let millimetres = UInt64(side * 1_000)
            let x = Int32(random.next(below: millimetres)), y = Int32(random.next(below: millimetres))
            return Position(x: isClient ? x + 2_000 : x, y: y)
        }
    }

    public func run(ranks count: Int) throws -> Run {
        // Other tests want the processors.
        let parts = try RankThreads.run(count, looksBeforeSleep: false) { ranks in try runPart(ranks) }
        var run = Run()
        var diaries: [(UInt32, [String])] = []
        for part in parts {
            run.outcome.digest = part.digest
            run.outcome.reports += part.reports
            run.outcome.reads += part.reads
            run.outcome.spoiltReceptions += part.spoiltReceptions
            run.outcome.frames += part.frames
            run.costs.append(part.costs)
            run.hearingsAcross += part.hearingsAcross
            diaries += part.diaries
        }
        run.outcome.diaries = diaries.sorted { $0.0 < $1.0 }.map(\.1)
        return run
    }

    /// The same town as a world that is not divided: without a digest, which is another one.
    public func runUndivided() -> Outcome {
        let world = World(seed: seed, air: air)
        world.setLossEverywhere(loss)
        let places = places
        let citizens = (0..<count).map { number in
            let citizen = Citizen(role(of: number, in: world))
            let id = world.addDevice(named: "citizen \(number)", at: places[number], application: citizen)
            if beaconsWalk || number >= beacons { walk(id, from: places[number], in: world) { world.move($0, to: $1) } }
            return citizen
        }
        world.run(for: length)
        var outcome = Outcome()
        outcome.frames = world.transmissionCount
        outcome.diaries = citizens.map(\.diary)
        outcome.reports = citizens.reduce(0) { $0 + $1.reports }
        outcome.reads = citizens.reduce(0) { $0 + $1.reads }
        outcome.spoiltReceptions = world.collisions.receptions
        return outcome
    }

    /// What came of one rank's part.
    public struct Part: Sendable {
        public var digest: UInt64
        public var diaries: [(UInt32, [String])] = []
        public var reports = 0
        public var reads = 0
        public var frames: Int
        public var spoiltReceptions: Int
        public var hearingsAcross = 0
        public var costs: PartCosts
    }

    /// Runs the part of one rank; all ranks call this together.
    public func runPart(_ ranks: any Ranks) throws -> Part {
        let part = WorldPart(seed: seed, ranks: ranks, air: air)
        part.world.setLossEverywhere(loss)
        let places = places, owners = RegionCut(places, ranks: ranks.count).owners
        var citizens: [(number: UInt32, citizen: Citizen)] = []
        for number in 0..<count where owners[number] == UInt32(ranks.rank) {
            let citizen = Citizen(role(of: number, in: part.world))
            citizens.append((UInt32(number), citizen))
            let id = part.add(UInt32(number), at: places[number], listens: listens(number)) { world in
                world.addDevice(named: "citizen \(number)", at: places[number], application: citizen)
            }
            if beaconsWalk || number >= beacons {
                walk(id, from: places[number], in: part.world) { [unowned part] in part.move($0, to: $1) }
            }
        }
        try part.run(until: .zero + length)
        var result = Part(
            digest: try part.digest(),
            frames: part.world.transmissionCount,
            spoiltReceptions: part.world.collisions.receptions,
            costs: part.costs
        )
        for (number, citizen) in citizens {
            result.diaries.append((number, citizen.diary))
            result.reports += citizen.reports
            result.reads += citizen.reads
            result.hearingsAcross += (0..<count).count { other in
                owners[other] != UInt32(ranks.rank)
                    && citizen.heard.contains(part.world.defaultAddress(of: UInt32(other)).value)
            }
        }
        return result
    }

    /// Beacons and servers do not.
    private func listens(_ number: Int) -> Bool {
        number >= beacons && (number < beacons + scanners || (number - beacons - scanners) % 2 == 1)
    }

    private func role(of number: Int, in world: World) -> Citizen.Role {
        if number < beacons { return .beacon }
        if number < beacons + scanners { return .scanner }
        guard (number - beacons - scanners) % 2 == 1 else { return .server }
        return .client(of: world.defaultAddress(of: UInt32(number - 1)))
    }

    /// Ten steps a second, from west to east, and on from the west; those of a pair with each other.
    private func walk(
        _ id: DeviceID,
        from place: Position,
        in world: World,
        _ move: @escaping (DeviceID, Position) -> Void
    ) {
        guard speed > 0 else { return }
        world.schedule(at: world.now + .milliseconds(100)) { world in
            var next = place
            next.x = place.x + Int32(speed * 100)
            move(id, next)
            walk(id, from: next, in: world, move)
        }
    }
}
