import Crypto
import CryptoExtras

/// The key stream of one long packet of CCM, in swift-crypto's counter mode, which encrypts several blocks at once.
struct CounterMode: Sendable {
    private let key: AESKey

    init(key: AESKey) { self.key = key }

    /// Encrypts or decrypts some blocks in place, the first of which is encrypted by A0, `first`.
    func apply(to words: BlockBatch.Words, from first: (UInt64, UInt64)) {
        let nonce = unsafe withUnsafeBytes(of: first) { bytes in
            accepted { try unsafe AES._CTR.Nonce(nonceBytes: bytes) }
        }
        let text = accepted {
            try unsafe AES._CTR.encrypt(UnsafeRawBufferPointer(words), using: key.symmetric, nonce: nonce)
        }
        withBytes(of: text) { unsafe UnsafeMutableRawBufferPointer(words).copyMemory(from: $0) }
    }
}
