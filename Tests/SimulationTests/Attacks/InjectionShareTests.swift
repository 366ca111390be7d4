import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation
import Testing

/// How often the race for a peripheral's receive window is won, in the clear: the figures of docs/security.md, each of
/// them. Worlds are repeatable, and so a figure that differs is one that the code has changed.
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
        /// Successes in ten tries, as the page has them.
        let expected: Int?

        var testDescription: String {
            "attacker at \(distance) m, interval \(Double(intervalSteps) * 1.25) ms, \(accuracy.partsPerMillion) ppm"
        }
    }

    private static let distances = [0.25, 2]
    private static let intervals: [(text: String, steps: UInt16)] = [("30 ms", 24), ("100 ms", 80), ("1 s", 800)]
    private static let accuracies: [SleepClockAccuracy] = [.upTo20, .upTo50, .upTo500]
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("docs/security.md")

    /// Every cell of the page's table, in its order.
    static let cases: [Case] = {
        let lines = (try? String(contentsOf: page, encoding: .utf8))?.split(separator: "\n") ?? []
        return intervals.flatMap { interval in
            accuracies.flatMap { accuracy in
                let beginning = "| \(interval.text) | \(accuracy.partsPerMillion) ppm | "
                let row = lines.first { $0.hasPrefix(beginning) }?.dropFirst(beginning.count) ?? ""
                let cells = row.split(separator: "|").map { Int($0.filter { $0 != " " }) }
                return distances.indices.map { column in
                    Case(
                        distance: distances[column],
                        intervalSteps: interval.steps,
                        accuracy: accuracy,
                        expected: column < cells.count ? cells[column] : nil
                    )
                }
            }
        }
    }()

    @Test(
        "A write of one byte in the central's place is taken as often as docs/security.md says",
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
        #expect(example.expected == successes, "\(successes) of 10, and not what docs/security.md says")
    }
}
