import BluethroatByteCoding
import BluethroatVirtualTime

/// Random octets in the shape that descriptions give: lengths and counts fit, all else is any value.
struct RandomPackets {
    var random: SeededRandom
    private var bits: [Bool] = []
    /// Numbers of the fields written so far, by name.
    private var numbers: [(name: String, value: Int)] = []

    init(seed: UInt64) { random = SeededRandom(seed: seed, purpose: "packets") }

    mutating func bytes(of fields: [FieldDescription]) -> [UInt8] {
        bits = []
        numbers = []
        append(fields)
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<min(start + 8, bits.count)].enumerated()
                .reduce(0) { $0 | ($1.element ? 1 << UInt8($1.offset) : 0) }
        }
    }

    private mutating func append(_ fields: [FieldDescription]) {
        for field in fields { append(field, others: fields) }
    }

    private mutating func append(_ field: FieldDescription, others: [FieldDescription]) {
        switch field.shape {
        case .unsigned(let count), .signed(let count):
            var value = number(bits: count)
            if let range = Self.range(of: field.name, among: others) {
                value = UInt64(range.lowerBound) + random.next() % UInt64(range.count)
            }
            for bit in 0..<count { bits.append(value >> UInt64(bit) & 1 == 1) }
            numbers.append((field.name, Int(truncatingIfNeeded: value)))
        case .bytes(let length): append(octets: count(of: length))
        case .padded(_, let total): append(octets: total)
        case .group(let fields, let repetition):
            switch repetition {
            case .counted(let name): for _ in 0..<number(name) { append(fields) }
            case .rest: for _ in 0..<(1 + Int(random.next() % 3)) { append(fields) }
            case .when(let name, let bit): if number(name) >> bit & 1 == 1 { append(fields) }
            }
        }
    }

    /// Small numbers are frequent, since most enumerations have few values.
    private mutating func number(bits count: Int) -> UInt64 {
        var value: UInt64 = 0
        for octet in 0..<(count + 7) / 8 {
            let draw = random.next()
            value |= (draw & 0x300 == 0 ? draw & 0xFF : draw & 0x03) << UInt64(8 * octet)
        }
        return value
    }

    private mutating func append(octets count: Int) {
        for _ in 0..<count {
            let octet = random.next()
            for bit in 0..<8 { bits.append(octet >> UInt64(bit) & 1 == 1) }
        }
    }

    private mutating func count(of length: FieldLength) -> Int {
        switch length {
        case .fixed(let count): count
        case .rest: [2, 16, 0, 5][Int(random.next() % 4)]
        case .counted(let name, let less): number(name) - less
        case .countedAtMost(let name): number(name)
        case .selected(let name, let counts): counts[UInt64(number(name))] ?? 0
        }
    }

    private func number(_ name: String) -> Int { numbers.last { $0.name == name }?.value ?? 0 }

    /// What a field may hold that others depend on: a few entries, a few octets, a value that selects a length.
    private static func range(of name: String, among fields: [FieldDescription]) -> Range<Int>? {
        for field in fields {
            switch field.shape {
            case .bytes(.counted(let by, let less)) where by == name: return less..<less + 8
            case .bytes(.countedAtMost(let by)) where by == name: return 0..<8
            case .bytes(.selected(let by, _)) where by == name: return 1..<3
            case .padded(let by, let total) where by == name: return 0..<total + 1
            case .group(_, .counted(let by)) where by == name: return 0..<4
            case .group(_, .when(let by, _)) where by == name: return 0..<8
            case .group(let inner, _): if let range = range(of: name, among: inner) { return range }
            default: break
            }
        }
        return nil
    }
}
