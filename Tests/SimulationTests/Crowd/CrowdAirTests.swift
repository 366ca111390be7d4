import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@Suite("A crowd's air")
struct CrowdAirTests {
    private static let seeds = 0..<UInt64(1_000)

    // MARK: The law

    @Test("Beacons: scanners report the same in both modes, frame by frame")
    func beacons() {
        var reported = 0, skipped = 0
        for seed in Self.seeds {
            let exact = CrowdScene(.beacons, seed: seed, air: .exact)
            let crowd = CrowdScene(.beacons, seed: seed, air: .crowd)
            exact.run()
            crowd.run()
            #expect(exact.reports == crowd.reports, "seed \(seed)")
            reported += exact.reports.joined().count
            #expect(exact.world.transmissionCount == crowd.world.transmissionCount, "seed \(seed)")
            if exact.world.digest != crowd.world.digest { skipped += 1 }
        }
        #expect(reported > 20 * Self.seeds.count)
        // The comparison is of two ways to compute, not of one with itself.
        #expect(skipped > Self.seeds.count / 2)
    }

    @Test("All kinds: what scanners report and how many connect differs by chance alone; a bias of 1 % would be seen")
    func allKinds() {
        var shares = Comparison(), planted = Comparison()
        var same = 0, connections = (exact: 0, crowd: 0)
        for seed in Self.seeds {
            let exact = CrowdScene(.all, seed: seed, air: .exact)
            let crowd = CrowdScene(.all, seed: seed, air: .crowd)
            let biased = CrowdScene(.all, seed: seed, air: .crowd, losingOneOf: 100)
            for scene in [exact, crowd, biased] { scene.run() }
            let count = exact.reports.joined().count
            shares.add(crowd.reports.joined().count, insteadOf: count)
            planted.add(biased.reports.joined().count, insteadOf: count)
            if exact.reports == crowd.reports { same += 1 }
            connections.exact += exact.connections
            connections.crowd += crowd.connections
        }
        #expect(shares.mayBeEqual, "\(shares)")
        #expect(!planted.mayBeEqual, "\(planted)")
        // Most worlds have no stranger's frame in an answer's place.
        #expect(same * 2 > Self.seeds.count, "\(same)")
        #expect(connections.exact > 0 && abs(connections.exact - connections.crowd) * 20 <= connections.exact + 20)
    }

    // MARK: What is skipped, and what is not

    /// So many beacons in a row, and a scanner at one end.
    private static func row(
        _ count: Int,
        air: AirMode,
        metres: Double,
        scans: Bool = true,
        asks: Bool = false,
        interval: UInt16 = 160
    ) throws -> (World, DeviceID, Recorder) {
        let world = World(seed: 3, air: air)
        for number in 0..<count {
            let place = Position.metres(x: Double(number) * metres)
            let id = world.addDevice(named: "\(number)", at: place, application: Recorder())
            try world.perform(on: id) { host, now, actions throws(OrderError) in
                let parameters = AdvertisingParameters(.connectable, interval: AdvertisingInterval(steps: interval)!)
                try host.startAdvertising(parameters, at: now, into: &actions)
            }
        }
        let recorder = Recorder()
        let scanner = world.addDevice(named: "scanner", application: recorder)
        world.run(for: .milliseconds(1))
        if scans {
            try world.perform(on: scanner) { host, now, actions throws(OrderError) in
                try host.startScanning(ScanParameters(active: asks), at: now, into: &actions)
            }
        }
        return (world, scanner, recorder)
    }

    private static func addresses(_ recorder: Recorder) -> Set<DeviceAddress> {
        Set(recorder.events.compactMap { if case .advertisingReport(let it) = $0.event { it.address } else { nil } })
    }

