#if SwiftCrypto
    import Crypto
    import CryptoExtras

    /// CMAC by swift-crypto.
    struct MessageCode: MessageCoding {
        private var state: AES.CMAC

        init(key: Block128) {
            state = accepted { try AES.CMAC(key: SymmetricKey(data: key.bigEndianBytes)) }
        }

        mutating func update(_ bytes: UnsafeRawBufferPointer) {
            unsafe state.update(bufferPointer: bytes)
        }

        consuming func finish() -> Block128 {
            guard let block = unsafe state.finalize().withUnsafeBytes({ unsafe Block128(bigEndian: $0) }) else {
                preconditionFailure("CMAC gave no block")
            }
            return block
        }
    }
#endif
