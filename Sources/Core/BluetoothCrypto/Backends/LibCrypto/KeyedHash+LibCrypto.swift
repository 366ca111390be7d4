#if !SwiftCrypto
    import BluethroatLibCrypto

    /// HMAC-SHA256 by libcrypto.
    enum KeyedHash: KeyedHashing {
        static func authenticate(_ message: [UInt8], key: [UInt8]) -> Block256 {
            // Keys are filled up with zeros, so that this one is the empty one; libcrypto would take it for none at all.
            let key = key.isEmpty ? [0] : key
            var bytes = [UInt8](repeating: 0, count: 32)
            var count = 0
            let code = unsafe EVP_Q_mac(
                LibCrypto.library,
                "HMAC",
                nil,
                "SHA256",
                nil,
                key,
                key.count,
                message,
                message.count,
                &bytes,
                bytes.count,
                &count
            )
            guard unsafe code != nil, count == 32, let block = Block256(bigEndian: bytes) else {
                preconditionFailure("libcrypto lacks memory, or its default provider")
            }
            return block
        }
    }
#endif
