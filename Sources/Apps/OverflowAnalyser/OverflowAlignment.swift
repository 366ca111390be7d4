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
    /// No number makes it fit: a change was missed that was not noticed, or there is no such rule.
    case inconsistent

    /// The search ends here.
    private static let limit: UInt64 = 1 << 16

    init(_ entries: [OverflowEntry]) {
        guard let late = (0..<Self.limit).first(where: { Self.isLinear(entries, lateBy: $0) }) else {
            self = .inconsistent
            return
        }
        self = late == 0 ? .asCounted : .late(by: late)
    }

    private static func isLinear(_ entries: [OverflowEntry], lateBy late: UInt64) -> Bool {
        guard let first = entries.first else { return true }
        // Differences of services that none of the others add up to, by their highest bit, each with that of the bits.
        var basis: [(service: UInt64, bit: Int)?] = Array(repeating: nil, count: 64)
        for entry in entries.dropFirst() {
            var service = (entry.service &+ late) ^ (first.service &+ late)
            var bit = entry.index ^ first.index
            while service != 0 {
                let highest = 63 - service.leadingZeroBitCount
                guard let known = basis[highest] else {
                    basis[highest] = (service, bit)
                    break
                }
                service ^= known.service
                bit ^= known.bit
            }
            if service == 0, bit != 0 { return false }
        }
        return true
    }
}
