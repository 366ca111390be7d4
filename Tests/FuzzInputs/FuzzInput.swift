public import BluethroatVirtualTime

/// Where a fuzzed world takes its choices from: the bytes that a fuzzer gives, or the endless stream of a seed.
///
/// From bytes, a choice among at most 256 takes one byte and a choice among at most 65,536 takes two, so that a changed
/// byte changes one choice. When the bytes are used up, every choice is the first one (0), and `isEmpty` is true.
public struct FuzzInput: Sendable {
    private var bytes: [UInt8]
    private var position = 0
    private var stream: SeededRandom?

    /// The choices that these bytes stand for.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// An endless stream, the same for the same arguments.
    public init(seed: UInt64, device: UInt64 = 0, purpose: SeededRandom.Purpose) {
        bytes = []
        stream = SeededRandom(seed: seed, device: device, purpose: purpose)
    }

    /// Whether all bytes are used up. A stream never is.
    public var isEmpty: Bool { stream == nil && position >= bytes.count }

    private mutating func take(_ count: Int) -> UInt64 {
        var value: UInt64 = 0
        for place in 0..<count where position < bytes.count {
            value |= UInt64(bytes[position]) << UInt64(8 * place)
            position += 1
        }
        return value
    }

    /// Any 64 bits.
    public mutating func next() -> UInt64 {
        if stream != nil { return stream?.next() ?? 0 }
        return take(8)
    }

    /// A number from 0 to `bound` - 1. `bound` is positive.
    public mutating func next(below bound: UInt64) -> UInt64 {
        precondition(bound > 0, "a choice among nothing was asked for")
        if stream != nil { return stream?.next(below: bound) ?? 0 }
        return take(bound <= 0x100 ? 1 : bound <= 0x1_0000 ? 2 : 8) % bound
    }

    /// A span from zero to `longest`, both included.
    public mutating func span(upTo longest: TimeSpan) -> TimeSpan {
        if stream != nil { return stream?.span(upTo: longest) ?? .zero }
        // In 65,536 steps, so that it takes two bytes.
        return TimeSpan(nanoseconds: longest.nanoseconds / 0xFFFF * Int64(take(2)))
    }

    /// So many bytes; zeros where there are no more.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        if stream != nil { return stream?.bytes(count) ?? [] }
        let end = min(position + count, bytes.count)
        let taken = bytes[position..<end]
        position = end
        return taken + [UInt8](repeating: 0, count: count - taken.count)
    }

    /// The bytes that are left. Not for a stream, which has no end.
    public mutating func rest() -> [UInt8] {
        precondition(stream == nil, "the rest of an endless stream was asked for")
        return bytes(bytes.count - position)
    }
}

extension FuzzInput {
    /// An index of a list of that many elements.
    public mutating func index(_ count: Int) -> Int { Int(next(below: UInt64(count))) }

    /// Any byte.
    public mutating func byte() -> UInt8 { UInt8(next(below: 0x100)) }

    /// One of the elements, of which there is one at least.
    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[index(elements.count)] }

    /// The bytes with a few of them changed, some cut off or some added.
    public mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...index(3) where !bytes.isEmpty {
            switch index(6) {
            case 0: bytes[index(bytes.count)] = byte()
            case 1: bytes[index(bytes.count)] ^= 1 << UInt8(index(8))
            case 2: bytes[index(bytes.count)] = pick([0, 1, 0x7F, 0x80, 0xFE, 0xFF])
            case 3: bytes.removeLast(min(bytes.count, 1 + index(3)))
            case 4: bytes += self.bytes(1 + index(4))
            default: bytes.swapAt(index(bytes.count), index(bytes.count))
            }
        }
        return bytes
    }
}
