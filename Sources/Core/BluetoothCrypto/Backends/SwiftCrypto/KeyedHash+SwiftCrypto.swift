#if SwiftCrypto
    import Crypto

    /// HMAC-SHA256 by swift-crypto.
    enum KeyedHash: KeyedHashing {
        static func authenticate(_ message: [UInt8], key: [UInt8]) -> Block256 {
            let code = HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key))
            guard let block = unsafe code.withUnsafeBytes({ unsafe Block256(bigEndian: $0) }) else {
                preconditionFailure("SHA-256 gives 32 bytes")
            }
            return block
        }
    }
#endif
