#if SwiftCrypto
    import Crypto
    import CryptoExtras

    /// CBC-MAC in one call of swift-crypto, which has CMAC only. For whole blocks the two differ in what CMAC adds to the
    /// last one, a value that follows from the key (RFC 4493, 2.3 and 2.4); added beforehand, it goes away.
    struct BlockChain: ~Copyable, BlockChaining {
        /// A code of nothing yet. To copy it takes half the time of making another.
        private let beginning: AES.CMAC
        /// What CMAC adds, K1.
        private let subkey: (UInt64, UInt64)

        init(key: AESKey) {
            beginning = accepted { try AES.CMAC(key: key.cipher.symmetric, outputSize: 4) }
            let block = key.encrypt(.zero)
            // Twice L in the field of 2^128 elements.
            let reduction: UInt64 = block.high >> 63 == 0 ? 0 : 0x87
            subkey = (
                (block.high << 1 | block.low >> 63).bigEndian,
                (block.low << 1 ^ reduction).bigEndian
            )
        }

        mutating func authenticate(_ words: BlockWords) -> UInt32 {
            let last = words.count - 2
            unsafe words[last] ^= subkey.0
            unsafe words[last + 1] ^= subkey.1
            var code = beginning
            unsafe code.update(bufferPointer: UnsafeRawBufferPointer(words))
            unsafe words[last] ^= subkey.0
            unsafe words[last + 1] ^= subkey.1
            // Given away, since it would be copied if it were still there.
            return unsafe (consume code).finalize().withUnsafeBytes { bytes in
                unsafe bytes.loadUnaligned(as: UInt32.self).littleEndian
            }
        }
    }
#endif
