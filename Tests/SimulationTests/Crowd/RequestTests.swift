import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@Suite("Scan requests in a crowd's air")
struct RequestTests {
    private static let seeds = 0..<UInt64(600)

    @Test(
        "An advertiser that is asked, and stopped, changed, moved, removed or connected to, is where it would be"
    )
    func touchedAtAnyMoment() {
        // With one advertiser no stranger's frame can come in the place of an answer, so that both kinds of air agree in each
        // frame.
        var responses = 0, connections = 0, touches = 0, frames = (exact: 0, crowd: 0)
        for seed in Self.seeds {
            let exact = AskedAdvertiser(seed: seed, air: .exact), crowd = AskedAdvertiser(seed: seed, air: .crowd)
            exact.run()
            crowd.run(touchedAt: exact.moments)
            #expect(exact.heard == crowd.heard, "seed \(seed)")
            #expect(exact.world.transmissionCount == crowd.world.transmissionCount, "seed \(seed)")
            responses += crowd.heard.count { $0.kind == .scanResponse }
            connections += crowd.connections
            touches += crowd.touches
            frames.exact += exact.frames
            frames.crowd += crowd.frames
        }
        #expect(responses > 4_000 && connections > 20 && touches > 2_000, "\(responses), \(connections), \(touches)")
        // What follows on an answer is computed only where somebody listens.
        #expect(frames.crowd * 10 < frames.exact * 9, "\(frames)")
    }

    @Test(
        "In a divided world it makes no difference whether advertisers matter to another part, and are all computed"
    )
    func divided() {
        var responses = 0
        for seed in Self.seeds.prefix(300) {
            let told = AskedAdvertiser(seed: seed, air: .crowd, isDivided: true, others: 4)
            let quiet = AskedAdvertiser(seed: seed, air: .crowd, isDivided: true, others: 4)
            told.world.tellAdvertisements(where: { _ in true }, newIn: [])
            told.run()
            quiet.run(touchedAt: told.moments)
            #expect(told.heard == quiet.heard, "seed \(seed)")
            #expect(told.world.transmissionCount == quiet.world.transmissionCount, "seed \(seed)")
            #expect(told.frames > quiet.frames, "seed \(seed)")
            responses += quiet.heard.count { $0.kind == .scanResponse }
        }
        #expect(responses > 1_000, "\(responses)")
    }

    /// What a tap has an advertiser do as one of its frames begins.
    enum Touch: CaseIterable {
        case change
        case stop
        case remove
    }

    @Test(
        "Whoever taps the world may change, stop or remove an advertiser as its frames begin",
        arguments: Touch.allCases,
        [false, true]
    )
    func touchedAsItBegins(touch: Touch, isDivided: Bool) throws {
        let room = try TappedRoom(isDivided: isDivided)
        room.touch(touch)
        room.world.run(for: .seconds(2))
        #expect(room.hears(.scanResponse) && room.hears(.connectable))
        room.recorder.forget()
        room.world.run(for: .seconds(5))
        #expect(room.types == (touch == .change ? [.advInd, .scanRsp] : [.scanRsp]), "\(room.types)")
        #expect(room.hears(.scanResponse) == (touch == .change) && room.hears(.connectable) == (touch == .change))
    }

    @Test(
        "In a divided world a response is broken off whose advertiser a tap stops or removes, whether another part is told or not",
        arguments: [Touch.stop, .remove]
    )
    func brokenOffAsItBegins(touch: Touch) throws {
        let told = try TappedRoom(isDivided: true, isTold: true), quiet = try TappedRoom(isDivided: true)
        for room in [told, quiet] {
            room.touch(touch)
            room.world.run(for: .seconds(4))
        }
        #expect(quiet.responsesHeard == quiet.responsesSent - 1, "\(quiet.responsesHeard)")
        #expect(told.recorder.reports == quiet.recorder.reports)
        #expect(told.responsesSent == quiet.responsesSent && quiet.responsesSent > 3, "\(quiet.responsesSent)")
    }

    @Test(
        "A power that an application asks for while others compute its advertising counts from the first request on"
    )
    func power() throws {
        let world = World(seed: 3, propagation: Propagation(shadowing: 0), air: .crowd)
        let application = LoudApplication(), recorder = Recorder()
        let advertiser = world.addDevice(named: "advertiser", application: application)
        let scanner = world.addDevice(named: "scanner", at: .metres(x: 5), application: recorder)
        world.run(for: .milliseconds(1))
        try world.perform(on: scanner) { host, now, actions throws(OrderError) in
            try host.startScanning(ScanParameters(active: true), at: now, into: &actions)
        }
        let parameters = AdvertisingParameters(interval: AdvertisingInterval(steps: 160)!)
        try world.perform(on: advertiser) { host, now, actions throws(OrderError) in
            try host.startAdvertising(parameters, at: now, into: &actions)
        }
        func strengths() -> Set<SignalStrength> {
            recorder.forget()
            world.run(for: .seconds(10))
            return Set(recorder.reports.compactMap(\.signalStrength))
        }
        let usual = strengths()
        application.transmitPower = SignalStrength(dBm: -10)
        world.run(for: .seconds(10))
        let faint = strengths()
        #expect(usual.count == 1 && faint.count == 1 && faint != usual, "\(usual), \(faint)")
    }
}

