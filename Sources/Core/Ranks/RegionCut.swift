public import BluethroatRadioMedium

/// Which rank has which device: the plane is cut in two across its longer side, so that the devices on either side weigh
/// as much as the ranks that they are for, then each half, and so on.
///
/// Every rank computes the same from the same places.
public struct RegionCut: Hashable, Sendable {
    /// The rank of each device, in the order of the places.
    public let owners: [UInt32]

    /// - Parameters:
    ///   - places: where the devices are at the beginning.
    ///   - weights: how much each costs, in any unit; all the same if there are none.
    ///   - ranks: how many ranks there are, at least 1.
    public init(_ places: [Position], weights: [UInt32] = [], ranks: Int) {
        precondition(ranks > 0, "a world needs a rank")
        precondition(weights.isEmpty || weights.count == places.count, "each place has a weight, or none has")
        var owners = [UInt32](repeating: 0, count: places.count)
        var order = Array(places.indices)
        // Parts that are still to be cut: devices, and the ranks that they are for.
        var parts = [(devices: places.indices, ranks: 0..<ranks)]
        while let (devices, ranks) = parts.popLast() {
            guard ranks.count > 1, !devices.isEmpty else {
                for index in devices { owners[order[index]] = UInt32(ranks.lowerBound) }
                continue
            }
            func weight(_ device: Int) -> UInt64 { weights.isEmpty ? 1 : UInt64(weights[device]) }
            let isWide = Self.isWide(order[devices].map { places[$0] })
            func along(_ device: Int) -> Int32 { isWide ? places[device].x : places[device].y }
            // Devices at the same place stay in the order of their numbers.
            order[devices].sort { (along($0), $0) < (along($1), $1) }
            let total = order[devices].reduce(0) { $0 + weight($1) }
            let middle = ranks.lowerBound + ranks.count / 2
            var left: UInt64 = 0, cut = devices.lowerBound
            let share = total * UInt64(ranks.count / 2) / UInt64(ranks.count)
            while cut < devices.upperBound, left + weight(order[cut]) / 2 < share {
                left += weight(order[cut])
                cut += 1
            }
            parts.append((cut..<devices.upperBound, middle..<ranks.upperBound))
            parts.append((devices.lowerBound..<cut, ranks.lowerBound..<middle))
        }
        self.owners = owners
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
