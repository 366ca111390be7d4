import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatVirtualTime
import FuzzInputs
import Testing

@testable import BluethroatSimulation

@Suite("Advertising events that nobody hears")
struct UnheardEventTests {
    @Test("Computed at once, they leave the world as frame by frame")
    func law() {
        var atOnce = 0, others = 0
        for seed in 0..<UInt64(Effort.count(1_000, usually: 200)) {
            for kind in CrowdScene.Kind.allCases {
                let told = CrowdScene(kind, seed: seed, air: .exact)
                told.world.tap = SilentTap()
                let quick = CrowdScene(kind, seed: seed, air: .exact)
                var streams = [SeededRandom](repeating: SeededRandom(seed: seed, purpose: "parts of a run"), count: 2)
                for part in 0..<20 {
                    told.runOn(using: &streams[0])
                    quick.runOn(using: &streams[1])
                    guard View(quick) == View(told) else {
                        Issue.record("seed \(seed), \(kind), part \(part): \(View(quick)) is not \(View(told))")
                        return
                    }
                }
                #expect(told.world.state.unheardEventCount == 0)
                atOnce += quick.world.state.unheardEventCount
                others += quick.world.transmissionCount
            }
        }
        // Both ways were taken, many times.
        #expect(atOnce > 1_000 && others > 4 * atOnce, "\(atOnce), \(others)")
    }

    /// What can be seen from outside.
    private struct View: Equatable {
        let now: Instant
        let digest: TraceDigest
        let frames: Int
        let collisions: Collisions
        let reports: [[CrowdScene.Report]]

        init(_ scene: CrowdScene) {
            now = scene.world.now
            digest = scene.world.digest
            frames = scene.world.transmissionCount
            collisions = scene.world.collisions
            reports = scene.reports
        }
    }

    /// What advertisers are like: how they may be answered, and on how many channels they are.
    static let kinds: [(AdvertisingParameters.Kind, AdvertisingChannels)] = [
        (.connectable, .all), (.scannable, .all), (.nonConnectable, .all),
        (.connectable, AdvertisingChannels(rawValue: 0b100)),
        (.directedLowDuty(to: DeviceAddress(value: 0x1122_3344_5566, kind: .public)), .all),
    ]