/// An advertiser, one who scans and asks, and a tap that does something to the advertiser as a frame of it begins.
private final class TappedRoom {
    let world = World(seed: 7, air: .crowd)
    let recorder = Recorder()
    /// The frames with which something was done.
    private(set) var types: Set<AdvertisingPDUType> = []
    private(set) var responsesSent = 0
    private let advertiser: DeviceID
    private var touches = 0
    private var tap: FrameTap?

    /// - Parameter isTold: whether all that is advertised matters to another part.
    init(isDivided: Bool, isTold: Bool = false) throws {
        if isDivided { world.shareAir(delay: .microseconds(150)) }
        if isTold { world.tellAdvertisements(where: { _ in true }, newIn: []) }
        advertiser = world.addController(named: "advertiser", at: .metres(x: 3)) { _ in }
        let commands = [
            Command(LESetAdvertisingParameters(minimumInterval: 32, maximumInterval: 32)),
            Command(LESetScanResponseData(data: [2, 0x0a, 0])), Command(LESetAdvertisingEnable(isEnabled: true)),
        ]
        for command in commands { world.receive(hci: command.packet(), for: advertiser) }
        let scanner = world.addDevice(named: "scanner", application: recorder)
        world.run(for: .milliseconds(1))
        try world.perform(on: scanner) { host, now, actions throws(OrderError) in
            try host.startScanning(ScanParameters(active: true), at: now, into: &actions)
        }
    }

    /// Has the tap do something after half a second: one response is enough to stop an advertiser or to remove it; it is changed
    /// with many frames of all kinds.
    func touch(_ touch: RequestTests.Touch) {
        let tap = FrameTap { [unowned self] transmission, sender in
            guard sender == advertiser else { return }
            let type = AirFrame.advertisingHeader(of: transmission.frame).type
            if type == .scanRsp { responsesSent += 1 }
            guard world.now > .zero + .milliseconds(500) else { return }
            guard touch == .change ? touches < 40 : touches == 0 && type == .scanRsp else { return }
            touches += 1
            types.insert(type)
            switch touch {
            case .change:
                let data = [UInt8](repeating: UInt8(touches), count: touches % 31)
                world.receive(hci: Command(LESetAdvertisingData(data: data)).packet(), for: advertiser)
            case .stop:
                world.receive(hci: Command(LESetAdvertisingEnable(isEnabled: false)).packet(), for: advertiser)
            case .remove: world.remove(advertiser)
            }
        }
        self.tap = tap
        world.tap = tap
    }

    func hears(_ kind: AdvertisingReport.Kind) -> Bool { recorder.reports.contains { $0.kind == kind } }

    var responsesHeard: Int { recorder.reports.count { $0.kind == .scanResponse } }
}

/// An application that sets its radio's power.
private final class LoudApplication: HostApplication {
    var transmitPower: SignalStrength?

    func start(host: Host, at now: Instant, into actions: inout HostActions) { host.powerOn(at: now, into: &actions) }
    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {}
    var nextDeadline: Instant? { nil }
    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}
}

/// One advertiser, some who scan and ask, one who may connect, and somebody who does things to the advertiser at moments that
/// are mostly within an advertising event.
final class AskedAdvertiser {
    struct Heard: Hashable {
        let scanner: Int
        let instant: Instant
        let kind: AdvertisingReport.Kind
        let data: [UInt8]
        let strength: SignalStrength?
    }

    let world: World
    private(set) var connections = 0
    private(set) var touches = 0
    /// When somebody did something to it.
    private(set) var moments: [Instant] = []
    private var random: SeededRandom
    private let advertiser: DeviceID
    private let scanners: [(id: DeviceID, events: Recorder)]
    private let counter = ComputedFrames()
    private let parameters: AdvertisingParameters

