import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatVirtualTime
import Testing

@testable import BluethroatSimulation

/// A small random world around a connection that mostly has nothing to say, in which at random instants somebody says
/// something, changes the link, moves, listens, disturbs, comes or goes. The same seed gives the same world each time.
final class PairScene {
    /// How its connection events are computed.
    enum Way: CaseIterable {
        /// As quickly as the world can.
        case quickly
        /// No event at once, since somebody looks at the world in between.
        case lookedAt
        /// Each frame through the medium, since somebody is told of it.
        case told
    }

    let pair: WorldPair
    let way: Way
    private var random: SeededRandom
    private var recorders: [Recorder]
    private var raw: RawRadio?
    private var links: (central: ConnectionID, peripheral: ConnectionID)?

    /// What can be seen from outside at an instant.
    struct View: Equatable {
        let now: Instant
        let digest: TraceDigest
        let frames: Int
        let collisions: Int
        let events: [String]
    }

    init(seed: UInt64, _ way: Way) throws {
        self.way = way
        random = SeededRandom(seed: seed, purpose: "pair scene")
        var drift: (ClockDrift, ClockDrift) = (.none, .none)
        if random.next(below: 10) == 0 { drift.0 = try #require(ClockDrift(partsPerMillion: 40)) }
        if random.next(below: 10) == 0 { drift.1 = try #require(ClockDrift(partsPerMillion: -40)) }
        pair = WorldPair(seed: seed, distance: Double(1 + random.next(below: 8)), drift: drift)
        if way == .told { pair.world.tap = SilentTap() }
        recorders = [pair.central, pair.peripheral]
        let steps = UInt16([6, 8, 24, 40][Int(random.next(below: 4))])
        let range = ConnectionParameterRange(
            minimumSteps: steps,
            maximumSteps: steps,
            latencyEvents: random.next(below: 4) == 0 ? UInt16(1 + random.next(below: 4)) : 0,
            timeoutSteps: UInt16(60 + random.next(below: 100))
        )
        links = try pair.connect(ConnectParameters(connection: #require(range)))
        // Some let the Link Layers come to terms first.
        if random.next(below: 2) == 0 { run(for: .seconds(1)) }
        for _ in 0..<random.next(below: 5) { disturb() }
    }

    var world: World { pair.world }

    var view: View {
        View(
            now: world.now,
            digest: world.digest,
            frames: world.transmissionCount,
            collisions: world.collisions.frames + world.collisions.receptions,
            events: recorders.flatMap { recorder in recorder.events.map { "\($0.instant) \($0.event)" } }
        )
    }

    /// Runs for a while that ends anywhere, also between two frames; something may happen then, from outside.
    func runOn() {
        run(for: random.next(below: 3) == 0 ? random.span(upTo: .milliseconds(20)) : random.span(upTo: .seconds(1)))
        if random.next(below: 4) == 0 { disturb() }
    }

    private func run(for span: TimeSpan) {
        if way == .lookedAt { world.run(for: span) { false } } else { world.run(for: span) }
    }

    // MARK: What happens

    /// How many kinds of things there are that may happen.
    static let kinds: UInt64 = 14

    /// Has something of a kind happen in the middle of a connection event that the central fills, so long after its beginning,
    /// between two runs.
    func interrupt(_ kind: UInt64, after span: TimeSpan) {
        var stream = SeededRandom(seed: kind, purpose: "what interrupts a pair")
        guard let links, let interval = pair.central.connection?.parameters.interval.span else { return }
        fill([UInt8](repeating: 0x55, count: 20), turns: 20, links.central)
        run(for: interval * 3 + span)
        happen(kind, &stream)
        run(for: .milliseconds(300))
    }

    /// Has something happen at an instant to come, or now.
    private func disturb() {
        let kind = random.next(below: Self.kinds), instant = world.now + random.span(upTo: .seconds(3))
        var stream = SeededRandom(seed: random.next(), purpose: "what happens to a pair")
        guard random.next(below: 4) > 0 else { return happen(kind, &stream) }
        world.schedule(at: instant) { [unowned self] _ in happen(kind, &stream) }
    }

    private func happen(_ kind: UInt64, _ stream: inout SeededRandom) {
        switch kind {
        case 0...2: talk(&stream)
        case 3: changeLink(&stream)
        case 4: encrypt()
        case 5: world.setLossEverywhere(stream.next(below: 2) == 0 ? .never : .percent(Int32(stream.next(below: 30))))
        case 6: world.setLoss(.percent(20), from: pair.centralID, to: pair.peripheralID)
        case 7: world.move(pair.peripheralID, to: .metres(x: Double(stream.next(below: 200))))
        case 8: world.setSensitivity(SignalStrength(dBm: -50), of: pair.centralID)
        case 9: listen(&stream)
        case 10: jam(&stream)
        case 11: addAdvertiser()
        case 12: world.scan(stream.next(below: 2) == 0 ? pair.centralID : pair.peripheralID)
        default: if stream.next(below: 4) == 0 { leave(&stream) }
        }
    }

    /// One side has something to say.
    private func talk(_ stream: inout SeededRandom) {
        guard let links else { return }
        if stream.next(below: 2) == 0 {
            let value = [UInt8](repeating: 0x55, count: [1, 20, 100, 244][Int(stream.next(below: 4))])
            return fill(value, turns: Int64(1 + stream.next(below: 20)), links.central)
        }
        world.perform(on: pair.centralID) { host, now, actions in
            _ = try? host.exchangeMTU(links.central, at: now, into: &actions)
            _ = try? host.discoverAll(links.central, at: now, into: &actions)
        }
    }

    /// The central has more to say for a while than its events have room for. Nobody answers.
    private func fill(_ value: [UInt8], turns: Int64, _ connection: ConnectionID) {
        for turn in 0..<turns {
            world.schedule(at: world.now + .milliseconds(10 * turn)) { [unowned self] world in
                world.perform(on: pair.centralID) { host, now, actions in
                    while (try? host.writeCommand(value, connection, 1, at: now, into: &actions)) == true {}
                }
            }
        }
    }

    private func changeLink(_ stream: inout SeededRandom) {
        guard let links else { return }
        let steps = UInt16(6 + stream.next(below: 40)), is2M = stream.next(below: 2) == 0
        world.perform(on: pair.centralID) { host, now, actions in
            if is2M { return (try? host.askForLE2M(links.central, at: now, into: &actions)) ?? () }
            let range = ConnectionParameterRange(
                minimumSteps: steps,
                maximumSteps: steps,
                latencyEvents: steps % 3,
                timeoutSteps: 200
            )
            guard let range else { return }
            try? host.updateParameters(links.central, range, at: now, into: &actions)
        }
    }

    private func encrypt() {
        guard let links else { return }
        world.perform(on: pair.centralID) { host, now, actions in
            try? host.pair(links.central, at: now, into: &actions)
        }
    }

    /// A radio listens to the link, or to something else, on a channel.
    private func listen(_ stream: inout SeededRandom) {
        let radio = raw ?? world.addRawRadio(named: "raw", at: .metres(x: 1, y: 1))
        raw = radio
        let channel = ChannelIndex(UInt8(stream.next(below: 37)))!
        radio.listen(on: channel, until: world.now + stream.span(upTo: .seconds(2)))
    }

    private func jam(_ stream: inout SeededRandom) {
        let radio = raw ?? world.addRawRadio(named: "raw", at: .metres(x: 1, y: 1))
        raw = radio
        let frame = RawFrame(bytes: stream.bytes(8 + Int(stream.next(below: 200))))!
        for _ in 0..<20 {
            let channel = ChannelIndex(UInt8(stream.next(below: 37)))!
            radio.transmit(frame, on: channel, at: world.now + stream.span(upTo: .milliseconds(500)))
        }
    }

    /// A third device advertises.
    private func addAdvertiser() {
        guard recorders.count < 4 else { return }
        let recorder = Recorder()
        recorders.append(recorder)
        let id = world.addDevice(named: "third", at: .metres(x: 2, y: 2), application: recorder)
        world.schedule(at: world.now + .milliseconds(50)) { world in
            world.perform(on: id) { host, now, actions in
                try? host.startAdvertising(
                    AdvertisingParameters(interval: AdvertisingInterval(steps: 160)!),
                    at: now,
                    into: &actions
                )
            }
        }
    }

    private func leave(_ stream: inout SeededRandom) {
        guard let links, stream.next(below: 2) == 0 else { return world.remove(pair.centralID) }
        world.perform(on: pair.peripheralID) { host, now, actions in
            try? host.disconnect(links.peripheral, at: now, into: &actions)
        }
    }
}

/// Is told of everything.
final class SilentTap: WorldTap {}
