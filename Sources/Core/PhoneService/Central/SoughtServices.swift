import BluethroatBluetoothValues

/// The services that a scan looks for, found by their bits: each packet's overflow area is compared with them.
struct SoughtServices {
    /// In the order in which the app has named them.
    private let services: [BluetoothUUID]
    /// Their bits.
    private let area: OverflowArea
    /// Their places in that order, by bit: those with bit n are from `starts[n]` up to `starts[n + 1]`.
    private let places: [Int]
    private let starts: [Int]

    init(_ services: [BluetoothUUID] = []) {
        self.services = services
        area = OverflowArea(services)
        guard !services.isEmpty else {
            (places, starts) = ([], [])
            return
        }
        let bits = services.map(OverflowArea.bit)
        places = bits.indices.sorted { (bits[$0], $0) < (bits[$1], $1) }
        var starts = Array(repeating: 0, count: OverflowArea.bitCount + 1)
        for bit in bits { starts[bit + 1] += 1 }
        for bit in 0..<OverflowArea.bitCount { starts[bit + 1] += starts[bit] }
        self.starts = starts
    }

    var isEmpty: Bool { services.isEmpty }

    /// Whether an area may have one of them.
    func mayBe(in other: OverflowArea) -> Bool { !area.intersection(other).isEmpty }

    /// Those that an area may have, in their order.
    func found(in other: OverflowArea) -> [BluetoothUUID] {
        let common = area.intersection(other)
        guard !common.isEmpty else { return [] }
        guard services.count <= OverflowArea.bitCount else { return manyFound(common) }
        // There are no more places than an area has bits: a set of bits puts them in order.
        var marks = OverflowArea()
        common.forEachBit { bit in
            for index in starts[bit]..<starts[bit + 1] { marks.insert(bit: places[index]) }
        }
        var found: [BluetoothUUID] = []
        found.reserveCapacity(marks.count)
        marks.forEachBit { found.append(services[$0]) }
        return found
    }

    private func manyFound(_ common: OverflowArea) -> [BluetoothUUID] {
        var found: [Int] = []
        common.forEachBit { found += places[starts[$0]..<starts[$0 + 1]] }
        return found.sorted().map { services[$0] }
    }
}
