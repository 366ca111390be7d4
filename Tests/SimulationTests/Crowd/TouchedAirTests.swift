import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// Whoever taps a crowd's air, or is called back in it, may touch any device at any moment.
@Suite("A crowd's air, touched in the middle")
struct TouchedAirTests {
    // MARK: Taps

    /// Advertisers side by side, three of whose frames are under way on each channel at any moment.
    private static func crowd(of count: Int, in world: World) throws {
        for number in 0..<count {
            let place = Position.metres(x: Double(number) * 60 / Double(count))
            try addBeacon("\(number)", at: place, to: world, kind: .connectable)
        }
    }

    @discardableResult
    private static func addBeacon(
        _ name: String,
        at place: Position,
        to world: World,
        kind: AdvertisingParameters.Kind = .nonConnectable,
        channels: UInt8 = 7
    ) throws -> DeviceID {
        let id = world.addDevice(named: name, at: place, application: Recorder())
        try advertise(id, in: world, kind: kind, channels: channels)
        return id
    }

    private static func advertise(
        _ id: DeviceID,
        in world: World,
        kind: AdvertisingParameters.Kind = .nonConnectable,
        channels: UInt8 = 7
    ) throws {
        var parameters = AdvertisingParameters(kind, interval: AdvertisingInterval(steps: 32)!)
        parameters.channels = AdvertisingChannels(rawValue: channels)
        try world.perform(on: id) { host, now, actions throws(OrderError) in
            try host.startAdvertising(parameters, at: now, into: &actions)
        }
    }

    private static func scan(_ id: DeviceID, in world: World, active: Bool = false, steps: UInt16 = 16) throws {
        let timing = ScanTiming(intervalSteps: steps, windowSteps: steps)!
        try world.perform(on: id) { host, now, actions throws(OrderError) in
            try host.startScanning(ScanParameters(active: active, timing: timing), at: now, into: &actions)
        }
    }

    /// What a tap does to a device.
    enum Touch: CaseIterable {
        case stop
        case remove
    }

    @Test("A tap may stop or remove a scanner as it begins to listen", arguments: Touch.allCases)
    func scanner(touch: Touch) throws {
        let world = World(seed: 3, air: .crowd), recorder = Recorder()
        try Self.crowd(of: 600, in: world)
        let scanner = world.addDevice(named: "scanner", application: recorder)
        world.run(for: .milliseconds(100))
        var touches = 0
        let tap = FrameTap { frame, _ in
            // One that is under way already is put on the air for the scanner's sake.
            guard frame.start < world.now, touches == 0 else { return }
            touches += 1
            switch touch {
            case .stop: world.perform(on: scanner) { try? $0.stopScanning(at: $1, into: &$2) }
            case .remove: world.remove(scanner)
            }
        }
        world.tap = tap
        try Self.scan(scanner, in: world)
        world.run(for: .seconds(1))
        #expect(touches == 1 && recorder.reports.isEmpty)
    }

    @Test(
        "A tap may stop or remove an advertiser that is louder than all before as it begins",
        arguments: Touch.allCases
    )
    func loud(touch: Touch) throws {
        let world = World(seed: 3, air: .crowd)
        try Self.crowd(of: 300, in: world)
        let scanner = world.addDevice(named: "scanner", at: .metres(x: -100), application: Recorder())
        world.run(for: .milliseconds(100))
        try Self.scan(scanner, in: world)
        world.run(for: .milliseconds(100))
        var configuration = ControllerConfiguration(publicAddress: world.defaultAddress(of: world.nextID.rawValue))
        configuration.transmitPower = SignalStrength(dBm: 20)
        let loud = world.addDevice(
            named: "loud",
            controller: configuration,
            at: .metres(x: 5),
            application: Recorder()
        )
        var touches = 0, frames = 0
        let tap = FrameTap { frame, sender in
            if sender == loud { frames += 1 }
            guard frame.start < world.now, touches == 0 else { return }
            touches += 1
            switch touch {
            case .stop: world.perform(on: loud) { try? $0.stopAdvertising(at: $1, into: &$2) }
            case .remove: world.remove(loud)
            }
        }
        world.tap = tap
        try Self.advertise(loud, in: world)
        world.run(for: .seconds(1))
        #expect(touches == 1 && frames == 0)
    }

    @Test("A tap may remove an advertiser that is being removed, or moved, in the middle of a frame")
    func removedTwice() throws {
        var touches = 0
        for step in 0..<Int64(200) {
            let world = World(seed: 3, air: .crowd)
            let id = try Self.addBeacon("beacon", at: .origin, to: world)
            world.run(for: .milliseconds(500) + .microseconds(100 * step))
            let tap = FrameTap { _, sender in
                touches += 1
                world.remove(sender)
            }
            world.tap = tap
            if step % 2 == 0 { world.remove(id) } else { world.move(id, to: .metres(x: 1)) }
            world.remove(id)
            let other = try Self.addBeacon("other", at: .origin, to: world)
            world.tap = nil
            let before = world.transmissionCount
            world.run(for: .seconds(1))
            #expect(world.transmissionCount > before + 90 && world.name(of: other) == "other")
        }
        #expect(touches > 0)
    }

