#if !SwiftCrypto
    import BluethroatLibCrypto

    /// AES on one block by libcrypto.
    struct BlockCipher: BlockCiphering {
        let prepared: PreparedKey

        init(key: Block128) { prepared = PreparedKey(key) }

        func encrypt(_ plaintext: Block128) -> Block128 {
            // Of its own for each call, since several threads may have this key: to copy one takes half the time that it
            // takes to expand a key anew.
            var context = CipherContext(copying: prepared.codebook)
            var words = (plaintext.high.bigEndian, plaintext.low.bigEndian)
            unsafe withUnsafeMutableBytes(of: &words) { bytes in
                guard let place = bytes.baseAddress else { return }
                unsafe context.encrypt(UnsafeRawBufferPointer(bytes), to: place)
            }
            return Block128(high: UInt64(bigEndian: words.0), low: UInt64(bigEndian: words.1))
        }
    }

    /// A key, and AES with it, expanded, which is copied and never used itself.
    final class PreparedKey: Sendable {
        let secret: SecretBytes
        let codebook: CipherContext

        init(_ key: Block128) {
            secret = SecretBytes(key)
            unsafe codebook = CipherContext(LibCrypto.codebook, key: secret)
        }
    }
#endif
