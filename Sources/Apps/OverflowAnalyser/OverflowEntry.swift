/// A service and the bit that was set when it was advertised.
public struct OverflowEntry: Hashable, Sendable {
    public static let bitCount = 128

    /// The last 64 bits of the service's UUID, the others being zero.
    public let service: UInt64
    /// The byte of the mask in which the bit is, 0 to 15.
    public let byte: Int
    /// That byte.
    public let value: UInt8

    /// The bit's place from the left of the mask, 0 to 127.
    public var index: Int { 8 * byte + value.leadingZeroBitCount }

    public var uuid: String {
        let digits = String(service, radix: 16, uppercase: true)
        let all = String(repeating: "0", count: 32 - digits.count) + digits
        var rest = all[...]
        return [8, 4, 4, 4, 12].map { length in
            defer { rest = rest.dropFirst(length) }
            return String(rest.prefix(length))
        }.joined(separator: "-")
    }
}

/// One phone that is listened to.
public struct OverflowSender: Sendable {
    /// Its address.
    public let name: String
    /// What is known, in the order in which it was found; each bit once.
    public private(set) var entries: [OverflowEntry] = []
    private var mask: [UInt8] = []
    private var next: UInt64
    private var lastChange: Double?
    private var hasComplained = false

    init(_ name: String, next: UInt64) {
        self.name = name
        self.next = next
    }

    /// Whether what is known fits together; worth asking when all bits are known.
    public var alignment: OverflowAlignment { OverflowAlignment(entries) }

    /// What is known, from the first bit to the last. If listening began late that is made up for.
    public var table: [OverflowEntry] {
        var late: UInt64 = 0
        if case .late(let count) = alignment { late = count }
        return entries.sorted { $0.index < $1.index }
            .map { OverflowEntry(service: $0.service &+ late, byte: $0.byte, value: $0.value) }
    }

    mutating func take(
        _ new: [UInt8],
        at time: Double,
        _ index: Int,
        _ settings: OverflowAnalyser.Settings
    ) -> [OverflowAnalyser.Finding] {
        var findings: [OverflowAnalyser.Finding] = []
        let gap = lastChange.map { time - $0 } ?? 0
        if gap > settings.longestStep, !hasComplained {
            findings.append(.missingChange(after: gap, sender: index))
            hasComplained = true
        }
        guard new != mask else { return findings }
        // What was missed was counted all the same.
        if gap > settings.longestStep {
            next &+= UInt64(max(0, (gap / settings.step).rounded() - 1))
        }
        mask = new
        lastChange = time
        hasComplained = false
        let bits = new.enumerated().filter { $0.element != 0 }
        let count = new.reduce(0) { $0 + $1.nonzeroBitCount }
        guard count == 1, let (byte, value) = bits.first else {
            if count > 1 { findings.append(.several(count: count, sender: index)) }
            next &+= 1
            return findings
        }
        let entry = OverflowEntry(service: next, byte: byte, value: value)
        next &+= 1
        if let known = entries.first(where: { $0.index == entry.index }) {
            findings.append(.collision(entry, with: known, sender: index))
        } else {
            entries.append(entry)
            findings.append(.found(entry, sender: index))
            if entries.count == OverflowEntry.bitCount { findings.append(.complete(sender: index)) }
        }
        return findings
    }
}
