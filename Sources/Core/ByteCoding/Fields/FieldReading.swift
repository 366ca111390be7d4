/// A field found in a packet: where, and what it holds.
public struct FieldReading: Sendable {
    public let description: FieldDescription
    /// The first bit, counted from the packet's first octet; bit 0 of an octet is its lowest.
    public let bitOffset: Int
    public let bitCount: Int
    public let value: FieldValue
    /// The fields of a group, for each time that it is there; empty for others.
    public let groups: [[FieldReading]]
}

extension [FieldDescription] {
    /// Takes a packet apart by nothing but the descriptions. Bytes that no field describes are an error, as are fields
    /// that the packet ends before.
    public func read(_ bytes: [UInt8]) throws(DecodeError) -> [FieldReading] {
        var reader = FieldReader(bytes: bytes)
        let readings = try reader.read(self, after: [])
        guard reader.bitsLeft == 0 else { throw .trailingBytes((reader.bitsLeft + 7) / 8) }
        return readings
    }
}

/// Goes through a packet from field to field.
private struct FieldReader {
    let bytes: [UInt8]
    var position = 0

    var bitsLeft: Int { 8 * bytes.count - position }

    /// `scope` holds the fields read before, which lengths and counts refer to by name.
    mutating func read(_ fields: [FieldDescription], after scope: [FieldReading]) throws(DecodeError) -> [FieldReading]
    {
        var known = scope
        known.reserveCapacity(scope.count + fields.count)
        for field in fields {
            let start = position
            let (value, groups) = try read(field, after: known)
            known.append(
                FieldReading(
                    description: field,
                    bitOffset: start,
                    bitCount: position - start,
                    value: value,
                    groups: groups
                )
            )
        }
        return Array(known[scope.count...])
    }

    private mutating func read(
        _ field: FieldDescription,
        after scope: [FieldReading]
    ) throws(DecodeError) -> (FieldValue, [[FieldReading]]) {
        switch field.shape {
        case .unsigned(let bits): return (.unsigned(try takeBits(bits)), [])
        case .signed(let bits):
            let shift = 64 - bits
            return (.signed(Int64(bitPattern: try takeBits(bits) << shift) >> shift), [])
        case .bytes(let length): return (.bytes(try takeBytes(try byteCount(length, scope))), [])
        case .padded(let name, let total):
            let count = try number(of: name, scope)
            guard 0...total ~= count else { throw .invalidLength(count) }
            return (.bytes(Array(try takeBytes(total).prefix(count))), [])
        case .group(let fields, let repetition):
            let groups = try takeGroups(fields, repetition, after: scope)
            return (.groups(groups.map { $0.map(\.value) }), groups)
        }
    }

    private mutating func takeGroups(
        _ fields: [FieldDescription],
        _ repetition: FieldRepetition,
        after scope: [FieldReading]
    ) throws(DecodeError) -> [[FieldReading]] {
        var groups: [[FieldReading]] = []
        switch repetition {
        case .counted(let name):
            let count = try number(of: name, scope)
            guard count >= 0 else { throw .invalidLength(count) }
            for _ in 0..<count { groups.append(try read(fields, after: scope)) }
        case .rest:
            while bitsLeft > 0 {
                let before = bitsLeft
                groups.append(try read(fields, after: scope))
                guard bitsLeft < before else { throw .invalidLength(0) }
            }
        case .when(let name, let bit):
            if try number(of: name, scope) >> bit & 1 == 1 { groups.append(try read(fields, after: scope)) }
        }
        return groups
    }

    private func byteCount(_ length: FieldLength, _ scope: [FieldReading]) throws(DecodeError) -> Int {
        switch length {
        case .fixed(let count): return count
        case .rest(let except): return bitsLeft / 8 - except
        case .counted(let name, let less): return try number(of: name, scope) - less
        case .countedAtMost(let name): return min(try number(of: name, scope), bitsLeft / 8)
        case .selected(let name, let counts):
            let value = try number(of: name, scope)
            guard let key = UInt64(exactly: value), let count = counts[key] else { throw .invalidLength(value) }
            return count
        }
    }

    /// The field of this name that was read last. That there is one is a property of the description, not of the bytes.
    private func number(of name: String, _ scope: [FieldReading]) throws(DecodeError) -> Int {
        guard let reading = scope.last(where: { $0.description.name == name }) else {
            preconditionFailure("a field refers to \(name), which does not stand before it")
        }
        guard let number = reading.value.number, let count = Int(exactly: number) else { throw .invalidLength(-1) }
        return count
    }

    private mutating func takeBits(_ count: Int) throws(DecodeError) -> UInt64 {
        guard bitsLeft >= count else { throw .truncated(needed: (count + 7) / 8, available: bitsLeft / 8) }
        var value: UInt64 = 0, taken = 0
        while taken < count {
            let (octet, bit) = (position + taken).quotientAndRemainder(dividingBy: 8)
            let some = min(8 - bit, count - taken)
            let bits = UInt64(bytes[octet] >> UInt8(bit)) & (1 << UInt64(some) - 1)
            value |= bits << UInt64(taken)
            taken += some
        }
        position += count
        return value
    }

    private mutating func takeBytes(_ count: Int) throws(DecodeError) -> [UInt8] {
        guard count >= 0 else { throw .invalidLength(count) }
        guard bitsLeft / 8 >= count else { throw .truncated(needed: count, available: bitsLeft / 8) }
        precondition(position % 8 == 0, "bytes begin where an octet does")
        let start = position / 8
        position += 8 * count
        return Array(bytes[start..<start + count])
    }
}
