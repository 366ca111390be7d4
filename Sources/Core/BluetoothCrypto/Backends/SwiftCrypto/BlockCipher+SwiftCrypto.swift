#if SwiftCrypto
    import Crypto
    import CryptoExtras

    /// AES on one block by swift-crypto.
    struct BlockCipher: BlockCiphering {
        let symmetric: SymmetricKey

        init(key: Block128) {
            symmetric = SymmetricKey(data: key.bigEndianBytes)
        }

        func encrypt(_ plaintext: Block128) -> Block128 {
            // An array, since swift-crypto's code for it is specialised; any other collection takes thrice the time.
            var bytes = plaintext.bigEndianBytes
            accepted { try AES.permute(&bytes, key: symmetric) }
            guard let block = Block128(bigEndian: bytes) else { preconditionFailure("AES gave no block") }
            return block
        }
    }
#endif
