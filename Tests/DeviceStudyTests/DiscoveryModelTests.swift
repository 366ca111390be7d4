import BluethroatStudies
import Foundation
import Testing

@testable import BluethroatDeviceStudy

@Suite("Discovery latency against calculation")
struct DiscoveryModelTests {
    struct Setting: CustomStringConvertible, Sendable {
        let advertising: Double
        let interval: Double
        let window: Double

        var description: String { "\(advertising) ms, \(window) of \(interval) ms" }
        var calculation: DiscoveryCalculation {
            DiscoveryCalculation(advertisingInterval: advertising, scanInterval: interval, scanWindow: window)
        }
    }

    /// Thirty: intervals that are multiples of each other and intervals that are not, windows from a tenth to all of the time.
    static let settings: [Setting] = {
        let scans: [(interval: Double, window: Double)] = [(30, 30), (100, 50), (60, 15), (220, 110), (150, 20)]
        let intervals: [Double] = [20, 100, 152.5, 318.75, 500, 760]
        return intervals.flatMap { advertising in
            scans.map { Setting(advertising: advertising, interval: $0.interval, window: $0.window) }
        }
    }()

    @Test("The calculation has the known values: all of the time, and no random delay")
    func known() {
        // Who always listens gets nearly every event, on one of the channels. The rest of an interval X is E[X²] / 2 E[X].
        let always = DiscoveryCalculation(advertisingInterval: 100, scanInterval: 30, scanWindow: 30)
        let square: Double = (1_331_000 - 1_000_000) / 30
        let waiting = square / 2 / 105
        // In a round of 90 the first 30 are for the first of an event's three frames, and so on; an event comes at 0 to 110, and
        // what is after 90 is in the next round's first part.
        let frames = always.frame * (45 * 1 + 30 * 2 + 30 * 3) / 105
        // One that begins less than two frames before a round's end misses each channel: the next comes 105 later.
        let missed = 2 * always.frame / 105 * 105
        #expect(abs(always.mean - waiting - frames - missed) < 0.05, "\(always.mean)")
        // Without a delay, events at x and x + 60 in a round of 120 with windows 0–24 (37), 40–64 (38), 80–104 (39): of the
        // first events, at 0 to 60, those in 0–24 and 40–60 are received, and the others, in 24–40, 60 ms later.
        var periodic = DiscoveryCalculation(advertisingInterval: 60, scanInterval: 40, scanWindow: 24)
        periodic.longestDelay = 0
        let expected: Double = (24 * 12 + 16 * (32 + 60) + 20 * 50) / 60
        #expect(abs(periodic.mean - expected) < 2, "\(periodic.mean), \(expected)")
        // With windows of 20 some offsets never meet: each PDU comes when the window of its channel has just closed.
        periodic.scanWindow = 20
        #expect(periodic.mean > 1_000)
    }

    @Test(
        "Thirty settings: each mean is as calculated within 2 intervals and 1 %, and all together within 3 %, as docs/model.md shows"
    )
    func thirty() throws {
        #expect(Self.settings.count == 30)
        var ratios: [Double] = [], errors: [Double] = [], rows = ""
        for (number, setting) in Self.settings.enumerated() {
            let calculated = setting.calculation.mean
            // Other pairs each time: what chance does to one says nothing about the next.
            let estimate = try simulated(setting, mean: calculated, seed: number + 1)
            let ratio = estimate.mean / 1e-3 / calculated
            ratios.append(ratio)
            rows += try row(setting, estimate)
            let error = try #require(estimate.halfWidth) / 1e-3 / calculated
            errors.append(error)
            // That is four standard errors: one of thirty comparisons is that far off in two thousand runs.
            #expect(abs(ratio - 1) < 2 * error + 0.01, "\(setting): \(estimate.mean * 1e3) ms, not \(calculated) ms")
        }
        let pooled = ratios.reduce(0, +) / Double(ratios.count)
        #expect(abs(pooled - 1) < 0.03, "\(pooled)")
        #expect(errors.reduce(0, +) / Double(errors.count) < 0.1)
        let page = try String(contentsOf: Self.page, encoding: .utf8)
        #expect(page.contains("|---|---|---|---|---|\n\(rows)\n"), "docs/model.md has other rows than\n\(rows)")
        // A model without the three channels is off by far more than that: the comparison can fail.
        let wrong = Self.settings.map { setting in
            var other = setting.calculation
            other.scanWindow /= 1.25
            return other.mean / setting.calculation.mean
        }
        #expect(wrong.reduce(0, +) / Double(wrong.count) > 1.06)
    }

    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("docs/model.md")

    /// A line of the page's table, in milliseconds.
    private func row(_ setting: Setting, _ estimate: Estimate) throws -> String {
        let calculated = setting.calculation.mean
        let (mean, halfWidth) = (estimate.mean * 1_000, try #require(estimate.halfWidth) * 1_000)
        let simulated = "\(rounded(mean)) ± \(rounded(halfWidth))"
        let cells = [
            text(setting.advertising), "\(text(setting.window)) of \(text(setting.interval))", rounded(calculated),
            simulated,
            String(format: "%+.1f %%", (mean / calculated - 1) * 100),
        ]
        return "| \(cells.joined(separator: " | ")) |\n"
    }

    private func rounded(_ number: Double) -> String { String(format: number < 100 ? "%.1f" : "%.0f", number) }
    private func text(_ number: Double) -> String { String(format: "%g", number) }

    /// Pairs of a beacon and a phone, each pair far from all others.
    private func simulated(_ setting: Setting, mean: Double, seed: Int) throws -> Estimate {
        let plan = try StudyPlan(
            yaml: """
                length: \(max(1, (mean * 8 / 1_000).rounded(.up))) s
                warmup: \(setting.advertising < 100 ? 1 : 3) s
                worlds: 48
                seed: \(seed)
                air: {shadowing: 0 dB}
                devices:
                  beacons: {kind: advertiser, count: 12, interval: \(setting.advertising) ms, place: line, distance: 5 km}
                  phones:
                    {kind: scanner, count: 12, interval: \(setting.interval) ms, window: \(setting.window) ms, place: line, \
                distance: 5 km, y: 1 m}
                measure: discovery
                """,
            named: "pairs"
        ) { _ in "" }
        let results = try #require(try plan.results(on: ThreadedRunner(threads: 2)))
        #expect(try #require(results.estimate(row: 0, column: 3)).mean > 0.99)
        return try #require(results.estimate(row: 0, column: 0))
    }
}
