import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatHost

@Suite("Deadlines of a host")
struct DeadlineTests {
    /// The earliest entry of all tables of timers that a host has.
    static func earliest(_ host: Host) -> Instant? {
        var all = [host.core.pipeline.nextDeadline]
        guard host.core.controller.phase == .up else { return all[0] }
        all += [
            host.core.gap.advertiser.deadlines.next, host.core.gap.scanner.deadlines.next,
            host.core.gap.initiator.deadlines.next,
        ]
        for slot in host.openSlots { all.append(host.core.links[slot].deadlines.next) }
        return all.compactMap { $0 }.min()
    }

    @Test("A deadline that is armed is a deadline that wakes, whatever two hosts do")
    func armedIsWoken() throws {
        var kinds: Set<String> = []
        for seed in 1...24 as ClosedRange<UInt64> {
            var world = RandomHosts(seed: seed)
            for _ in 0..<400 {
                world.step()
                for end in HostPair.bothEnds {
                    let host = world.pair[keyPath: end].host
                    #expect(host.nextDeadline == Self.earliest(host), "seed \(seed)")
                }
                let isAwake = world.wake()
                #expect(isAwake, "seed \(seed): a host asks to be woken at one instant without end")
                guard isAwake else { return }
            }
            kinds.formUnion(world.kinds)
        }
        #expect(kinds.count == 9, "only \(kinds.sorted()) were ever armed")
    }

    @Test("An application that never answers a read is given up after 30 s: the host wakes and disconnects")
    func unansweredRead() throws {
        var bench = HostBench.up()
        _ = try bench.order { host, now, actions throws(DatabaseError) in
            try host.addServices(SampleDatabase.services, at: now, into: &actions)
        }
        let connection = bench.connected()
        bench.run(for: .seconds(5))
        // ATT_READ_REQ of the value that the application has.
        bench.receiveFrame([0x0A, 0x21, 0x00], channel: 0x0004, on: connection)
        let asked = bench.takeEvents().contains { if case .server(.readRequested) = $0 { true } else { false } }
        #expect(asked)
        #expect(bench.host.nextDeadline == bench.now + .seconds(30))
        bench.run(for: .milliseconds(29_999))
        #expect(bench.takeEvents().isEmpty)
        bench.run(for: .milliseconds(1))
        #expect(bench.takeEvents().names == ["attTimedOut"])
        #expect(bench.controller.opcodes.last == .disconnect)
        #expect(bench.host.nextDeadline.map { $0 <= bench.now + .seconds(3) } ?? true)
    }
}

/// Two hosts back to back that are given orders at random, and whose applications and peers answer or do not.
struct RandomHosts {
    var pair = HostPair(encrypts: true)
    /// The timers that were armed at any time.
    private(set) var kinds: Set<String> = []
    private var random: SeededRandom

    private var links: (central: ConnectionID, peripheral: ConnectionID)? {
        guard let central = pair.central.host.openConnections.first?.id,
            let peripheral = pair.peripheral.host.openConnections.first?.id
        else { return nil }
        return (central, peripheral)
    }

    init(seed: UInt64) {
        random = SeededRandom(seed: seed, purpose: "deadlines")
        pair.keepsEvents = true
        _ = try? pair.order(\.peripheral) { host, now, actions in
            try host.addServices(SampleDatabase.services, at: now, into: &actions)
        }
        let listened = try? pair.order(\.peripheral) { host, _, _ in
            try host.listen(on: SPSM(rawValue: 0x80), ChannelListenerOptions(asks: true))
        }
        precondition(listened != nil)
    }

    private mutating func chance(_ one: UInt64) -> Bool { random.next(below: one) == 0 }

    private mutating func span() -> TimeSpan { .milliseconds(Int64(random.next(below: 20_000))) }

