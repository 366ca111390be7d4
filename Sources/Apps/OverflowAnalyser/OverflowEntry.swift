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
    /// What was seen of single bits, as often as it came, until there is enough to tell whether all fits together.
    private var sightings: [OverflowEntry] = []
    private static let mostSightings = 1_024
    /// For each byte of the mask: advertisements in which one of its bits was set.
    private var frames = [Int](repeating: 0, count: 16)
    /// Those of them in which that was the only bit in the area.
    private var agreeing = [Int](repeating: 0, count: 16)
    private var mask: [UInt8] = []
    private var next: UInt64
    private var lastChange: Double?
    private var hasComplained = false

    init(_ name: String, next: UInt64) {
        self.name = name
        self.next = next
    }

    /// Whether what is known fits together; worth asking when all bits are known.
    public var alignment: OverflowAlignment { OverflowAlignment(entries, sightings) }

    /// What is known, from the first bit to the last. If listening began late that is made up for.
    public var table: [OverflowEntry] {
        var late: UInt64 = 0
        if case .late(let count) = alignment { late = count }
        return entries.sorted { $0.index < $1.index }
            .map { OverflowEntry(service: $0.service &+ late, byte: $0.byte, value: $0.value) }
    }

    /// The confidence in each of the 16 bytes of the table, 0 to 1: `agreeing / frames × sure / 8`. `frames` counts the
    /// advertisements in which a bit of the byte was set, `agreeing` those of them in which no other bit of the area was,
    /// so that it belongs to the service of that time, and `sure` the bits of the byte whose service is known. A byte
    /// in which nothing was ever set has 0.
    public var confidence: [Double] {
        (0..<16).map { byte in
            guard frames[byte] > 0 else { return 0 }
            let sure = entries.count { $0.byte == byte }
            return Double(agreeing[byte]) / Double(frames[byte]) * Double(sure) / 8
        }
    }

    private mutating func count(_ mask: [UInt8]) {
        let isAlone = mask.reduce(0) { $0 + $1.nonzeroBitCount } == 1
        for byte in mask.indices where mask[byte] != 0 {
            frames[byte] += 1
            if isAlone { agreeing[byte] += 1 }
        }
    }

    mutating func take(
        _ new: [UInt8],
        at time: Double,
        _ index: Int,
        _ settings: OverflowAnalyser.Settings
    ) -> [OverflowAnalyser.Finding] {
        count(new)
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
        let known = entries.first { $0.index == entry.index }
        if known == nil || sightings.count < Self.mostSightings { sightings.append(entry) }
        if let known {
            findings.append(.collision(entry, with: known, sender: index))
        } else {
            entries.append(entry)
            findings.append(.found(entry, sender: index))
            if entries.count == OverflowEntry.bitCount { findings.append(.complete(sender: index)) }
        }
        return findings
    }
}
