internal import BluethroatBluetoothCrypto
internal import BluethroatVirtualTime

extension HostConfiguration {
    /// The block that all secrets of this host come from.
    var rootSecret: Block128 {
        if let secret { return secret }
        var random = SeededRandom(seed: seed, device: device, purpose: "secret")
        let high = random.next()
        return Block128(high: high, low: random.next())
    }

    /// A stream of secret numbers for one use; those of different uses reveal nothing about each other.
    func secretRandom(for use: SecretUse) -> CipherRandom {
        let label = Block128(high: 0x424C_5545_5448_524F, low: UInt64(use.rawValue))
        return CipherRandom(key: AESBlock.encrypt(key: rootSecret, plaintext: label))
    }

    /// The identity resolving key that belongs to the secret.
    func drawIdentityResolvingKey() -> Block128 {
        var random = secretRandom(for: .identityResolvingKey)
        return random.block()
    }
}

/// What secret numbers are drawn for.
enum SecretUse: UInt8 {
    case pairing = 1
    case identityResolvingKey = 2
    case privateAddresses = 3
}
