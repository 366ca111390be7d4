/// Random numbers that may be shown: AES in counter mode, the same numbers for the same key. Keys, nonces, passkeys and
/// private addresses come from it.
///
/// One number of a fast generator, such as a world's seeded stream, is enough to compute all earlier and later ones.
/// Half of what a host or a controller draws goes over the air in the clear: a nonce would give away the private key
/// that was drawn before it. A cipher gives nothing away.
public struct CipherRandom: RandomNumberGenerator, Sendable {
    private let seed: Block128
    /// The key made ready, once a number was drawn: many streams are there for what seldom happens.
    private var key: AESKey?
    private var counter: UInt64 = 0

    /// The stream of a key. The key determines all of it.
    public init(key: Block128) { seed = key }

    /// A stream whose key is drawn from another.
    public init(from random: inout some RandomNumberGenerator) {
        let high = random.next()
        self.init(key: Block128(high: high, low: random.next()))
    }

    /// A stream whose key is drawn from another of this kind, which keeps no key ready for that alone.
    public init(from random: inout CipherRandom) {
        let key = random.key ?? AESKey(random.seed)
        let high = random.block(with: key).low
        self.init(key: Block128(high: high, low: random.block(with: key).low))
    }

    /// The next 128 random bits.
    public mutating func block() -> Block128 {
        let key = self.key ?? AESKey(seed)
        self.key = key
        return block(with: key)
    }

    public mutating func next() -> UInt64 { block().low }

    private mutating func block(with key: AESKey) -> Block128 {
        counter += 1
        return key.encrypt(Block128(high: 0, low: counter))
    }
}
