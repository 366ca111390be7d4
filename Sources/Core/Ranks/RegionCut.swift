public import BluethroatRadioMedium

/// Which rank has which device: the plane is cut in two across its longer side, so that the devices on either side weigh
/// as much as the ranks that they are for, then each half, and so on.
///
/// Where people walk, what a device costs changes, and ranks wait for the one that has most to do: the cut is made where the
/// times that they need together are shortest. Every rank computes the same from the same places.
public struct RegionCut: Hashable, Sendable {
    /// The rank of each device, in the order of the places.
    public let owners: [UInt32]

    /// - Parameters:
    ///   - places: where the devices are at the beginning.
    ///   - weights: how much each costs, in any unit; all the same if there are none.
    ///   - ranks: how many ranks there are, at least 1.
    public init(_ places: [Position], weights: [UInt32] = [], ranks: Int) {
        self.init(places, phases: weights.isEmpty ? [] : [weights], ranks: ranks)
    }

    /// - Parameters:
    ///   - places: where the devices are at the beginning.
    ///   - phases: of each of some equal parts of the time, how much each device costs in it, in any unit. The same in all of
    ///     them, and for all devices, if there are none.
    ///   - ranks: how many ranks there are, at least 1.
    public init(_ places: [Position], phases: [[UInt32]], ranks: Int) {
        precondition(ranks > 0, "a world needs a rank")
        precondition(phases.allSatisfy { $0.count == places.count }, "in each phase each place has a weight")
        let loads = Loads(phases)
        let first = Self.owners(places, loads, ranks)
        guard phases.count > 1, ranks > 2 else {
            owners = first
            return
        }
        // What is best for two halves need not be for their parts.
        let other = Self.owners(places, loads.summed, ranks)
        owners = loads.time(of: other, ranks) < loads.time(of: first, ranks) ? other : first
    }

    private static func owners(_ places: [Position], _ loads: Loads, _ ranks: Int) -> [UInt32] {
        var owners = [UInt32](repeating: 0, count: places.count)
        var order = Array(places.indices)
        // Parts that are still to be cut: devices, and the ranks that they are for.
        var parts = [(devices: places.indices, ranks: 0..<ranks)]
        while let (devices, ranks) = parts.popLast() {
            guard ranks.count > 1, !devices.isEmpty else {
                for index in devices { owners[order[index]] = UInt32(ranks.lowerBound) }
                continue
            }
            let isWide = Self.isWide(order[devices].map { places[$0] })
            func along(_ device: Int) -> Int32 { isWide ? places[device].x : places[device].y }
            // Devices at the same place stay in the order of their numbers.
            order[devices].sort { (along($0), $0) < (along($1), $1) }
            let share = ranks.count / 2, middle = ranks.lowerBound + share
            let cut = devices.lowerBound + loads.cut(order[devices], for: share, of: ranks.count)
            parts.append((cut..<devices.upperBound, middle..<ranks.upperBound))
            parts.append((devices.lowerBound..<cut, ranks.lowerBound..<middle))
        }
        return owners
    }

    private static func isWide(_ places: [Position]) -> Bool {
        var west = Int32.max, east = Int32.min, south = Int32.max, north = Int32.min
        for place in places {
            west = min(west, place.x)
            east = max(east, place.x)
            south = min(south, place.y)
            north = max(north, place.y)
        }
        return Int64(east) - Int64(west) >= Int64(north) - Int64(south)
    }
}

/// What devices cost, in each phase or in all of them together.
private struct Loads {
    private let phases: [[UInt32]]
    private var isSummed = false

    init(_ phases: [[UInt32]]) { self.phases = phases }

    /// The same without phases.
    var summed: Self {
        var summed = self
        summed.isSummed = true
        return summed
    }

    private var count: Int { isSummed ? 1 : max(1, phases.count) }

    private func weight(_ device: Int, _ phase: Int) -> Double {
        if phases.isEmpty { return 1 }
        return isSummed ? phases.reduce(0) { $0 + Double($1[device]) } : Double(phases[phase][device])
    }

    /// How many of these devices, which are in a row, are for the first `share` of so many ranks.
    func cut(_ devices: ArraySlice<Int>, for share: Int, of ranks: Int) -> Int {
        let totals = (0..<count).map { phase in devices.reduce(0) { $0 + weight($1, phase) } }
        var left = [Double](repeating: 0, count: count)
        /// How long a cut here would have them work, without a unit.
        func time() -> Double {
            zip(left, totals).reduce(0) { sum, phase in
                sum + max(phase.0 * Double(ranks - share), (phase.1 - phase.0) * Double(share))
            }
        }
        var shortest = time(), cut = 0
        for (index, device) in devices.enumerated() {
            for phase in 0..<count { left[phase] += weight(device, phase) }
            let time = time()
            guard time < shortest else { continue }
            (shortest, cut) = (time, index + 1)
        }
        return cut
    }

    /// How long these ranks work, each as long as the one with most to do.
    func time(of owners: [UInt32], _ ranks: Int) -> Double {
        (0..<count).reduce(0) { sum, phase in
            var loads = [Double](repeating: 0, count: ranks)
            for (device, owner) in owners.enumerated() { loads[Int(owner)] += weight(device, phase) }
            return sum + (loads.max() ?? 0)
        }
    }
}
