/// Random numbers that may be shown: AES in counter mode, the same numbers for the same key. Keys, nonces, passkeys and
/// private addresses come from it.
///
/// A fast generator such as a world's seeded stream tells its whole past and future to whoever has seen one number.
/// Of what a host or a controller draws, half goes over the air in the clear: a nonce would give away the private key
/// that was drawn before it. A cipher gives nothing away.
public struct CipherRandom: RandomNumberGenerator, Sendable {
    private let key: AESKey
    private var counter: UInt64 = 0

    /// The stream of a key. Whoever knows the key knows all of it.
    public init(key: Block128) { self.key = AESKey(key) }

    /// A stream whose key is drawn from another.
    public init(from random: inout some RandomNumberGenerator) {
        let high = random.next()
        self.init(key: Block128(high: high, low: random.next()))
    }

    /// The next 128 random bits.
    public mutating func block() -> Block128 {
        counter += 1
        return key.encrypt(Block128(high: 0, low: counter))
    }

    public mutating func next() -> UInt64 { block().low }
}
