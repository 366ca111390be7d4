import BluethroatKeyFob
import BluethroatVirtualTime
import Testing

@Suite("Accelerometer")
struct AccelerometerTests {
    private func enabled() -> FobBench {
        var bench = FobBench.connected()
        bench.write(1, to: .accelerometerEnable)
        bench.log = []
        return bench
    }

    @Test("Enabled, it takes its first sample after 50 ms and one every 50 ms; X, Y, Z in that order")
    func samples() {
        var bench = FobBench.connected()
        let start = bench.now.sinceStart
        bench.handle(.acceleration(Acceleration(x: 10, y: -20, z: 127)))
        bench.write(1, to: .accelerometerEnable)
        bench.run(for: .milliseconds(60))
        bench.handle(.acceleration(Acceleration(x: 16, y: -20, z: 127)))
        bench.run(for: .milliseconds(60))
        #expect(
            bench.log == [
                .init(at: start, effect: .accelerometer(true)),
                .init(at: start + .milliseconds(50), effect: .notify(.x, 10)),
                .init(at: start + .milliseconds(50), effect: .notify(.y, 0xEC)),
                .init(at: start + .milliseconds(50), effect: .notify(.z, 127)),
                .init(at: start + .milliseconds(100), effect: .notify(.x, 16)),
            ]
        )
    }

    @Test(
        "An axis is told when it has moved by more than five counts from what was told last",
        arguments: [
            (0, 5, false), (0, 6, true), (0, -5, false), (0, -6, true), (100, 105, false), (100, 106, true),
            (127, -128, true), (-128, 127, true), (-128, -123, false), (-128, -122, true),
        ]
    )
    func threshold(from: Int8, to: Int8, told: Bool) {
        for value in [KeyFobValue.x, .y, .z] {
            var bench = enabled()
            bench.handle(.acceleration(acceleration(from, on: value)))
            bench.run(for: .milliseconds(100))
            bench.log = []
            bench.handle(.acceleration(acceleration(to, on: value)))
            bench.run(for: .milliseconds(100))
            #expect(bench.effects() == (told ? [.notify(value, UInt8(bitPattern: to))] : []))
        }
    }

    private func acceleration(_ counts: Int8, on value: KeyFobValue) -> Acceleration {
        Acceleration(x: value == .x ? counts : 0, y: value == .y ? counts : 0, z: value == .z ? counts : 0)
    }

    @Test("A slow drift is told once it has gone far enough from what was told last")
    func drift() {
        var bench = enabled()
        var told: [UInt8] = []
        for counts in Int8(1)...20 {
            bench.handle(.acceleration(Acceleration(x: counts, y: 0, z: 0)))
            bench.run(for: .milliseconds(50))
            for case .notify(.x, let byte) in bench.effects() { told.append(byte) }
        }
        #expect(told == [6, 12, 18])
    }

    @Test("A resting fob says nothing")
    func rest() {
        var bench = enabled()
        bench.handle(.acceleration(Acceleration(x: 0, y: 0, z: 56)))
        bench.run(for: .milliseconds(50))
        bench.log = []
        bench.run(for: .seconds(9))
        #expect(!bench.effects().contains { if case .notify(.z, _) = $0 { true } else { false } })
    }

    @Test("Disabled, it says nothing, and it keeps what it told last")
    func disabled() {
        var bench = enabled()
        bench.handle(.acceleration(Acceleration(x: 40, y: 0, z: 0)))
        bench.run(for: .milliseconds(50))
        bench.write(0, to: .accelerometerEnable)
        #expect(bench.effects() == [.notify(.x, 40), .accelerometer(false)])
        bench.handle(.acceleration(Acceleration(x: 80, y: 0, z: 0)))
        bench.run(for: .seconds(1))
        #expect(bench.effects() == [])
        bench.handle(.acceleration(Acceleration(x: 44, y: 0, z: 0)))
        bench.write(1, to: .accelerometerEnable)
        bench.run(for: .seconds(1))
        #expect(bench.effects() == [.accelerometer(true)])
    }

    @Test("Enabling it again puts the next sample a whole period away")
    func enabledAgain() {
        var bench = enabled()
        bench.handle(.acceleration(Acceleration(x: 40, y: 0, z: 0)))
        for _ in 0..<5 {
            bench.run(for: .milliseconds(40))
            bench.write(1, to: .accelerometerEnable)
        }
        #expect(bench.effects() == [])
        bench.run(for: .milliseconds(50))
        #expect(bench.effects() == [.notify(.x, 40)])
    }

    @Test("g become counts of the sensor on the board, which saturates")
    func gravity() {
        typealias Chip = KeyFobOptions.AccelerometerChip
        let cases: [(Double, Chip, Int8)] = [
            (1, .cma3000, 56), (1, .bma250, 64), (-0.5, .cma3000, -28), (2, .cma3000, 112), (2, .bma250, 127),
            (-2, .bma250, -128), (1e9, .cma3000, 127), (-.infinity, .cma3000, -128), (.nan, .cma3000, 0),
        ]
        for (g, chip, counts) in cases {
            #expect(Acceleration(gX: g, gY: 0, gZ: 0, chip: chip) == Acceleration(x: counts, y: 0, z: 0))
            #expect(Acceleration(gX: 0, gY: g, gZ: 0, chip: chip) == Acceleration(x: 0, y: counts, z: 0))
            #expect(Acceleration(gX: 0, gY: 0, gZ: g, chip: chip) == Acceleration(x: 0, y: 0, z: counts))
        }
    }
}
