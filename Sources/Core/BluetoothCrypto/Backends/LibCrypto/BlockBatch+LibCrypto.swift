#if !SwiftCrypto
    import BluethroatLibCrypto

    /// AES on many blocks in one call of libcrypto, each by itself.
    struct BlockBatch: ~Copyable, BlockBatching {
        private var codebook: CipherContext

        init(key: AESKey) { codebook = CipherContext(copying: key.cipher.prepared.codebook) }

        mutating func encryptEach(_ words: BlockWords) {
            guard let place = words.baseAddress else { return }
            unsafe codebook.encrypt(
                UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(words).dropLast(16)),
                to: place
            )
        }
    }
#endif
