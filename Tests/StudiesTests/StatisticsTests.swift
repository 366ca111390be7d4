import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatStudies

@Suite("Statistics of a study")
struct StatisticsTests {
    @Test("The interval is Student's t: known values, and ever nearer to the normal one")
    func studentT() {
        // Tables of the t distribution, 97.5 %.
        let known = [
            (1, 12.706), (2, 4.303), (4, 2.776), (9, 2.262), (20, 2.086), (30, 2.042), (60, 2.000), (120, 1.980),
        ]
        for (degrees, value) in known {
            #expect(abs(Estimate.studentT(degreesOfFreedom: degrees) - value) < 0.001, "\(degrees)")
        }
        let values = (1...10_000).map(Estimate.studentT)
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 > $1 } && values.last! > 1.9599)
    }

    @Test("An estimate of 2, 4, 6 is 4 ± 4.97; of one number it has no width; of none there is none")
    func estimate() throws {
        let estimate = try #require(Estimate([2, 4, 6]))
        #expect(estimate.mean == 4 && estimate.count == 3)
        #expect(abs(try #require(estimate.halfWidth) - 4.3027 * 2 / 3.0.squareRoot()) < 1e-3)
        #expect(Estimate([5])?.halfWidth == nil && Estimate([5])?.mean == 5)
        #expect(Estimate([]) == nil)
    }

    @Test("Of a thousand intervals some 950 hold the true mean")
    func coverage() throws {
        var random = SeededRandom(seed: 5, purpose: "coverage"), held = 0
        for _ in 0..<1_000 {
            // Sums of twelve draws are as good as normal; their mean is 6.
            let values = (0..<5).map { _ in (0..<12).map { _ in Double(random.next() >> 11) / 0x1p53 }.reduce(0, +) }
            let estimate = try #require(Estimate(values))
            if abs(estimate.mean - 6) <= (estimate.halfWidth ?? 0) { held += 1 }
        }
        #expect((925...975).contains(held), "\(held)")
    }

    @Test("Quantiles are nearest ranks") func quantiles() {
        #expect(Statistics.quantile(0.5, of: [3, 1, 2]) == 2)
        #expect(Statistics.quantile(0.95, of: (1...100).map(Double.init)) == 95)
        #expect(Statistics.quantile(0.5, of: []) == nil)
        #expect(Statistics.quantile(0, of: [7, 8]) == 7 && Statistics.quantile(1, of: [7, 8]) == 8)
    }

    @Test("A current is that of the next higher power in the table") func currents() {
        let table = CurrentTable.nRF52840
        #expect(table.current(sendingWith: SignalStrength(dBm: -10)) == 3.3e-3)
        #expect(table.current(sendingWith: SignalStrength(dBm: 0)) == 4.8e-3)
        #expect(table.current(sendingWith: SignalStrength(dBm: 1)) == 9.6e-3)
        #expect(table.current(sendingWith: SignalStrength(dBm: 20)) == 14.8e-3)
    }
}

@Suite("Walks")
struct WalkTests {
    @Test(
        "Somebody in streets is on a street, stays in the area, and moves as fast as is said",
        arguments: 1...20 as ClosedRange<UInt64>
    )
    func streets(seed: UInt64) {
        var walker = StreetWalker(
            width: 300_000,
            height: 200_000,
            block: 50_000,
            speed: 2,
            random: SeededRandom(seed: seed, purpose: "streets")
        )
        var crossings: Set<Position> = []
        for _ in 0..<600 {
            let before = walker.position
            walker.walk(for: 1)
            let now = walker.position
            #expect((0...300_000).contains(now.x) && (0...200_000).contains(now.y))
            #expect(now.x % 50_000 == 0 || now.y % 50_000 == 0)
            // Round a corner the way along the streets is what counts.
            let way = abs(Int(now.x - before.x)) + abs(Int(now.y - before.y))
            #expect(way <= 2_001)
            crossings.insert(Position(x: (now.x + 25_000) / 50_000, y: (now.y + 25_000) / 50_000))
        }
        #expect(crossings.count > 3)
    }

    @Test("At a crossing half of them go straight on, a quarter to each side") func turns() {
        var straight = 0, turned = 0
        for seed in 1...400 as ClosedRange<UInt64> {
            var walker = StreetWalker(
                width: 20_000_000,
                height: 20_000_000,
                block: 1_000,
                speed: 1,
                random: SeededRandom(seed: seed, purpose: "turns")
            )
            for _ in 0..<20 {
                let a = walker.position
                walker.walk(for: 1)
                let b = walker.position
                if a.x == b.x || a.y == b.y { straight += 1 } else { turned += 1 }
            }
        }
        let share = Double(straight) / Double(straight + turned)
        #expect(abs(share - 0.5) < 0.03, "\(share)")
    }

    @Test("A recorded way is followed in straight lines, and ends where it ends") func trace() throws {
        let trace = try Trace(csv: "device,time,x,y\nb,10,0,0\na,0,1,1\nb,20,10,20\n")
        #expect(trace.ways.count == 2)
        var walker = TraceWalker(trace.ways[0])
        #expect(walker.position == .metres(x: 0, y: 0))
        walker.walk(for: 15)
        #expect(walker.position == .metres(x: 5, y: 10))
        walker.walk(for: 100)
        #expect(walker.position == .metres(x: 10, y: 20))
    }

    @Test(
        "A trace may begin with the mark that Excel writes, and have any ends of lines",
        arguments: ["\n", "\r\n", "\r"]
    )
    func markedTrace(end: String) throws {
        let csv = "device,time,x,y\nb,10,0,0\na,0,1,1\n".replacing("\n", with: end)
        #expect(try Trace(csv: "a b,1,0,0\nab,0,1,1\n a b , 2 ,3,4\n").ways.map(\.count) == [2, 1])
        #expect(try Trace(csv: "\u{FEFF}" + csv).ways == Trace(csv: csv).ways)
        #expect(try Trace(csv: "\u{FEFF}b,10,0,0").ways.count == 1)
        // Its heading is the first line that is not empty.
        #expect(try Trace(csv: end + end + csv).ways == Trace(csv: csv).ways)
    }

    @Test(
        "A wrong trace is told by its line",
        arguments: [
            ("", "no place"), ("a,0,0\n", "line 1"), ("a,0,0,0\na,0,1,1\n", "line 2: the times of device a"),
            ("a,0,0,0\n\nb,x,1,1\n", "line 3"), ("a,0,nan,0\n", "line 1"), ("a,0,0x10,0\n", "line 1"),
            ("a,0,1e9,0\n", "line 1"), ("a,0,0,0\ndevice,time,x,y\n", "line 2: device,time,x,y is no"),
            ("a\u{1B}[31m,0\n", "line 1: a\u{FFFD}[31m,0 is no"),
        ]
    )
    func wrongTrace(csv: String, message: String) {
        let error = #expect(throws: (any Error).self) { try Trace(csv: csv) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(message))
    }

    @Test("A trace has the same digest again, and another one if a number or a device is another")
    func traceDigest() throws {
        let lines = ["a,0,1,1\na,1,2,2", "a,0,1,1\nb,1,2,2", "a,0,1,1\na,1,2,2.000000001", "a,0,1,1"]
        #expect(try Set(lines.map { try Trace(csv: $0).digest }).count == lines.count)
        #expect(try Trace(csv: lines[0]).digest == Trace(csv: "device,time,x,y\nc,0,1,1\nc,1,2.0,2\n").digest)
    }
}
