import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime

/// A small random world: advertisers that change what they say, scanners, centrals that connect, and people who move. The
/// same seed gives the same world in both modes.
final class CrowdScene {
    /// What advertisers allow.
    enum Kind: CaseIterable {
        /// Beacons: nobody asks them anything.
        case beacons
        /// All kinds, and centrals that connect to some of them.
        case all
    }

    /// What a scanner reports.
    struct Report: Hashable {
        let instant: Instant
        let address: DeviceAddress
        let kind: AdvertisingReport.Kind
        let data: [UInt8]
        let strength: SignalStrength?
    }

    let world: World
    /// What each scanner reported, in order.
    private(set) var reports: [[Report]] = []
    /// How many connections were made.
    private(set) var connections = 0
    private var random: SeededRandom
    private let kind: Kind
    private var advertisers: [DeviceID] = []
    private var listeners: [DeviceID] = []
    /// The side of the square in mm.
    private let side: UInt64
    /// Of this many reports one is kept back, to see whether that would be noticed; nil for none.
    private let lost: Int?

    static let length = TimeSpan.seconds(3)

    init(_ kind: Kind, seed: UInt64, air: AirMode, losingOneOf lost: Int? = nil) {
        self.kind = kind
        self.lost = lost
        world = World(seed: seed, air: air)
        random = SeededRandom(seed: seed, purpose: "crowd scene")
        side = 1_000 * [10, 60, 150, 400, 1_000][Int(random.next(below: 5))]
        if random.next(below: 3) == 0 { world.setLossEverywhere(.percent(Int32(random.next(below: 30)))) }
        for number in 0..<(2 + Int(random.next(below: 14))) { addAdvertiser(number) }
        for number in 0..<(1 + Int(random.next(below: 3))) { addScanner(number) }
        if kind == .all, random.next(below: 2) == 0 { addCentral() }
        move()
    }

    /// To the end.
    func run() { world.run(for: Self.length) }

    /// For a part that ends anywhere, also in the middle of a frame; somebody may do something then, from outside.
    func runOn(using random: inout SeededRandom) {
        world.run(for: random.span(upTo: .milliseconds(random.next(below: 3) == 0 ? 5 : 300)))
        let number = Int(random.next(below: UInt64(4 * advertisers.count)))
        guard number < advertisers.count else { return }
        let id = advertisers[number], isMove = random.next(below: 3) == 0
        if isMove { return world.move(id, to: Position(x: Int32(random.next(below: side)), y: 0)) }
        world.perform(on: id) { host, now, actions in try? host.stopAdvertising(at: now, into: &actions) }
    }

    private func place() -> Position {
        Position(x: Int32(random.next(below: side)), y: Int32(random.next(below: side)))
    }

    private func drift() -> ClockDrift {
        guard random.next(below: 3) == 0 else { return .none }
        return ClockDrift(partsPerMillion: Int64(random.next(below: 400)) - 200)!
    }

    // MARK: Advertisers

    private func addAdvertiser(_ number: Int) {
        let id = world.addDevice(named: "advertiser \(number)", at: place(), drift: drift(), application: Recorder())
        advertisers.append(id)
        let kinds: [AdvertisingParameters.Kind] = [.nonConnectable, .connectable, .scannable]
        var parameters = AdvertisingParameters(
            kind == .beacons ? .nonConnectable : kinds[Int(random.next(below: 3))],
            interval: AdvertisingInterval(steps: UInt16(160 + random.next(below: 200)))!
        )
        if random.next(below: 4) == 0 {
            parameters.channels = AdvertisingChannels(rawValue: UInt8(1 + random.next(below: 7)))
        }
        if random.next(below: 6) == 0 { parameters.duration = .milliseconds(Int64(500 + random.next(below: 2_000))) }
        var stream = SeededRandom(seed: world.seed, device: UInt64(number), purpose: "what an advertiser says")
        world.schedule(at: world.now + stream.span(upTo: .milliseconds(200))) { [unowned self] _ in
            advertise(id, parameters, stream)
        }
        if random.next(below: 8) == 0 {
            let end = world.now + random.span(upTo: Self.length)
            world.schedule(at: end) { world in world.remove(id) }
        }
    }

    /// Says something, and something else later.
    private func advertise(_ id: DeviceID, _ parameters: AdvertisingParameters, _ stream: SeededRandom) {
        var stream = stream
        let size = Int(stream.next(below: 20))
        let data = AdvertisingData([.init(.manufacturerSpecific, stream.bytes(size))])
        let more = AdvertisingData([.init(.serviceData16, stream.bytes(4))])
        world.perform(on: id) { host, now, actions in
            try? host.startAdvertising(parameters, data: data, scanResponse: more, at: now, into: &actions)
        }
        guard stream.next(below: 3) > 0 else { return }
        let change = world.now + .milliseconds(300) + stream.span(upTo: .seconds(1))
        world.schedule(at: change) { [unowned self] world in
            world.perform(on: id) { host, now, actions in
                try? host.stopAdvertising(at: now, into: &actions)
            }
            var pause = stream
            let again = world.now + pause.span(upTo: .milliseconds(20))
            world.schedule(at: again) { [unowned self] _ in advertise(id, parameters, pause) }
        }
    }