    @Test("Where nobody listens no frame is computed, and all are counted")
    func nobodyListens() throws {
        let (exact, _, _) = try Self.row(20, air: .exact, metres: 1, scans: false)
        let (crowd, _, _) = try Self.row(20, air: .crowd, metres: 1, scans: false)
        let tap = ComputedFrames()
        crowd.tap = tap
        exact.run(for: .seconds(60))
        crowd.run(for: .seconds(60))
        #expect(tap.count == 0)
        // In exact mode strangers' frames put off some.
        let counts = (exact.transmissionCount, crowd.transmissionCount)
        #expect(abs(counts.0 - counts.1) * 200 < counts.0, "\(counts)")
        #expect(crowd.nextEventInstant == nil)
    }

    @Test("Out of reach of a scanner no frame is computed; when it comes near, it hears what it would have heard")
    func comesNear() throws {
        var heard: [Set<DeviceAddress>] = []
        for air in AirMode.allCases {
            let (world, scanner, recorder) = try Self.row(40, air: air, metres: 500)
            let tap = ComputedFrames()
            world.tap = tap
            world.run(for: .seconds(5))
            let near = tap.senders.count
            #expect(air == .exact ? near == 40 : near == 1)
            recorder.forget()
            world.move(scanner, to: .metres(x: 20_010 - 1_000))
            world.run(for: .seconds(5))
            heard.append(Self.addresses(recorder))
        }
        #expect(heard[0].count == 1 && heard[0] == heard[1])
    }

    /// Beacons on one channel, each 20 ms, and what a scanner reports of them; after half a second something changes.
    private static func beacons(
        _ places: [Position],
        air: AirMode,
        seed: UInt64,
        _ change: (World, [DeviceID]) -> Void
    ) throws -> [CrowdScene.Report] {
        let world = World(seed: seed, propagation: Propagation(shadowing: 0), air: air)
        let beacons = places.enumerated().map { number, place in
            world.addDevice(named: "\(number)", at: place, application: Recorder())
        }
        let recorder = Recorder()
        let scanner = world.addDevice(named: "scanner", application: recorder)
        world.run(for: .milliseconds(1))
        var parameters = AdvertisingParameters(.nonConnectable, interval: AdvertisingInterval(steps: 32)!)
        parameters.channels = AdvertisingChannels(rawValue: 1)
        let timing = ScanTiming(intervalSteps: 16, windowSteps: 16)!
        try world.perform(on: scanner) { host, now, actions throws(OrderError) in
            try host.startScanning(ScanParameters(active: false, timing: timing), at: now, into: &actions)
        }
        for id in beacons {
            try world.perform(on: id) { host, now, actions throws(OrderError) in
                try host.startAdvertising(parameters, at: now, into: &actions)
            }
        }
        world.run(for: .milliseconds(500))
        change(world, beacons)
        world.run(for: .seconds(2))
        return recorder.events.compactMap { instant, event -> CrowdScene.Report? in
            guard case .advertisingReport(let it) = event else { return nil }
            return CrowdScene.Report(
                instant: instant,
                address: it.address,
                kind: it.kind,
                data: it.data,
                strength: it.signalStrength
            )
        }
    }

    @Test("A beacon that moves out of a scanner's hearing, within its cell, spoils the same frames in both modes")
    func movesToSpoil() throws {
        let places = [Position.metres(x: 70, y: 1)] + (0..<10).map { Position.metres(x: 20 + Double($0), y: 2) }
        var lost = 0
        var reports: [[CrowdScene.Report]] = []
        for air in AirMode.allCases {
            let heard = try Self.beacons(places, air: air, seed: 5) { world, beacons in
                for beacon in beacons.dropFirst() { world.move(beacon, to: .metres(x: 90, y: 2)) }
            }
            reports.append(heard)
            // It sends 80 times or so in the two seconds after that.
            lost = 80 - heard.count { $0.instant > .zero + .milliseconds(501) }
        }
        #expect(reports[0] == reports[1])
        #expect(lost > 3 && lost < 70, "\(lost)")
    }

    @Test("A scanner with a sensitivity of its own hears in both modes what reaches it")
    func ownSensitivity() throws {
        var heard: [Set<DeviceAddress>] = []
        for air in AirMode.allCases {
            let (world, scanner, recorder) = try Self.row(8, air: air, metres: 100)
            world.run(for: .seconds(1))
            world.setSensitivity(SignalStrength(dBm: -110), of: scanner)
            recorder.forget()
            world.run(for: .seconds(5))
            heard.append(Self.addresses(recorder))
        }
        #expect(heard[0].count > 1 && heard[0] == heard[1])
    }

