#if !SwiftCrypto
    import BluethroatLibCrypto

    /// The key stream of one long packet of CCM, in libcrypto's counter mode, which encrypts several blocks at once.
    struct CounterMode: ~Copyable, BlockCounting {
        private var counter: CipherContext

        init(key: AESKey) { unsafe counter = CipherContext(LibCrypto.counter, key: key.cipher.prepared.secret) }

        mutating func apply(to words: BlockWords, from first: (UInt64, UInt64)) {
            counter.begin(with: first)
            guard let place = words.baseAddress else { return }
            unsafe counter.encrypt(UnsafeRawBufferPointer(words), to: place)
        }
    }
#endif
