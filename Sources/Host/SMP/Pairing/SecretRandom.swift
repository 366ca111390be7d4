internal import BluetoothCrypto
internal import VirtualTime

/// Where keys, nonces and passkeys come from: AES in counter mode, the same numbers for the same seed.
///
/// Half of what it draws is sent in the clear. `SeededRandom` tells its whole past and future to whoever has seen one
/// number, so that a nonce on the air would give away the private key drawn before it; a cipher does not.
struct SecretRandom: RandomNumberGenerator, Sendable {
    private let key: AESKey
    private var counter: UInt64 = 0

    init(key: Block128) { self.key = AESKey(key) }

    /// The key is drawn from a seeded stream.
    init(from random: inout SeededRandom) {
        let high = random.next()
        self.init(key: Block128(high: high, low: random.next()))
    }

    mutating func block() -> Block128 {
        counter += 1
        return key.encrypt(Block128(high: 0, low: counter))
    }

    mutating func next() -> UInt64 { block().low }

    /// A number of 64 bits that is not zero.
    mutating func nonZero() -> UInt64 {
        while true {
            let value = next()
            if value != 0 { return value }
        }
    }

    /// A passkey, all equally likely.
    mutating func passkey() -> Passkey {
        guard let passkey = Passkey(UInt32.random(in: 0...999_999, using: &self)) else {
            preconditionFailure("a passkey has six digits")
        }
        return passkey
    }
}