    @Test("Where a tap removes a scanner, what others hear is as if somebody else had done it")
    func othersHear() throws {
        var removals = 0
        for seed in 0..<UInt64(60) {
            func scene(_ air: AirMode) throws -> (World, scanners: [DeviceID], Recorder) {
                let world = World(seed: seed, propagation: Propagation(shadowing: 0), air: air), recorder = Recorder()
                let scanners = [
                    world.addDevice(named: "first", application: Recorder()),
                    world.addDevice(named: "second", at: .metres(x: 60), application: recorder),
                ]
                for number in 0..<30 {
                    let place = Position.metres(x: Double(number) * 10 - 120, y: 3)
                    try Self.addBeacon("\(number)", at: place, to: world, channels: 1)
                }
                world.run(for: .milliseconds(1))
                for scanner in scanners { try Self.scan(scanner, in: world) }
                return (world, scanners, recorder)
            }
            let (crowd, scanners, heard) = try scene(.crowd)
            var removal: Instant?
            let tap = FrameTap { frame, _ in
                guard crowd.now > .zero + .milliseconds(100), frame.start < crowd.now, removal == nil else { return }
                removal = crowd.now
                crowd.remove(scanners[0])
            }
            crowd.tap = tap
            crowd.run(for: .milliseconds(400))
            guard let removal else { continue }
            removals += 1
            let (exact, others, expected) = try scene(.exact)
            exact.run(until: removal - .nanoseconds(1))
            exact.remove(others[0])
            exact.run(until: crowd.now)
            #expect(heard.reports == expected.reports, "seed \(seed)")
        }
        #expect(removals > 30, "\(removals)")
    }

    // MARK: In the same instant

    /// Does something with each report.
    private final class Listener: HostApplication {
        var onReport: (AdvertisingReport) -> Void = { _ in }

        func start(host: Host, at now: Instant, into actions: inout HostActions) {
            host.powerOn(at: now, into: &actions)
        }

        func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
            if case .advertisingReport(let report) = event { onReport(report) }
        }

        var nextDeadline: Instant? { nil }
        func expire(host: Host, at now: Instant, into actions: inout HostActions) {}
    }

    /// What one does who has heard a beacon, in the instant in which the beacon's next frame begins.
    enum Answer: CaseIterable {
        case loss
        case moveBeacon
        case moveScanner
    }

    @Test(
        "What is done as a beacon is heard comes after its next frame has begun, as in exact air",
        arguments: Answer.allCases
    )
    func nextFrame(answer: Answer) throws {
        var heard: [[Instant]] = []
        for air in AirMode.allCases {
            let world = World(seed: 3, propagation: Propagation(shadowing: 0), air: air)
            let near = Position.metres(x: 5), far = Position.metres(x: 5_000)
            let beacon = try Self.addBeacon("beacon", at: .origin, to: world)
            let listener = Listener(), recorder = Recorder()
            let first = world.addDevice(named: "first", at: near, application: listener)
            let second = world.addDevice(named: "second", at: near, application: recorder)
            world.run(for: .milliseconds(1))
            // The second one has come to channel 38 when the first one begins with 37.
            try Self.scan(second, in: world, steps: 0x4000)
            world.run(until: .zero + .milliseconds(10_300))
            recorder.forget()
            try Self.scan(first, in: world, steps: 0x4000)
            var isOff = false
            listener.onReport = { _ in
                isOff.toggle()
                switch answer {
                case .loss: world.setLoss(isOff ? .always : .never, from: beacon, to: second)
                case .moveBeacon:
                    world.move(beacon, to: far)
                    world.schedule(at: world.now + .milliseconds(5)) { $0.move(beacon, to: .origin) }
                case .moveScanner: world.move(second, to: isOff ? far : near)
                }
            }
            world.run(until: .zero + .milliseconds(20_400))
            heard.append(recorder.events.map(\.instant))
        }
        #expect(heard[0] == heard[1])
        #expect(heard[0].count > 100, "\(heard[0].count)")
    }

    @Test("Who is asked, or asks, and moves before the request, is disturbed by what is near it then")
    func movesBeforeTheRequest() throws {
        var answers = (exact: 0, crowd: 0)
        for seed in 0..<UInt64(20) {
            for air in AirMode.allCases {
                let world = World(seed: seed, propagation: Propagation(shadowing: 0), air: air)
                let home = Position.metres(x: -60), away = Position.metres(x: 60), listener = Listener()
                let asked = try Self.addBeacon("asked", at: home, to: world, kind: .scannable, channels: 1)
                for number in 0..<8 {
                    let place = Position.metres(x: 80, y: Double(number) / 10)
                    try Self.addBeacon("\(number)", at: place, to: world, channels: 1)
                }
                let scanner = world.addDevice(named: "scanner", application: listener)
                world.run(for: .milliseconds(1))
                try Self.scan(scanner, in: world, active: true)
                var count = 0
                listener.onReport = { report in
                    if report.kind == .scanResponse { count += 1 }
                    guard report.kind == .scannable else { return }
                    world.schedule(at: world.now + .microseconds(50)) { $0.move(asked, to: away) }
                    world.schedule(at: world.now + .milliseconds(5)) { $0.move(asked, to: home) }
                }
                world.run(for: .seconds(2))
                if air == .exact { answers.exact += count } else { answers.crowd += count }
            }
        }
        #expect(answers.exact > 200 && abs(answers.exact - answers.crowd) * 10 < answers.exact, "\(answers)")
    }
}