    /// One order, or one event of the world.
    mutating func step() {
        let end: WritableKeyPath<HostPair, HostPair.End> = chance(2) ? \.central : \.peripheral
        let duration = span()
        switch random.next(below: 16) {
        case 0, 8:
            let isIdle = HostPair.bothEnds.allSatisfy { pair[keyPath: $0].host.core.gap.isIdle }
            pair.isOutOfRange = false
            if links == nil, isIdle { _ = try? pair.connect() }
        case 1: if chance(3) { pair.loseConnection() }
        case 2: advertise(duration, at: end)
        case 3:
            _ = try? pair.order(end) { host, now, actions in
                try host.startScanning(ScanParameters(duration: duration), at: now, into: &actions)
            }
        case 4:
            _ = try? pair.order(end) { host, now, actions in
                let peer = DeviceAddress(value: 0x99, kind: .public)
                try host.connect(to: peer, ConnectParameters(timeout: duration), at: now, into: &actions)
            }
        case 5: _ = try? pair.order(end) { host, now, actions in try host.stopScanning(at: now, into: &actions) }
        case 6: _ = try? pair.order(end) { host, now, actions in try host.stopAdvertising(at: now, into: &actions) }
        case 7: _ = try? pair.order(end) { host, now, actions in try host.cancelConnect(at: now, into: &actions) }
        case 9: pair.isOutOfRange = chance(2)
        default: linkStep(end)
        }
        _ = pair.takeEvents(\.central)
        _ = pair.takeEvents(\.peripheral)
        note()
    }

    private mutating func advertise(_ duration: TimeSpan, at end: WritableKeyPath<HostPair, HostPair.End>) {
        guard let interval = AdvertisingInterval(steps: 160) else { return }
        var parameters = AdvertisingParameters(interval: interval)
        parameters.duration = duration
        _ = try? pair.order(end) { [parameters] host, now, actions in
            try host.startAdvertising(parameters, at: now, into: &actions)
        }
    }

    private mutating func linkStep(_ end: WritableKeyPath<HostPair, HostPair.End>) {
        guard let links else { return }
        let id = end == \.central ? links.central : links.peripheral
        switch random.next(below: 8) {
        // Some are the application's to answer, which never does.
        case 0:
            _ = try? pair.order(\.central) { host, now, actions in
                try host.read(links.central, 0x0021, at: now, into: &actions)
            }
        case 1:
            _ = try? pair.order(\.central) { host, now, actions in
                try host.write([2, 0], links.central, 0x001F, at: now, into: &actions)
            }
        case 2:
            _ = pair.order(\.peripheral) { host, now, actions in
                host.indicate([1], handle: 0x001E, at: now, into: &actions)
            }
        case 3: _ = try? pair.order(\.central) { host, now, actions in try host.pair(id, at: now, into: &actions) }
        case 4:
            guard
                let range = ConnectionParameterRange(
                    minimumSteps: 24,
                    maximumSteps: 40,
                    latencyEvents: 0,
                    timeoutSteps: 500
                )
            else { return }
            _ = try? pair.order(end) { host, now, actions in
                try host.updateParameters(id, range, at: now, into: &actions)
            }
        case 5:
            guard let spsm = SPSM(rawValue: 0x80) else { return }
            _ = try? pair.order(\.central) { host, now, actions in
                try host.openChannel(links.central, to: spsm, at: now, into: &actions)
            }
        case 6:
            if chance(4) {
                _ = try? pair.order(end) { host, now, actions in try host.disconnect(id, at: now, into: &actions) }
            }
        default: _ = try? pair.order(end) { host, now, actions in try host.readRSSI(id, at: now, into: &actions) }
        }
    }

    private mutating func note() {
        for end in HostPair.bothEnds {
            let host = pair[keyPath: end].host
            if host.core.gap.advertiser.deadlines.next != nil { kinds.insert("advertising") }
            if host.core.gap.scanner.deadlines.next != nil { kinds.insert("scanning") }
            if host.core.gap.initiator.deadlines.next != nil { kinds.insert("connecting") }
            for slot in host.openSlots {
                if host.core.links[slot].deadlines.isArmed(.pairing) { kinds.insert("pairing") }
                if host.core.links[slot].deadlines.isArmed(.confirmation) { kinds.insert("confirmation") }
                if host.core.links[slot].deadlines.isArmed(.response) { kinds.insert("response") }
                if host.core.links[slot].deadlines.isArmed(.answer) { kinds.insert("answer") }
                if host.core.links[slot].l2cap.channels.requests.isEmpty == false { kinds.insert("channel request") }
                if host.core.links[slot].l2cap.signalling.isAwaitingResponse { kinds.insert("signalling") }
            }
        }
    }

    /// Lets some time pass, deadline by deadline; false if a host does nothing at one.
    mutating func wake() -> Bool {
        let limit = pair.now + span()
        var rounds = 0
        var last = Instant.zero
        while let deadline = HostPair.bothEnds.compactMap({ pair[keyPath: $0].host.nextDeadline }).min(),
            deadline <= limit
        {
            rounds = deadline == last ? rounds + 1 : 0
            last = deadline
            guard rounds < 16 else { return false }
            pair.expire(at: deadline)
        }
        pair.advance(to: limit)
        return true
    }
}
