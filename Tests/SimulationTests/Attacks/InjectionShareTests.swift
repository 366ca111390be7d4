import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// How often the race for a peripheral's receive window is won, in the clear: the figures of docs/security.md.
///
/// Two things win it. An attacker who is louder by the capture threshold keeps the receiver once it has begun first. An
/// attacker who is not has to be over before the central begins, for which window widening has to be longer than the
/// frame: with long intervals and bad clocks.
@Suite("How often injection succeeds")
struct InjectionShareTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// In metres from the peripheral; the central is 1 m from it.
        let distance: Double
        let intervalSteps: UInt16
        let accuracy: SleepClockAccuracy
        /// Successes in ten tries.
        let expected: ClosedRange<Int>

        var testDescription: String {
            "attacker at \(distance) m, interval \(Double(intervalSteps) * 1.25) ms, \(accuracy.partsPerMillion) ppm"
        }
    }

    static let cases: [Case] = {
        var cases: [Case] = []
        for accuracy in [SleepClockAccuracy.upTo20, .upTo50, .upTo500] {
            for interval: UInt16 in [24, 80] {
                cases.append(Case(distance: 0.25, intervalSteps: interval, accuracy: accuracy, expected: 9...10))
                cases.append(Case(distance: 2, intervalSteps: interval, accuracy: accuracy, expected: 0...0))
            }
        }
        // With long intervals the attacker does not know either when the peripheral begins to listen.
        cases.append(Case(distance: 0.25, intervalSteps: 800, accuracy: .upTo20, expected: 1...6))
        cases.append(Case(distance: 0.25, intervalSteps: 800, accuracy: .upTo50, expected: 6...10))
        cases.append(Case(distance: 0.25, intervalSteps: 800, accuracy: .upTo500, expected: 6...10))
        cases.append(Case(distance: 2, intervalSteps: 800, accuracy: .upTo50, expected: 0...0))
        cases.append(Case(distance: 2, intervalSteps: 800, accuracy: .upTo500, expected: 4...8))
        return cases
    }()

    @Test(
        "A write of one byte in the central's place is taken as often as loudness, interval and clocks allow",
        arguments: cases
    )
    func share(_ example: Case) throws {
        var successes = 0
        for seed in UInt64(1)...10 {
            var random = SeededRandom(seed: seed, purpose: "clocks of victims")
            let most = example.accuracy.partsPerMillion
            let drifts = (0..<2).compactMap { _ in
                ClockDrift(partsPerMillion: Int64(random.next(below: UInt64(2 * most + 1))) - most)
            }
            let scene = AttackScene(seed: seed, accuracy: example.accuracy, drift: (drifts[0], drifts[1]))
            let follower = LinkFollower(in: scene.world, at: .metres(x: 1 + example.distance))
            guard try scene.connect(intervalSteps: example.intervalSteps, timeoutSteps: 800) else { continue }
            // Until the victims have nothing more to say to each other.
            scene.world.run(for: .seconds(1) + TimeSpan.microseconds(1_250 * 20 * Int64(example.intervalSteps)))
            follower.inject(.start, AttackScene.writeCommand([0x66]))
            scene.world.run(for: .seconds(10)) { !follower.injections.isEmpty }
            if scene.written == [[0x66]] { successes += 1 }
        }
        #expect(example.expected.contains(successes), "\(successes) of 10")
    }
}
