import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatOverflowStudy
import BluethroatRadioMedium
import BluethroatRankGroups
import BluethroatRanks
import BluethroatSimulation
import BluethroatVirtualTime
import Synchronization

/// Many advertisers in one room with a scanner, and a connection on which nobody has anything to say: how many seconds
/// a world makes of one of ours.
enum CrowdBenches {
    static let crowds = [10, 100, 1_000, 10_000]

    static var all: [Bench] {
        crowds.map { crowd in
            Bench("advertisers.\(crowd)", "simulated s/s", target: crowd == 1_000 ? .atLeast(5) : nil) {
                try advertisers(crowd, effort: $0)
            }
        }
            + crowds.suffix(2).map { crowd in
                Bench("advertisersInCrowd.\(crowd)", "simulated s/s") {
                    try advertisers(crowd, air: .crowd, effort: $0)
                }
            } + [
                Bench("overflowCrowd.1000", "simulated s/s") { try overflowCrowd(1_000, effort: $0) },
                Bench("overflowInCrowd.1000", "simulated s/s") { try overflowCrowd(1_000, air: .crowd, effort: $0) },
                Bench("idleConnection", "simulated s/s", target: .atLeast(3_000)) { try idleConnection(effort: $0) },
            ]
    }

    static func advertisers(_ count: Int, air: AirMode = .exact, effort: Effort) throws -> Double {
        let world = World(seed: 1, air: air)
        try Crowd.add(count, to: world)
        let scanner = Scanner()
        world.addDevice(named: "scanner", at: .metres(x: 5, y: 5), application: scanner)
        let step = TimeSpan.milliseconds(10), start = world.now, before = world.transmissionCount
        let rate = effort.bestRate {
            world.run(for: step)
        } count: {
            world.now.sinceStart.inSeconds
        }
        guard scanner.reports > 0 else { throw BenchError("the scanner heard nothing") }
        // Three frames in each interval of 100 ms and the 10 ms at most that are added at random.
        let least = (world.now - start).inSeconds / 0.110 * 3 * Double(count) * 0.98
        guard Double(world.transmissionCount - before) >= least else { throw BenchError("advertisers were silent") }
        return rate
    }

    /// Phones in the background, a hundred square metres for each, that send payloads in the overflow area, and twenty
    /// scanners on foot; another crowd each time.
    static func overflowCrowd(_ count: Int, air: AirMode = .exact, effort: Effort) throws -> Double {
        var crowd = settings(phones: count, scanners: 20, air: air)
        crowd.length = .seconds(20)
        var study = Study([crowd]), seconds = 0.0, got = 0
        let rate = effort.bestRate {
            study.seed += 1
            guard let row = study.run({ _ in true })?.first else { return }
            seconds += crowd.length.inSeconds
            got += row.got(within: crowd.length).count
        } count: {
            seconds
        }
        guard got > 0 else { throw BenchError("no payload was got") }
        return rate
    }

    private static func settings(phones: Int, scanners: Int, air: AirMode) -> CrowdSettings {
        var crowd = CrowdSettings()
        crowd.phones = phones
        crowd.scanners = scanners
        crowd.side = 10 * Double(phones).squareRoot()
        crowd.air = air
        return crowd
    }

