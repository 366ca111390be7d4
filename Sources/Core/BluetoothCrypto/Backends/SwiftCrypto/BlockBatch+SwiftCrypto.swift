#if SwiftCrypto
    import Crypto
    import CryptoExtras

    /// AES-128 on many blocks in one call of swift-crypto, whose call for a single block spends most of its time on other
    /// things than AES. `docs/decisions/040-link-encryption.md` has the figures.
    ///
    /// Cipher feedback serves for something that it was not made for: decrypting, it computes P(i) = C(i) ^ e(C(i-1)), which
    /// gives e of every C(i), whatever these are.
    struct BlockBatch: ~Copyable, BlockBatching {
        private let key: AESKey

        /// Always the same: making another one takes a quarter of a call.
        private static let initializationVector = accepted {
            try AES._CFB.IV(ivBytes: Block128.zero.bigEndianBytes)
        }

        init(key: AESKey) { self.key = key }

        mutating func encryptEach(_ words: BlockWords) {
            unsafe words[words.count - 2] = 0
            unsafe words[words.count - 1] = 0
            let text = accepted {
                try unsafe AES._CFB.decrypt(
                    UnsafeRawBufferPointer(words),
                    using: key.cipher.symmetric,
                    iv: Self.initializationVector
                )
            }
            withBytes(of: text) { bytes in
                for index in 0..<(words.count - 2) {
                    let next = unsafe bytes.loadUnaligned(fromByteOffset: 8 * (index + 2), as: UInt64.self)
                    unsafe words[index] = next ^ words[index + 2]
                }
            }
        }
    }
#endif
