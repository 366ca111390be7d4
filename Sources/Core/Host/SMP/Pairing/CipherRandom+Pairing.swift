internal import BluethroatBluetoothCrypto

/// What a pairing draws besides keys and nonces.
extension CipherRandom {
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