    /// One crowd from beginning to end, for those who want to know how long a large one takes: frames, payloads, seconds of
    /// the processor, and what the process has grown to.
    ///
    /// - Parameter ranks: among how many threads the world is divided, by place; nil for one that is not divided.
    static func once(
        phones: Int,
        scanners: Int,
        seconds: Int,
        air: AirMode,
        ranks: Int?
    ) throws -> [(String, Double)] {
        var crowd = settings(phones: phones, scanners: scanners, air: air)
        crowd.length = .seconds(Int64(seconds))
        let begin = Clock.processor.now, start = Clock.wall.now
        let study = Study([crowd]), pace = Pace()
        let rows =
            try ranks.map { count in
                try RankThreads.run(count) { rank in
                    try study.run(dividedAmong: rank) { _ in rank.rank != 0 || pace.note() }
                }[0]
            } ?? study.run { _ in pace.note() }
        guard let row = rows?.first, let result = row.results.first else { throw BenchError("the world has stalled") }
        return [
            ("phones", Double(phones)), ("scanners", Double(scanners)), ("simulated seconds", Double(seconds)),
            ("frames", Double(result.transmissions)), ("phones heard", Double(result.phones.count { $0.heard != nil })),
            ("meetings", Double(result.meetings)), ("processor seconds", Clock.processor.now - begin),
            ("seconds by the clock", Clock.wall.now - start),
            ("processor seconds a simulated second", pace.usual(\.processor)),
            ("seconds by the clock a simulated second", pace.usual(\.wall)),
            ("MiB at most", try MemoryBenches.greatestResidentBytes() / 1_048_576),
        ]
    }

    static func idleConnection(effort: Effort) throws -> Double {
        let pair = Pair()
        try pair.connect()
        let rate = effort.bestRate {
            pair.world.run(for: .seconds(100))
        } count: {
            pair.world.now.sinceStart.inSeconds
        }
        if let failure = pair.central.failure { throw BenchError(failure) }
        return rate
    }
}

/// How long each simulated second of a study takes. Half of them are slower than what it says, so that a machine which has
/// other things to do now and then matters little; what a world takes to be made, or to come to an end, is in none.
private final class Pace: Sendable {
    struct Times {
        let processor: Double
        let wall: Double
    }

    private let times = Mutex<[Times]>([])

    /// Another second begins. True, since the study goes on.
    func note() -> Bool {
        times.withLock { $0.append(Times(processor: Clock.processor.now, wall: Clock.wall.now)) }
        return true
    }

    /// Of the seconds in the latter half, when everybody is there.
    func usual(_ time: KeyPath<Times, Double>) -> Double {
        let noted = times.withLock { $0.map { $0[keyPath: time] } }
        let spans = zip(noted, noted.dropFirst()).map { $1 - $0 }.suffix(noted.count / 2).sorted()
        return spans.isEmpty ? 0 : spans[spans.count / 2]
    }
}

/// Advertisers as the key fob is one: ADV_IND every 100 ms on three channels, 11 bytes of data and 12 of scan response.
enum Crowd {
    /// Puts them all into a room of ten metres by ten. Their first events are spread over an interval, as they would be
    /// had people switched them on.
    static func add(_ count: Int, to world: World) throws {
        let interval = AdvertisingInterval(steps: 160)!
        let parameters = AdvertisingParameters(interval: interval)
        var places = SeededRandom(seed: world.seed, purpose: "places")
        for number in 0..<count {
            let position = Position(x: Int32(places.next(below: 10_000)), y: Int32(places.next(below: 10_000)))
            let id = world.addDevice(named: "advertiser \(number)", at: position, application: Peripheral())
            try world.perform(on: id) { host, now, actions throws(OrderError) in
                try host.startAdvertising(
                    parameters,
                    data: KeyFobAdvertisement.data,
                    scanResponse: KeyFobAdvertisement.scanResponse,
                    at: now,
                    into: &actions
                )
            }
            world.run(for: interval.span / Int64(count))
        }
    }
}

/// Scans without a pause, and counts what it is told.
final class Scanner: HostApplication {
    private(set) var reports = 0
    private let isActive: Bool

    init(isActive: Bool = true) { self.isActive = isActive }

    func start(host: Host, at now: Instant, into actions: inout HostActions) {
        host.powerOn(at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .poweredOn: try? host.startScanning(ScanParameters(active: isActive), at: now, into: &actions)
        case .advertisingReport: reports += 1
        default: break
        }
    }

    var nextDeadline: Instant? { nil }
    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}
}
