#if SwiftCrypto
    import Crypto
    import CryptoExtras

    /// The key stream of one long packet of CCM, in swift-crypto's counter mode, which encrypts several blocks at once.
    struct CounterMode: ~Copyable, BlockCounting {
        private let key: AESKey

        init(key: AESKey) { self.key = key }

        mutating func apply(to words: BlockWords, from first: (UInt64, UInt64)) {
            let nonce = unsafe withUnsafeBytes(of: first) { bytes in
                accepted { try unsafe AES._CTR.Nonce(nonceBytes: bytes) }
            }
            let text = accepted {
                try unsafe AES._CTR.encrypt(UnsafeRawBufferPointer(words), using: key.cipher.symmetric, nonce: nonce)
            }
            withBytes(of: text) { unsafe UnsafeMutableRawBufferPointer(words).copyMemory(from: $0) }
        }
    }
#endif
