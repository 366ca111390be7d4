import BluethroatRadioMedium
package import BluethroatRanks

/// About how much devices will cost a rank, for `RegionCut`.
package enum RegionWeights {
    /// A device of which this counts: where it is and will be, and what it does on the air.
    package struct Device {
        let walk: any Walk
        let advertises: Bool
        let listens: Bool

        package init(_ walk: any Walk, advertises: Bool, listens: Bool) {
            self.walk = walk
            self.advertises = advertises
            self.listens = listens
        }
    }

    /// A square of which three by three are as large as the circle of 80 m that is the reach. In millimetres.
    private static let square: Int32 = 47_265
    private static let phaseCount = 8

    /// Which rank has each of them, where a world lasts so many seconds.
    package static func cut(_ devices: [Device], for seconds: Double, among ranks: Int) -> RegionCut {
        RegionCut(devices.map(\.walk.position), phases: phases(of: devices, for: seconds), ranks: ranks)
    }

    /// The weight of each device in each eighth of so many seconds; in a single phase where nobody walks. Walks are followed here as they will
    /// be, so that ranks have as much to do where people gather later.
    package static func phases(of devices: [Device], for seconds: Double) -> [[UInt32]] {
        let standing = squares(of: devices.lazy.filter { $0.advertises && $0.walk is Standing }.map(\.walk))
        let walking = devices.indices.filter { !(devices[$0].walk is Standing) }
        guard !walking.isEmpty else { return [weights(devices, devices.map(\.walk), standing)] }
        var walks = devices.map(\.walk)
        let phase = seconds / Double(phaseCount)
        return (0..<phaseCount).map { number in
            for index in walking { walks[index].walk(for: number == 0 ? phase / 2 : phase) }
            let walkers = squares(of: walking.lazy.filter { devices[$0].advertises }.map { walks[$0] })
            return weights(devices, walks, standing.merging(walkers, uniquingKeysWith: +))
        }
    }

    /// How many there are in each square.
    private static func squares(of walks: some Sequence<any Walk>) -> [Int64: UInt64] {
        walks.reduce(into: [:]) { squares, walk in squares[key(walk.position, 0, 0), default: 0] += 1 }
    }

    /// Of the square that is so many squares to the right, and above.
    private static func key(_ place: Position, _ right: Int64, _ above: Int64) -> Int64 {
        func number(_ coordinate: Int32) -> Int64 { Int64((Double(coordinate) / Double(square)).rounded(.down)) }
        return (number(place.x) + right) << 32 | (number(place.y) + above) & 0xFFFF_FFFF
    }

    /// A report of a device in reach costs about three times what the device's advertising costs.
    private static func weights(_ devices: [Device], _ walks: [any Walk], _ squares: [Int64: UInt64]) -> [UInt32] {
        zip(devices, walks).map { device, walk in
            guard device.listens else { return 2 }
            let place = walk.position
            var inReach: UInt64 = 0
            for right: Int64 in -1...1 {
                for above: Int64 in -1...1 { inReach += squares[key(place, right, above)] ?? 0 }
            }
            return UInt32(clamping: 2 + 6 * (inReach - (device.advertises ? 1 : 0)))
        }
    }
}
