import BluethroatRadioMedium
import BluethroatRanks
import BluethroatVirtualTime
import Testing

@testable import BluethroatStudies

@Suite("What devices will cost the ranks of a world")
struct RegionWeightsTests {
    private static let seconds = 400

    /// A hall in the east that is full, houses with a few devices everywhere, and scanners that walk about in the houses; those
    /// of the west go to the hall in the first minute.
    private static func town() -> [RegionWeights.Device] {
        var random = SeededRandom(seed: 1, purpose: "town")
        func device(x: ClosedRange<Int32>, y: ClosedRange<Int32>) -> Standing {
            func draw(_ range: ClosedRange<Int32>) -> Int32 {
                range.lowerBound + Int32(random.next(below: UInt64(range.upperBound - range.lowerBound)))
            }
            return Standing(at: Position(x: draw(x), y: draw(y)))
        }
        let houses = (0..<1_000).map { _ in device(x: 0...4_000_000, y: 0...1_000_000) }
        let hall = (0..<500).map { _ in device(x: 3_500_000...3_560_000, y: 500_000...560_000) }
        let visitors = (0..<40).map { number -> any Walk in
            let home = Trace.Point(time: 0, x: Double(number) * 25, y: 100)
            let seat = Trace.Point(time: 60, x: 3_530, y: 530)
            return TraceWalker([home, seat])
        }
        let others = (0..<40).map { number in
            Walker(
                width: 4_000_000,
                height: 1_000_000,
                speed: 1.4,
                random: SeededRandom(seed: UInt64(number), purpose: "walk")
            )
        }
        return (houses + hall).map { RegionWeights.Device($0, advertises: true, listens: false) }
            + (visitors + others).map { RegionWeights.Device($0, advertises: false, listens: true) }
    }

    /// How much longer they take than if each had its share of the work in each second, computed from who really is within
    /// 80 m of whom.
    private static func excess(_ owners: [UInt32], _ devices: [RegionWeights.Device], ranks: Int) -> Double {
        var walks = devices.map(\.walk), time = 0, work = 0
        for _ in 0..<(seconds / 20) {
            var loads = [Int](repeating: 0, count: ranks)
            for index in devices.indices {
                walks[index].walk(for: 20)
                loads[Int(owners[index])] += 2
                guard devices[index].listens else { continue }
                let place = walks[index].position
                loads[Int(owners[index])] +=
                    6
                    * devices.indices.count {
                        devices[$0].advertises && place.squaredDistance(to: walks[$0].position) < 80_000 * 80_000
                    }
            }
            time += loads.max() ?? 0
            work += loads.reduce(0, +)
        }
        return Double(time) * Double(ranks) / Double(work) - 1
    }

    @Test("Ranks have as much to do when people have gathered, wherever they come from", arguments: [2, 3, 4])
    func gathering(ranks: Int) {
        let devices = Self.town()
        let cut = RegionWeights.cut(devices, for: Double(Self.seconds), among: ranks)
        let excess = Self.excess(cut.owners, devices, ranks: ranks)
        #expect(excess < 0.25, "\(excess)")
        // Places at the beginning alone do not say that.
        let places = devices.map {
            RegionWeights.Device(Standing(at: $0.walk.position), advertises: $0.advertises, listens: $0.listens)
        }
        let blind = RegionWeights.cut(places, for: Double(Self.seconds), among: ranks)
        let blindExcess = Self.excess(blind.owners, devices, ranks: ranks)
        #expect(blindExcess > 2 * excess, "\(blindExcess)")
    }

    @Test("Who stands is counted once, who walks in each eighth, and nobody hears itself")
    func counts() {
        func device(_ walk: any Walk, listens: Bool) -> RegionWeights.Device {
            RegionWeights.Device(walk, advertises: true, listens: listens)
        }
        let standing = [
            device(Standing(at: .metres(x: 10)), listens: true), device(Standing(at: .metres(x: 20)), listens: false),
        ]
        #expect(RegionWeights.phases(of: standing, for: 80) == [[8, 2]])
        let way = [
            Trace.Point(time: 0, x: -5_000, y: 0), Trace.Point(time: 40, x: -5_000, y: 0),
            Trace.Point(time: 41, x: 0, y: 0),
        ]
        let all = standing + [device(TraceWalker(way), listens: true)]
        let phases = RegionWeights.phases(of: all, for: 80)
        #expect(phases == Array(repeating: [8, 2, 2], count: 4) + Array(repeating: [14, 2, 14], count: 4))
    }
}
