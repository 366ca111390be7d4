/// Whether what was found fits together.
///
/// A listener that begins late, or misses the first service, takes a later one for the first, and is wrong about all.
/// But bits like these come from a checksum, and checksums are linear: whatever the rule is, the services' differences
/// decide the bits' differences. Counting from the wrong number breaks that.
public enum OverflowAlignment: Hashable, Sendable {
    /// The services are those that were counted.
    case asCounted
    /// So many services had passed before the first one that was heard.
    case late(by: UInt64)
    /// They fit so far, but a service of the table has no other one that confirms it: with another number it fits as well.
    case unconfirmed
    /// No number makes it fit: a change was missed that was not noticed, or there is no such rule.
    case inconsistent

    /// The search ends here.
    private static let limit: UInt64 = 1 << 16

    /// - Parameters:
    ///   - table: what is known, each bit once.
    ///   - sightings: what was seen, the table among it.
    init(_ table: [OverflowEntry], _ sightings: [OverflowEntry]) {
        guard let (late, rule) = Self.rule(of: sightings) else {
            self = .inconsistent
            return
        }
        // Only what the rule was begun with can be without confirmation: all else is a sum of that.
        let founders = sightings.prefix(1) + rule.founders
        let confirmed = founders.filter(table.contains)
            .allSatisfy { founder in
                let others = sightings.filter { $0 != founder }
                return Rule(others, lateBy: late)?.founders.count == rule.founders.count
            }
        self = if !confirmed { .unconfirmed } else if late == 0 { .asCounted } else { .late(by: late) }
    }

    private static func rule(of sightings: [OverflowEntry]) -> (late: UInt64, rule: Rule)? {
        for late in 0..<limit {
            if let rule = Rule(sightings, lateBy: late) { return (late, rule) }
        }
        return nil
    }

    /// What differences of services mean for differences of bits.
    private struct Rule {
        /// Those that none of the ones before them add up to, without the very first one.
        private(set) var founders: [OverflowEntry] = []

        /// - Returns: nil if the differences contradict each other.
        init?(_ sightings: [OverflowEntry], lateBy late: UInt64) {
            guard let first = sightings.first else { return }
            // The founders' differences, by their highest bit, each with that of the bits.
            var basis: [(service: UInt64, bit: Int)?] = Array(repeating: nil, count: 64)
            for entry in sightings.dropFirst() {
                var service = (entry.service &+ late) ^ (first.service &+ late)
                var bit = entry.index ^ first.index
                while service != 0 {
                    let highest = 63 - service.leadingZeroBitCount
                    guard let known = basis[highest] else {
                        basis[highest] = (service, bit)
                        founders.append(entry)
                        break
                    }
                    service ^= known.service
                    bit ^= known.bit
                }
                if service == 0, bit != 0 { return nil }
            }
        }
    }
}
