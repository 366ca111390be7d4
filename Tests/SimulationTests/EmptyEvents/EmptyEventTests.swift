import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatVirtualTime
import FuzzInputs
import Testing

@testable import BluethroatSimulation

@Suite("Connection events in which nobody has anything to say")
struct EmptyEventTests {
    @Test("Computed at once, or from one to the other, they leave the world as the medium does")
    func law() throws {
        var atOnce = 0, directly = 0, other = 0
        for seed in 0..<UInt64(Effort.count(2_000, usually: 300)) {
            let told = try PairScene(seed: seed, .told)
            let others = try [PairScene(seed: seed, .quickly), PairScene(seed: seed, .lookedAt)]
            for part in 0..<12 {
                told.runOn()
                for scene in others {
                    scene.runOn()
                    guard scene.view == told.view else {
                        Issue.record("seed \(seed), part \(part), \(scene.way): \(scene.view) is not \(told.view)")
                        return
                    }
                }
            }
            #expect(told.world.state.emptyEventCount + told.world.state.directEventCount == 0)
            #expect(others[1].world.state.emptyEventCount == 0)
            atOnce += others[0].world.state.emptyEventCount
            directly += others[1].world.state.directEventCount
            other += told.world.transmissionCount - others[1].world.state.directFrameCount
        }
        // All ways were taken, many times.
        #expect(atOnce > 10_000 && directly > 10_000 && other > 10_000, "\(atOnce), \(directly), \(other)")
    }

    @Test("Two devices that have nothing to say are computed at once, event by event")
    func idle() throws {
        let pair = WorldPair()
        _ = try #require(try pair.connect())
        pair.world.run(for: .seconds(5))
        let before = (events: pair.world.state.emptyEventCount, frames: pair.world.transmissionCount)
        pair.world.run(for: .seconds(30))
        let events = pair.world.state.emptyEventCount - before.events
        // All but those in which a supervision timeout is looked at that was put off meanwhile.
        #expect(events * 2 > (pair.world.transmissionCount - before.frames) * 9 / 10)
    }

    @Test("Where somebody looks at the world in between, one event after the other goes directly")
    func lookedAt() throws {
        let pair = WorldPair()
        _ = try #require(try pair.connect())
        pair.world.run(for: .seconds(5))
        let interval = try #require(pair.central.connection).parameters.interval.span
        let before = pair.world.state.directEventCount
        pair.world.run(for: interval * 100) { false }
        #expect(pair.world.state.directEventCount - before >= 98)
    }

    @Test("Where a run ends in the middle of a frame, what happens next is not behind")
    func middles() throws {
        let pair = WorldPair()
        _ = try #require(try pair.connect())
        pair.world.run(for: .seconds(5))
        let before = pair.world.state.directEventCount
        let interval = try #require(pair.central.connection).parameters.interval.span
        // At all distances from the beginning of an event.
        for run in 0..<3_000 {
            pair.world.run(for: interval + .nanoseconds(interval.nanoseconds / 3_000))
            let next = try #require(pair.world.nextEventInstant)
            try #require(next >= pair.world.now, "run \(run)")
        }
        #expect(pair.world.state.directEventCount > before)
    }

    @Test("Where events fill their intervals, one after the other goes directly, though runs end within them")
    func full() throws {
        let told = WorldPair(), pair = WorldPair()
        told.world.tap = SilentTap()
        var before = (events: 0, frames: 0)
        for pair in [told, pair] {
            let links = try #require(try pair.connect())
            pair.world.perform(on: pair.centralID) { host, now, actions in
                _ = try? host.exchangeMTU(links.central, at: now, into: &actions)
            }
            pair.world.run(for: .seconds(5))
            let interval = try #require(pair.central.connection).parameters.interval.span
            before = (pair.world.state.directEventCount, pair.world.transmissionCount)
            let value = [UInt8](repeating: 0x55, count: 244)
            // Runs end at all distances from the beginning of an event.
            for _ in 0..<600 {
                pair.world.perform(on: pair.centralID) { host, now, actions in
                    while (try? host.writeCommand(value, links.central, 1, at: now, into: &actions)) == true {}
                }
                pair.world.run(for: interval / 6 + .microseconds(51))
            }
        }
        #expect(told.world.state.directFrameCount == 0)
        #expect(pair.world.digest == told.world.digest && pair.world.now == told.world.now)
        #expect(pair.world.transmissionCount - before.frames > 100 * 20)
        #expect(pair.world.state.directEventCount - before.events >= 99)
    }

    @Test(
        "Whatever happens between two runs within an event, it goes on as in the medium",
        arguments: 0..<PairScene.kinds
    )
    func interrupted(_ kind: UInt64) throws {
        var direct = 0
        for part in 0..<Int64(Effort.count(200, usually: 30)) {
            let span = TimeSpan.microseconds(997 * part)
            let told = try PairScene(seed: 3, .told), other = try PairScene(seed: 3, .quickly)
            for scene in [told, other] { scene.interrupt(kind, after: span) }
            #expect(other.view == told.view, "\(kind) after \(span)")
            direct += other.world.state.directFrameCount
        }
        #expect(direct > 0)
    }

    @Test("An event goes directly though somebody asks after each step when something happens next")
    func asked() throws {
        let told = WorldPair(), pair = WorldPair()
        told.world.tap = SilentTap()
        for pair in [told, pair] {
            let links = try #require(try pair.connect())
            pair.world.run(for: .seconds(5))
            pair.world.perform(on: pair.centralID) { host, now, actions in
                while (try? host.writeCommand([1, 2, 3], links.central, 1, at: now, into: &actions)) == true {}
            }
            let end = pair.world.now + .seconds(1)
            while let next = pair.world.nextEventInstant, next <= end {
                try #require(next >= pair.world.now)
                pair.world.run(until: next)
            }
            pair.world.run(until: end)
        }
        #expect(pair.world.digest == told.world.digest)
        #expect(pair.world.state.directFrameCount > 60)
    }

    /// Something because of which each event is computed step by step.
    enum Witness: String, CaseIterable {
        case tap, loss, drift, scanner
    }

    @Test(
        "Where somebody could see or hear it, or something may get lost, each step is computed",
        arguments: Witness.allCases
    )
    func witnessed(_ witness: Witness) throws {
        let slow = try #require(ClockDrift(partsPerMillion: -20))
        let pair = WorldPair(drift: witness == .drift ? (.none, slow) : (.none, .none))
        _ = try #require(try pair.connect())
        pair.world.run(for: .seconds(5))
        switch witness {
        case .tap: pair.world.tap = SilentTap()
        case .loss: pair.world.setLossEverywhere(.percent(1))
        case .drift: break
        case .scanner:
            pair.world.scan(pair.peripheralID)
            pair.world.run(for: .seconds(1))
        }
        func count() -> Int { pair.world.state.emptyEventCount + pair.world.state.directEventCount }
        let before = count()
        pair.world.run(for: .seconds(5))
        #expect(count() == before)
    }
}
