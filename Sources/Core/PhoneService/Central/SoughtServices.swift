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
    /// Whether the app has named them in the order of their bits.
    private let isOrdered: Bool

    init(_ services: [BluetoothUUID] = []) {
        self.services = services
        area = OverflowArea(services)
        guard !services.isEmpty else {
            (places, starts, isOrdered) = ([], [], true)
            return
        }
        let bits = services.map(OverflowArea.bit)
        places = bits.indices.sorted { (bits[$0], $0) < (bits[$1], $1) }
        var starts = Array(repeating: 0, count: OverflowArea.bitCount + 1)
        for bit in bits { starts[bit + 1] += 1 }
        for bit in 0..<OverflowArea.bitCount { starts[bit + 1] += starts[bit] }
        self.starts = starts
        isOrdered = places.elementsEqual(services.indices)
    }

    var isEmpty: Bool { services.isEmpty }

    /// Whether an area may have one of them.
    func mayBe(in other: OverflowArea) -> Bool { !area.intersection(other).isEmpty }

    /// Those that an area may have, in their order.
    func found(in other: OverflowArea) -> [BluetoothUUID] {
        let common = area.intersection(other)
        guard !common.isEmpty else { return [] }
        var found: [Int] = []
        found.reserveCapacity(common.count)
        common.forEachBit { bit in
            for index in starts[bit]..<starts[bit + 1] { found.append(places[index]) }
        }
        if !isOrdered { found.sort() }
        return found.map { services[$0] }
    }
}
