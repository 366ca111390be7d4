import Crypto
import CryptoExtras

/// AES-128 on many blocks in one call of swift-crypto, whose call for a single block spends most of its time on other
/// things than AES. `docs/decisions/040-link-encryption.md` has the figures.
///
/// Cipher feedback serves for something that it was not made for: decrypting, it computes P(i) = C(i) ^ e(C(i-1)), which
/// gives e of every C(i), whatever these are.
///
/// Blocks come in memory as they are to be encrypted, as two words each.
struct BlockBatch: Sendable {
    typealias Words = UnsafeMutableBufferPointer<UInt64>

    private let key: AESKey

    /// Always the same: making another one takes a quarter of a call.
    private static let initializationVector = accepted {
        try AES._CFB.IV(ivBytes: Block128.zero.bigEndianBytes)
    }

    init(key: AESKey) { self.key = key }

    /// Replaces each block by its encryption, except the last, which is for working with.
    func encryptEach(_ words: Words) {
        unsafe words[words.count - 2] = 0
        unsafe words[words.count - 1] = 0
        let text = accepted {
            try unsafe AES._CFB.decrypt(
                UnsafeRawBufferPointer(words),
                using: key.symmetric,
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

/// What swift-crypto answers to keys, nonces and texts of the right length, which it never refuses.
func accepted<Result>(_ body: () throws -> Result) -> Result {
    do {
        return try body()
    } catch {
        preconditionFailure("AES refuses only wrong lengths: \(error)")
    }
}

/// The bytes that swift-crypto answers with, in a type that this module has no other use for.
func withBytes<Result>(of answer: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let result = answer.withContiguousStorageIfAvailable { unsafe body(UnsafeRawBufferPointer($0)) }
    guard let result else { preconditionFailure("swift-crypto answers with bytes in one place") }
    return result
}
