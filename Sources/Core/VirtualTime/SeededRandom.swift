/// A stream of random numbers fixed by a world's seed, a device and a purpose.
///
/// Streams are independent: one more draw by a device's scanner shifts nothing in its advertiser, nor in any
/// other device. The generator is SplitMix64: eight bytes of state, the same numbers on every machine.
public struct SeededRandom: RandomNumberGenerator, Sendable {
    /// What a stream is drawn for, by name.
    public struct Purpose: Sendable, ExpressibleByStringLiteral {
        let hash: UInt64

        public init(stringLiteral value: StaticString) {
            // FNV-1a, since Swift's own hashes differ from process to process.
            var hash: UInt64 = 0xcbf2_9ce4_8422_2325
            value.withUTF8Buffer { bytes in
                for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
            }
            self.hash = hash
        }
    }

    private var state: UInt64

    public init(seed: UInt64, device: UInt64 = 0, purpose: Purpose) {
        state = Self.mix(Self.mix(Self.mix(seed) ^ device) ^ purpose.hash)
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        return Self.mix(state)
    }

    /// A number from 0 to `bound` - 1, all equally likely. `bound` is positive.
    public mutating func next(below bound: UInt64) -> UInt64 {
        precondition(bound > 0, "a random number below zero was asked for")
        // Lemire's multiplication method, with rejection of the biased part.
        var product = next().multipliedFullWidth(by: bound)
        if product.low < bound {
            let threshold = (0 &- bound) % bound
            while product.low < threshold { product = next().multipliedFullWidth(by: bound) }
        }
        return product.high
    }

    /// A span from zero to `longest`, both included.
    public mutating func span(upTo longest: TimeSpan) -> TimeSpan {
        TimeSpan(nanoseconds: Int64(next(below: UInt64(longest.nanoseconds) + 1)))
    }

    /// True with the given probability.
    public mutating func chance(_ probability: Ratio) -> Bool {
        guard probability.partsPerMillion > 0 else { return false }
        return next(below: 1_000_000) < UInt64(probability.partsPerMillion)
    }

    /// So many random bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        while bytes.count < count {
            var word = next()
            for _ in 0..<min(8, count - bytes.count) {
                bytes.append(UInt8(truncatingIfNeeded: word))
                word >>= 8
            }
        }
        return bytes
    }

    /// The finaliser of SplitMix64: every bit of the result depends on every bit of the input.
    static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9e37_79b9_7f4a_7c15
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