    @Test("Of a device that is alone, each is computed at once", arguments: kinds)
    func alone(_ kind: AdvertisingParameters.Kind, _ channels: AdvertisingChannels) throws {
        let told = try Self.advertiser(kind, channels), quick = try Self.advertiser(kind, channels)
        told.world.tap = SilentTap()
        for world in [told.world, quick.world] { world.run(for: .seconds(20)) }
        #expect(
            quick.world.digest == told.world.digest && quick.world.transmissionCount == told.world.transmissionCount
        )
        let events = quick.world.transmissionCount / channels.rawValue.nonzeroBitCount
        #expect(events > 150)
        #expect(quick.world.state.unheardEventCount == events && told.world.state.unheardEventCount == 0)
    }

    @Test("Runs that end within one leave it to be gone on with")
    func middles() throws {
        let told = try Self.advertiser(), quick = try Self.advertiser()
        told.world.tap = SilentTap()
        for _ in 0..<2_000 {
            for world in [told.world, quick.world] { world.run(for: .microseconds(997)) }
            try #require(quick.world.digest == told.world.digest)
            try #require(quick.world.transmissionCount == told.world.transmissionCount)
        }
        // In the middle of some a run ended, of others none did.
        let events = told.world.transmissionCount / 3, atOnce = quick.world.state.unheardEventCount
        #expect(events > 15 && atOnce < events && atOnce > 0, "\(atOnce) of \(events)")
    }

    @Test("An application that has something to do in the middle of one is called in the middle")
    func application() throws {
        func world() throws -> (world: World, application: Punctual) {
            let world = World(seed: 5), application = Punctual(every: .microseconds(7_919))
            application.world = world
            let id = world.addDevice(named: "advertiser", application: application)
            try Self.advertise(id, in: world)
            return (world, application)
        }
        let told = try world(), quick = try world()
        told.world.tap = SilentTap()
        for world in [told.world, quick.world] { world.run(for: .seconds(30)) }
        #expect(quick.application.calls == told.application.calls && quick.application.calls.count > 3_000)
        // It counts what has been sent each time, which includes the frames of an event under way.
        #expect(Set(told.application.counts.map { $0 % 3 }).count == 3)
        #expect(quick.application.counts == told.application.counts)
        #expect(quick.world.digest == told.world.digest)
        #expect(quick.world.state.unheardEventCount > 100)
    }

    @Test("A duration that is over in the middle of one ends it there", arguments: 0..<40)
    func duration(_ number: Int64) throws {
        func end(_ tap: SilentTap?) throws -> (world: World, application: Recorder) {
            let world = World(seed: 5), application = Recorder()
            world.tap = tap
            let id = world.addDevice(named: "advertiser", application: application)
            try Self.advertise(id, in: world, for: .milliseconds(100) + .microseconds(331 * number))
            world.run(for: .seconds(1))
            return (world, application)
        }
        let told = try end(SilentTap()), quick = try end(nil)
        #expect(quick.world.digest == told.world.digest)
        #expect(quick.world.transmissionCount == told.world.transmissionCount)
        #expect("\(quick.application.events)" == "\(told.application.events)")
    }

    /// Something because of which each frame is computed.
    enum Witness: String, CaseIterable {
        case tap, scanner, rawRadio, condition
    }

    @Test(
        "Where somebody could hear it, or looks at the world in between, each frame is computed",
        arguments: Witness.allCases
    )
    func witnessed(_ witness: Witness) throws {
        let world = try Self.advertiser().world
        var radio: RawRadio?
        switch witness {
        case .tap: world.tap = SilentTap()
        case .scanner:
            let scanner = world.addDevice(named: "scanner", at: .metres(x: 2), application: Recorder())
            world.scan(scanner)
            world.run(for: .milliseconds(1))
        case .rawRadio:
            radio = world.addRawRadio(named: "raw", at: .metres(x: 2))
            radio?.listen(on: ChannelIndex(38)!, until: world.now + .seconds(10))
        case .condition: break
        }
        let before = (events: world.state.unheardEventCount, frames: world.transmissionCount)
        if witness == .condition { world.run(for: .seconds(5)) { false } } else { world.run(for: .seconds(5)) }
        #expect(world.state.unheardEventCount == before.events)
        #expect(world.transmissionCount > before.frames + 100)
        if let radio { #expect(radio.heard.count > 30) }
    }

    /// A device that advertises, alone in a world.
    private static func advertiser(
        _ kind: AdvertisingParameters.Kind = .connectable,
        _ channels: AdvertisingChannels = .all
    ) throws -> (world: World, id: DeviceID) {
        let world = World(seed: 3)
        let id = world.addDevice(named: "advertiser", application: Recorder())
        try advertise(id, in: world, kind, channels)
        return (world, id)
    }

    private static func advertise(
        _ id: DeviceID,
        in world: World,
        _ kind: AdvertisingParameters.Kind = .connectable,
        _ channels: AdvertisingChannels = .all,
        for duration: TimeSpan? = nil
    ) throws {
        var parameters = AdvertisingParameters(kind, interval: AdvertisingInterval(steps: 160)!)
        parameters.channels = channels
        parameters.duration = duration
        try world.perform(on: id) { [parameters] host, now, actions throws(OrderError) in
            try host.startAdvertising(parameters, at: now, into: &actions)
        }
    }
}

/// Does something again and again.
private final class Punctual: HostApplication {
    private let span: TimeSpan
    private(set) var calls: [Instant] = []
    private(set) var counts: [Int] = []
    private(set) var nextDeadline: Instant? = .zero
    weak var world: World?

    init(every span: TimeSpan) { self.span = span }

    func start(host: Host, at now: Instant, into actions: inout HostActions) { host.powerOn(at: now, into: &actions) }
    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {}

    func expire(host: Host, at now: Instant, into actions: inout HostActions) {
        calls.append(now)
        if let world { counts.append(world.transmissionCount) }
        nextDeadline = now + span
    }
}
