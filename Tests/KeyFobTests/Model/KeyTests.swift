import BluethroatKeyFob
import BluethroatVirtualTime
import Testing

@Suite("Keys")
struct KeyTests {
    @Test("Every change of the keys is told to the central, releases included")
    func encoding() {
        var bench = FobBench()
        let steps: [(KeyFobEvent, UInt8)] = [
            (.keyDown(.left), 1), (.keyDown(.right), 3), (.keyUp(.left), 2), (.keyUp(.right), 0),
            (.keyDown(.right), 2), (.keyDown(.left), 3), (.keyUp(.right), 1), (.keyUp(.left), 0),
        ]
        for (event, state) in steps {
            bench.handle(event)
            let effects = bench.effects()
            #expect(effects.first == .keys(KeyFobKeys(rawValue: state)))
            #expect(effects.contains(.notify(.keys, state)))
            #expect(bench.model.value(of: .keys) == state)
        }
    }

    @Test("A key that is down already does not go down again")
    func noChange() {
        var bench = FobBench()
        bench.handle(.keyDown(.left))
        bench.log = []
        bench.handle(.keyDown(.left))
        bench.handle(.keyUp(.right))
        #expect(bench.log.isEmpty)
    }

    @Test("Left, connected: the power is toggled between 0 and -6 dBm, before the key is told")
    func transmitPower() {
        var bench = FobBench.connected()
        bench.handle(.keyDown(.left))
        #expect(
            bench.effects() == [
                .keys(.left), .setTransmitPower(dBm: -6), .transmitPower(dBm: -6), .notify(.txPowerLevel, 0xFA),
                .notify(.keys, 1),
            ]
        )
        #expect(bench.model.value(of: .txPowerLevel) == 0xFA)
        bench.handle(.keyUp(.left))
        #expect(bench.effects() == [.keys([]), .notify(.keys, 0)])
        bench.handle(.keyDown(.left))
        #expect(
            bench.effects() == [
                .keys(.left), .setTransmitPower(dBm: 0), .transmitPower(dBm: 0), .notify(.txPowerLevel, 0),
                .notify(.keys, 1),
            ]
        )
    }

    @Test("Left, not connected: only the key's state changes")
    func leftAlone() {
        var bench = FobBench()
        bench.click(.left)
        #expect(bench.effects() == [.keys(.left), .notify(.keys, 1), .keys([]), .notify(.keys, 0)])
    }

    @Test("Left ends an alert first", arguments: [AlertLevel.mild, .high])
    func silence(level: AlertLevel) {
        var bench = FobBench.connected()
        bench.write(level.rawValue, to: .immediateAlertLevel)
        bench.log = []
        bench.handle(.keyDown(.left))
        let effects = bench.effects()
        #expect(Array(effects.prefix(3)) == [.keys(.left), .alert(.none, nil), .tone(hertz: nil)])
        #expect(effects.suffix(4).first == .setTransmitPower(dBm: -6))
        #expect(bench.model.proximity == .pathLoss, "the central still thinks so")
        #expect(!bench.model.led1 && !bench.model.led2)
        bench.run(for: .seconds(30))
        #expect(bench.model.alertLevel == .none && bench.model.tone == nil)
    }

    @Test("A held key acts again whenever the other one moves")
    func heldKeyRepeats() {
        var bench = FobBench.connected()
        bench.handle(.keyDown(.left))
        #expect(bench.model.value(of: .txPowerLevel) == 0xFA)
        bench.handle(.keyDown(.right))
        #expect(bench.model.value(of: .txPowerLevel) == 0)
        bench.handle(.keyUp(.right))
        #expect(bench.model.value(of: .txPowerLevel) == 0xFA)
        bench.handle(.keyUp(.left))
        #expect(bench.model.value(of: .txPowerLevel) == 0xFA)
    }

    @Test("A held right key toggles advertising again whenever the left one moves")
    func heldRightKeyRepeats() {
        var bench = FobBench()
        bench.handle(.keyDown(.right))
        #expect(bench.model.isAdvertising)
        bench.handle(.keyDown(.left))
        #expect(!bench.model.isAdvertising)
        bench.handle(.keyUp(.left))
        #expect(bench.model.isAdvertising)
        bench.handle(.keyUp(.right))
        #expect(bench.model.isAdvertising)
    }

    @Test("A key held alone acts once, however long")
    func heldAlone() {
        for timing in [KeyFobOptions.KeyTiming.reported, .contacts] {
            var options = KeyFobOptions()
            options.keyTiming = timing
            var bench = FobBench.connected(options)
            bench.run(for: .seconds(1))
            bench.log = []
            bench.handle(.keyDown(.left))
            bench.run(for: .seconds(5))
            #expect(bench.effects().count { $0 == .keys(.left) } == 1)
            #expect(bench.model.value(of: .txPowerLevel) == 0xFA)
        }
    }
}

@Suite("Contacts of the keys")
struct ContactTests {
    private func bench() -> FobBench {
        var options = KeyFobOptions()
        options.keyTiming = .contacts
        return FobBench(options)
    }

    /// The keys reported and when, in milliseconds from the start.
    private func changes(_ bench: FobBench, from start: Instant) -> [[Int64]] {
        bench.log.compactMap { entry in
            guard case .keys(let keys) = entry.effect else { return nil }
            return [(entry.at - start.sinceStart).milliseconds, Int64(keys.rawValue)]
        }
    }

    @Test("A press is reported 25 ms later, its release at the next look, 100 ms apart")
    func click() {
        var bench = bench()
        let start = bench.now
        bench.click(.left)
        bench.run(for: .seconds(1))
        #expect(changes(bench, from: start) == [[25, 1], [225, 0]])
    }

    @Test("A press shorter than 25 ms is lost")
    func bounce() {
        var bench = bench()
        let start = bench.now
        for _ in 0..<5 {
            bench.handle(.keyDown(.left))
            bench.run(for: .milliseconds(10))
            bench.handle(.keyUp(.left))
            bench.run(for: .milliseconds(30))
        }
        #expect(changes(bench, from: start) == [])
    }

    @Test("Each bounce starts the 25 ms anew")
    func bouncesThenHolds() {
        var bench = bench()
        let start = bench.now
        bench.handle(.keyDown(.right))
        bench.run(for: .milliseconds(10))
        bench.handle(.keyUp(.right))
        bench.run(for: .milliseconds(2))
        bench.handle(.keyDown(.right))
        bench.run(for: .milliseconds(50))
        #expect(changes(bench, from: start) == [[37, 2]])
    }

    @Test("While one key is held the other is seen at the next look, and both changes in one report")
    func polling() {
        var bench = bench()
        let start = bench.now
        bench.handle(.keyDown(.left))
        bench.run(for: .milliseconds(60))
        bench.handle(.keyDown(.right))
        bench.run(for: .milliseconds(100))
        bench.handle(.keyUp(.left))
        bench.handle(.keyUp(.right))
        bench.run(for: .milliseconds(500))
        #expect(changes(bench, from: start) == [[25, 1], [125, 3], [225, 0]])
        #expect(bench.model.nextDeadline.map { $0 > bench.now + .seconds(1) } ?? true, "no more looking")
    }
}
