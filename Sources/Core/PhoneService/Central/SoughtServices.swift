public import BluethroatBluetoothValues

/// The services that a scan looks for, found by their bits: each packet's overflow area is compared with them.
///
/// One for all that is found of them, so that this costs three words.
final class SoughtServices: Sendable {
    /// In the order in which the app has named them.
    private let services: [BluetoothUUID]
    /// Their bits.
    private let area: OverflowArea
    /// Their places in that order, by bit: those with bit n are from `starts[n]` up to `starts[n + 1]`.
    private let places: [UInt32]
    private let starts: [UInt32]

    static let none = SoughtServices([])

    init(_ services: [BluetoothUUID]) {
        self.services = services
        area = OverflowArea(services)
        guard !services.isEmpty else {
            (places, starts) = ([], [])
            return
        }
        let bits = services.map(OverflowArea.bit)
        places = bits.indices.sorted { (bits[$0], $0) < (bits[$1], $1) }.map { UInt32($0) }
        var starts = Array(repeating: UInt32(0), count: OverflowArea.bitCount + 1)
        for bit in bits { starts[bit + 1] += 1 }
        for bit in 0..<OverflowArea.bitCount { starts[bit + 1] += starts[bit] }
        self.starts = starts
    }

    /// Those that an area may have.
    func found(in other: OverflowArea) -> OverflowServices { OverflowServices(self, area.intersection(other)) }

    var isEmpty: Bool { services.isEmpty }

    /// Whether an area may have one of them.
    func mayBe(in other: OverflowArea) -> Bool { !area.intersection(other).isEmpty }

    /// Calls with each that has one of these bits, in their order, and its place.
    fileprivate func forEach(with common: OverflowArea, _ body: (BluetoothUUID, Int) -> Void) {
        guard services.count <= OverflowArea.bitCount else {
            var found: [UInt32] = []
            common.forEachBit { found += places[Int(starts[$0])..<Int(starts[$0 + 1])] }
            return found.sorted().forEach { body(services[Int($0)], Int($0)) }
        }
        // There are no more places than an area has bits: a set of bits puts them in order.
        var marks = OverflowArea()
        common.forEachBit { bit in
            for index in starts[bit]..<starts[bit + 1] { marks.insert(bit: Int(places[Int(index)])) }
        }
        marks.forEachBit { body(services[$0], $0) }
    }
}

/// Services that an overflow area may have, of those that a scan looks for.
public struct OverflowServices: Hashable, Sendable {
    private let sought: SoughtServices?
    /// Bits of the area that are bits of services looked for; these are the services that have them.
    private let bits: OverflowArea

    fileprivate init(_ sought: SoughtServices, _ bits: OverflowArea) { (self.sought, self.bits) = (sought, bits) }

    /// All of these.
    public init(_ services: [BluetoothUUID] = []) {
        sought = services.isEmpty ? nil : SoughtServices(services)
        bits = OverflowArea(services)
    }

    public var isEmpty: Bool { bits.isEmpty }

    /// In the order in which the app has named them.
    public var uuids: [BluetoothUUID] {
        var uuids: [BluetoothUUID] = []
        forEach { uuid, _ in uuids.append(uuid) }
        return uuids
    }

    /// How many bits of the area are theirs: there are as many services, or more.
    public var bitCount: Int { bits.count }

    /// Calls with each, in the order in which the app has named them, and its place among all that the app has named.
    ///
    /// Not generic, so that other modules' calls need nothing at run time.
    public func forEach(_ body: (_ uuid: BluetoothUUID, _ place: Int) -> Void) { sought?.forEach(with: bits, body) }

    public static func == (left: Self, right: Self) -> Bool {
        left.bits == right.bits && (left.sought === right.sought || left.uuids == right.uuids)
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(bits) }
}