    @Test("What a device advertises that scans as well is computed; once it only advertises, nobody computes it")
    func scansAsWell() throws {
        let world = World(seed: 3, air: .crowd)
        let tap = ComputedFrames()
        world.tap = tap
        let id = world.addDevice(named: "both", application: Recorder())
        func perform(_ action: (Host, Instant, inout HostActions) throws -> Void) throws {
            try world.perform(on: id) { host, now, actions in try action(host, now, &actions) }
            world.run(for: .seconds(2))
        }
        let data = AdvertisingData([.completeLocalName("both")])
        let parameters = AdvertisingParameters(.nonConnectable, interval: AdvertisingInterval(steps: 160)!)
        try perform { try $0.startAdvertising(parameters, data: data, at: $1, into: &$2) }
        #expect(tap.count == 0 && world.transmissionCount > 30)
        let asleep = world.transmissionCount
        try perform { try $0.startScanning(at: $1, into: &$2) }
        let awake = world.transmissionCount
        #expect(awake > asleep && tap.count == awake - asleep)
        try perform { try $0.stopScanning(at: $1, into: &$2) }
        #expect(world.transmissionCount > awake + 30 && tap.count <= awake - asleep + 3)
    }

    @Test("A frame on a channel nobody listens on is not computed")
    func otherChannels() throws {
        let (world, _, _) = try Self.row(5, air: .crowd, metres: 1)
        let tap = ComputedFrames()
        world.tap = tap
        let before = world.transmissionCount
        world.run(for: .seconds(20))
        let all = world.transmissionCount - before
        // One channel of three at a time.
        #expect(tap.count * 5 > all && tap.count * 5 < all * 2, "\(tap.count) of \(all)")
    }

    @Test("Those who connect, subscribe or leave find an advertiser as it would be")
    func connects() throws {
        for air in AirMode.allCases {
            let world = World(seed: 9, air: air)
            let central = Recorder(), peripheral = Recorder(services: WorldPair.services)
            let near = world.addDevice(named: "peripheral", application: peripheral)
            let far = world.addDevice(named: "central", at: .metres(x: 5_000), application: central)
            try world.perform(on: near) { host, now, actions throws(OrderError) in
                let parameters = AdvertisingParameters(interval: AdvertisingInterval(steps: 160)!)
                try host.startAdvertising(parameters, at: now, into: &actions)
            }
            world.run(for: .seconds(10))
            let address = try #require(world.publicAddress(of: near))
            try world.perform(on: far) { host, now, actions throws(OrderError) in
                try host.connect(to: address, at: now, into: &actions)
            }
            world.run(for: .seconds(1))
            #expect(central.connection == nil)
            world.move(far, to: .metres(x: 2))
            #expect(world.run(for: .seconds(5)) { central.connection != nil && peripheral.connection != nil })
            world.remove(near)
            #expect(world.run(for: .seconds(60)) { central.disconnection != nil })
        }
    }

    @Test("A raw radio hears every frame near it, in both modes alike")
    func rawRadio() throws {
        var counts: [Int] = []
        for air in AirMode.allCases {
            let (world, _, _) = try Self.row(1, air: air, metres: 1, scans: false)
            world.run(for: .seconds(1))
            let raw = world.addRawRadio(named: "raw", at: .metres(x: 1))
            raw.listen(on: ChannelIndex(38)!)
            world.run(for: .seconds(10))
            counts.append(raw.takeHeard().count)
        }
        #expect(counts[0] > 80 && counts[0] == counts[1], "\(counts)")
    }