    // MARK: Those who hear

    private func addScanner(_ number: Int) {
        let place = reports.count
        reports.append([])
        let application = ReportingScanner { [unowned self] report, now in
            guard lost.map({ count(place) % $0 != 0 }) ?? true else { return }
            reports[place].append(
                Report(
                    instant: now,
                    address: report.address,
                    kind: report.kind,
                    data: report.data,
                    strength: report.signalStrength
                )
            )
        }
        let id = world.addDevice(named: "scanner \(number)", at: self.place(), drift: drift(), application: application)
        listeners.append(id)
        let interval = UInt16(16 + random.next(below: 200))
        let window = random.next(below: 2) == 0 ? interval : max(4, interval / UInt16(2 + random.next(below: 4)))
        var parameters = ScanParameters(
            active: random.next(below: 2) == 0,
            timing: ScanTiming(intervalSteps: interval, windowSteps: window)!
        )
        if random.next(below: 4) == 0 { parameters.duration = .milliseconds(Int64(500 + random.next(below: 1_500))) }
        let begin = world.now + random.span(upTo: .milliseconds(500))
        world.schedule(at: begin) { [parameters] world in
            world.perform(on: id) { host, now, actions in
                try? host.startScanning(parameters, at: now, into: &actions)
            }
        }
        guard random.next(below: 3) == 0 else { return }
        let pause = begin + .milliseconds(700) + random.span(upTo: .milliseconds(300))
        world.schedule(at: pause) { world in
            world.perform(on: id) { host, now, actions in try? host.stopScanning(at: now, into: &actions) }
        }
        world.schedule(at: pause + .milliseconds(250)) { [parameters] world in
            world.perform(on: id) { host, now, actions in
                try? host.startScanning(parameters, at: now, into: &actions)
            }
        }
    }

    private var counts: [Int: Int] = [:]
    private func count(_ place: Int) -> Int {
        counts[place, default: 0] += 1
        return counts[place]!
    }

    /// A central that connects to one advertiser after the other, and leaves each after a while.
    private func addCentral() {
        let application = Recorder()
        let id = world.addDevice(named: "central", at: place(), application: application)
        let peers = advertisers.compactMap { world.publicAddress(of: $0) }
        for (number, peer) in peers.prefix(4).enumerated() {
            let begin = Instant.zero + .milliseconds(400 + 600 * Int64(number))
            world.schedule(at: begin) { world in
                world.perform(on: id) { host, now, actions in try? host.connect(to: peer, at: now, into: &actions) }
            }
            world.schedule(at: begin + .milliseconds(500)) { [unowned self] world in
                let isConnected = application.connection.map { $0.peer == peer } ?? false
                if isConnected { connections += 1 }
                world.perform(on: id) { host, now, actions in
                    if isConnected, let connection = application.connection {
                        try? host.disconnect(connection.id, at: now, into: &actions)
                    } else {
                        try? host.cancelConnect(at: now, into: &actions)
                    }
                }
            }
        }
    }

    // MARK: Moving

    /// Now and then somebody is somewhere else: a step away, or anywhere.
    private func move() {
        guard random.next(below: 3) > 0 else { return }
        var stream = SeededRandom(seed: world.seed, purpose: "moves in a crowd scene")
        for _ in 0..<30 {
            let all = advertisers + listeners
            let id = all[Int(stream.next(below: UInt64(all.count)))]
            let isJump = stream.next(below: 4) == 0
            let place = Position(x: Int32(stream.next(below: side)), y: Int32(stream.next(below: side)))
            let step = (x: Int32(stream.next(below: 4_001)) - 2_000, y: Int32(stream.next(below: 4_001)) - 2_000)
            world.schedule(at: world.now + stream.span(upTo: Self.length)) { world in
                guard let old = world.position(of: id) else { return }
                world.move(id, to: isJump ? place : Position(x: old.x + step.x, y: old.y + step.y))
            }
        }
    }
}

/// Switches its host on, and hands on what it is told.
private final class ReportingScanner: HostApplication {
    private let hear: (AdvertisingReport, Instant) -> Void

    init(_ hear: @escaping (AdvertisingReport, Instant) -> Void) { self.hear = hear }

    func start(host: Host, at now: Instant, into actions: inout HostActions) { host.powerOn(at: now, into: &actions) }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        if case .advertisingReport(let report) = event { hear(report, now) }
    }

    var nextDeadline: Instant? { nil }
    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}
}
