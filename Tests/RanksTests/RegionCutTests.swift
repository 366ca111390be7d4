import BluethroatRadioMedium
import BluethroatRanks
import BluethroatVirtualTime
import Testing

@Suite("Who has what")
struct RegionCutTests {
    @Test("Ranks have about the same weight, each in a place of its own", arguments: [1, 2, 3, 4, 7, 8])
    func balance(ranks: Int) {
        var random = SeededRandom(seed: UInt64(ranks), purpose: "places")
        let places = (0..<4_000).map { _ in
            Position(x: Int32(random.next(below: 2_000_000)), y: Int32(random.next(below: 1_000_000)))
        }
        let weights = places.indices.map { $0 % 100 == 0 ? UInt32(50) : 1 }
        let owners = RegionCut(places, weights: weights, ranks: ranks).owners
        let total = weights.reduce(0) { $0 + Int($1) }
        for rank in 0..<UInt32(ranks) {
            let weight = owners.indices.reduce(0) { $0 + (owners[$1] == rank ? Int(weights[$1]) : 0) }
            #expect(abs(weight - total / ranks) < total / 20, "rank \(rank) of \(ranks) has \(weight) of \(total)")
        }
        // Nearest neighbours are mostly of the same rank, or regions would not be regions.
        let strangers = (0..<200).count { number in
            let nearest = places.indices.filter { $0 != number }.min {
                distance(places[$0], places[number]) < distance(places[$1], places[number])
            }
            return nearest.map { owners[$0] != owners[number] } ?? false
        }
        #expect(strangers <= (ranks == 1 ? 0 : 30))
    }

    @Test(
        "Where loads come at different times, the cut is where ranks wait least for each other",
        arguments: [2, 3, 5]
    )
    func phases(ranks: Int) {
        // In a row; the first half has much to do at first, the others have later.
        let places = (0..<100).map { Position(x: $0 * 1_000, y: 0) }
        let phases: [[UInt32]] = [true, false].map { isFirst in (0..<100).map { ($0 < 50) == isFirst ? 10 : 1 } }
        func time(_ owners: [UInt32]) -> Int {
            phases.reduce(0) { sum, phase in
                var loads = [Int](repeating: 0, count: ranks)
                for (owner, weight) in zip(owners, phase) { loads[Int(owner)] += Int(weight) }
                return sum + (loads.max() ?? 0)
            }
        }
        let owners = RegionCut(places, phases: phases, ranks: ranks).owners
        #expect(Set(owners).count == ranks && owners == owners.sorted())
        // As much for each over the whole time would leave half of two ranks waiting all the time.
        let average = time(RegionCut(places, weights: places.map { _ in 11 }, ranks: ranks).owners)
        // Of five, each has a fifth of either half.
        #expect(ranks == 5 ? time(owners) == average : time(owners) < average)
        guard ranks == 2 else { return }
        let shortest = (0...100).map { cut in time((0..<100).map { $0 < cut ? 0 : 1 }) }.min()
        #expect(time(owners) == shortest)
    }

    private func distance(_ first: Position, _ second: Position) -> Int64 {
        let x = Int64(first.x) - Int64(second.x), y = Int64(first.y) - Int64(second.y)
        return x * x + y * y
    }

    @Test("Devices at one place, fewer devices than ranks, and none at all")
    func corners() {
        let owners = RegionCut(Array(repeating: .origin, count: 8), ranks: 4).owners
        #expect(owners.sorted() == [0, 0, 1, 1, 2, 2, 3, 3])
        #expect(RegionCut([.origin], ranks: 4).owners.allSatisfy { $0 < 4 })
        #expect(RegionCut([], ranks: 4).owners.isEmpty)
    }

    @Test("The longest jobs go first, to who has the least to do; what is done is nobody's")
    func jobs() {
        let shares = JobShares([5, nil, 4, 3, 3, 3], ranks: 2)
        #expect(shares.jobs == [[0, 4], [2, 3, 5]])
        #expect(JobShares([nil, nil], ranks: 3).jobs == [[], [], []])
        #expect(JobShares([1, 1, 1], ranks: 1).jobs == [[0, 1, 2]])
    }
}