    @Test("Whoever taps the world may move a scanner while what is near it is looked for", arguments: [false, true])
    func movedMeanwhile(asks: Bool) throws {
        let (world, scanner, recorder) = try Self.row(60, air: .crowd, metres: 10, asks: asks)
        // Far apart, and each with another number of squares around.
        let places = [0, 310, 65, 590].map { Position.metres(x: $0, y: 2) }
        var moves = 0
        let tap = FrameTap { _, _ in
            moves += 1
            world.move(scanner, to: places[moves % places.count])
        }
        world.tap = tap
        world.run(for: .seconds(10))
        let heard = Self.addresses(recorder).count
        #expect(moves > 300 && heard > 3, "\(moves) moves, \(heard) heard")
    }

    @Test("Whoever taps the world may move another scanner, or remove one, while everything reaches farther")
    func widenedMeanwhile() throws {
        for isRemoved in [false, true] {
            // So many that some are in the middle of a frame at any moment.
            let (world, scanner, _) = try Self.row(600, air: .crowd, metres: 1, interval: 32)
            let recorder = Recorder()
            // Far away, in cells that no other has made.
            let others = (0..<3).map { number in
                let place = Position.metres(x: 9_000, y: Double(number) * 500)
                return world.addDevice(named: "far \(number)", at: place, application: recorder)
            }
            for other in others {
                try world.perform(on: other) { host, now, actions throws(OrderError) in
                    try host.startScanning(ScanParameters(active: false), at: now, into: &actions)
                }
            }
            var isWidening = false, frames = 0
            let tap = FrameTap { _, _ in
                guard isWidening else { return }
                frames += 1
                if isRemoved {
                    if frames == 1 { world.remove(others[0]) }
                } else {
                    let x = frames % 2 == 0 ? 9_000.0 : 3_000.0
                    for other in others { world.move(other, to: .metres(x: x)) }
                }
            }
            world.tap = tap
            world.run(for: .milliseconds(100))
            for step in 0..<6 {
                world.run(for: .microseconds(700))
                isWidening = true
                world.setSensitivity(SignalStrength(dBm: -100 - Int8(4 * step)), of: scanner)
                isWidening = false
            }
            #expect(frames > 0)
            // Those who are left hear what comes near.
            world.move(others[1], to: .metres(x: 300))
            recorder.forget()
            world.run(for: .milliseconds(500))
            #expect(Self.addresses(recorder).count > 3)
        }
    }

    @Test(
        "Whoever taps the world may remove the sender of a frame, which then does not go out",
        arguments: AirMode.allCases
    )
    func senderRemoved(air: AirMode) throws {
        let (world, _, recorder) = try Self.row(20, air: air, metres: 2)
        var removed: Set<DeviceID> = []
        let tap = FrameTap { _, sender in
            guard removed.count < 10, removed.insert(sender).inserted else { return }
            world.remove(sender)
        }
        world.tap = tap
        world.run(for: .seconds(5))
        #expect(removed.count == 10)
        recorder.forget()
        world.run(for: .seconds(5))
        #expect(Self.addresses(recorder).count == 10)
    }

    @Test("The same seed gives the same digest in a crowd's air")
    func sameDigest() {
        func digest() -> TraceDigest {
            let scene = CrowdScene(.all, seed: 5, air: .crowd)
            scene.run()
            return scene.world.digest
        }
        #expect(digest() == digest())
    }
}

/// Counts in pairs of worlds, and whether they could be of one kind.
private struct Comparison: CustomStringConvertible {
    private var differences: [Double] = []
    private var total = 0.0

    mutating func add(_ count: Int, insteadOf usual: Int) {
        differences.append(Double(count - usual))
        total += Double(usual)
    }

    /// The sum of all differences as a share of all that was counted, and its standard error.
    private var share: (value: Double, error: Double) {
        let count = Double(differences.count), sum = differences.reduce(0, +), mean = sum / count
        let variance = differences.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
        return (sum / total, (variance * count).squareRoot() / total)
    }

    /// Whether the share is within three standard errors of 0: where there is no bias, in 997 of 1,000 cases.
    var mayBeEqual: Bool { share.value.magnitude <= 3 * share.error }

    var description: String { "\(share.value) ± \(share.error)" }
}