    init(seed: UInt64, air: AirMode, isDivided: Bool = false, others: Int = 0) {
        world = World(seed: seed, air: air)
        if isDivided { world.shareAir(delay: .microseconds(150)) }
        world.tap = counter
        random = SeededRandom(seed: seed, purpose: "an advertiser that is asked")
        func drift(_ random: inout SeededRandom) -> ClockDrift {
            guard random.next(below: 3) == 0 else { return .none }
            return ClockDrift(partsPerMillion: Int64(random.next(below: 400)) - 200)!
        }
        if random.next(below: 3) == 0 { world.setLossEverywhere(.percent(Int32(random.next(below: 30)))) }
        let peripheral = Recorder()
        advertiser = world.addDevice(named: "advertiser", drift: drift(&random), application: peripheral)
        var scanners: [(DeviceID, Recorder)] = []
        for number in 0...Int(random.next(below: 3)) {
            let recorder = Recorder(), place = Position.metres(x: 1 + Double(random.next(below: 60)))
            scanners.append(
                (
                    world.addDevice(
                        named: "scanner \(number)",
                        at: place,
                        drift: drift(&random),
                        application: recorder
                    ), recorder
                )
            )
        }
        self.scanners = scanners
        let kind: AdvertisingParameters.Kind = random.next(below: 3) == 0 ? .scannable : .connectable
        var parameters = AdvertisingParameters(
            kind,
            interval: AdvertisingInterval(steps: UInt16(32 + random.next(below: 80)))!
        )
        if random.next(below: 3) == 0 {
            parameters.channels = AdvertisingChannels(rawValue: UInt8(1 + random.next(below: 7)))
        }
        self.parameters = parameters
        if random.next(below: 3) == 0 { addCentral(to: peripheral) }
        for number in 0..<others { addStranger(number) }
    }

    var frames: Int { counter.count }

    var heard: [Heard] {
        scanners.enumerated().flatMap { number, scanner in
            scanner.events.events.compactMap { instant, event in
                guard case .advertisingReport(let it) = event else { return nil }
                return Heard(
                    scanner: number,
                    instant: instant,
                    kind: it.kind,
                    data: it.data,
                    strength: it.signalStrength
                )
            }
        }
    }

    /// Somebody who advertises, too, and is left alone.
    private func addStranger(_ number: Int) {
        let place = Position.metres(x: Double(random.next(below: 60)), y: 5)
        let id = world.addDevice(named: "stranger \(number)", at: place, application: Recorder())
        world.schedule(at: world.now + random.span(upTo: .milliseconds(50))) { [parameters] world in
            world.perform(on: id) { host, now, actions in
                try? host.startAdvertising(parameters, at: now, into: &actions)
            }
        }
    }

    private func addCentral(to peripheral: Recorder) {
        let recorder = Recorder(), id = world.addDevice(named: "central", at: .metres(x: 3), application: recorder)
        let begin = Instant.zero + .milliseconds(100) + random.span(upTo: .milliseconds(400))
        guard let peer = world.publicAddress(of: advertiser) else { return }
        world.schedule(at: begin) { world in
            world.perform(on: id) { host, now, actions in try? host.connect(to: peer, at: now, into: &actions) }
        }
        world.schedule(at: begin + .milliseconds(300)) { [unowned self] _ in
            if recorder.connection != nil, peripheral.connection != nil { connections += 1 }
        }
    }

    /// - Parameter moments: when somebody does something; nil for moments within what follows on a frame.
    func run(touchedAt given: [Instant]? = nil) {
        world.run(for: .milliseconds(1))
        advertise()
        for scanner in scanners {
            let timing = ScanTiming(intervalSteps: 48, windowSteps: random.next(below: 2) == 0 ? 48 : 20)!
            world.perform(on: scanner.id) { host, now, actions in
                try? host.startScanning(ScanParameters(active: true, timing: timing), at: now, into: &actions)
            }
        }
        for number in 0..<8 {
            let pause = TimeSpan.milliseconds(20) + random.span(upTo: .milliseconds(100))
            let past = random.span(upTo: .milliseconds(3))
            if let given {
                world.run(until: given[number])
            } else {
                world.run(for: pause)
                // To a frame, and on to a moment within what follows on it.
                let before = frames
                _ = world.run(for: .milliseconds(150)) { [counter] in counter.count > before }
                world.run(for: past)
            }
            moments.append(world.now)
            touch()
        }
        world.run(for: .milliseconds(200))
    }

    private func touch() {
        touches += 1
        switch random.next(below: 8) {
        case 0...2:
            world.perform(on: advertiser) { host, now, actions in
                try? host.stopAdvertising(at: now, into: &actions)
            }
            advertise()
        case 3:
            world.perform(on: advertiser) { host, now, actions in
                try? host.stopAdvertising(at: now, into: &actions)
            }
            world.run(for: random.span(upTo: .milliseconds(2)))
            advertise()
        case 4, 5: world.move(advertiser, to: .metres(x: Double(random.next(below: 4)), y: 1))
        case 6: world.move(scanners[0].id, to: .metres(x: Double(random.next(below: 60)), y: 1))
        default: if random.next(below: 8) == 0 { world.remove(advertiser) }
        }
    }

    private func advertise() {
        let data = AdvertisingData([.init(.manufacturerSpecific, random.bytes(Int(random.next(below: 20))))])
        let more = AdvertisingData([.init(.serviceData16, random.bytes(2 + Int(random.next(below: 20))))])
        world.perform(on: advertiser) { [parameters] host, now, actions in
            try? host.startAdvertising(parameters, data: data, scanResponse: more, at: now, into: &actions)
        }
    }
}
