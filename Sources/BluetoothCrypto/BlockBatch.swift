import Crypto
import CryptoExtras

/// AES-128 on many blocks in one call of swift-crypto, which has no CCM, and whose call for a single block spends most
/// of its time on other things than AES. `docs/decisions/040-link-encryption.md` has the figures.
///
/// Cipher feedback serves for two things that it was not made for. It computes C(i) = P(i) ^ e(C(i-1)), with C(0) = IV:
///
/// - when encrypting, with P(1) chosen so that C(1) = B0, the C(i) are the chain of CBC-MAC;
/// - when decrypting, it gives e of every C(i), whatever these are.
///
/// Blocks come in memory as they are to be encrypted, as two words each.
struct BlockBatch: Sendable {
    typealias Words = UnsafeMutableBufferPointer<UInt64>

    private let key: SymmetricKey
    /// Always zero: making another one takes a quarter of a call.
    private let initializationVector: AES._CFB.IV
    /// e(IV).
    private let first: (UInt64, UInt64)

    init(key: Block128) {
        let prepared = AESKey(key)
        self.key = prepared.symmetric
        initializationVector = Self.accepted { try AES._CFB.IV(ivBytes: Block128.zero.bigEndianBytes) }
        let block = prepared.encrypt(.zero)
        first = (block.high.bigEndian, block.low.bigEndian)
    }

    /// The first 32 bits of the CBC-MAC of some blocks, the first byte lowest.
    ///
    /// The last block has to be zero and does not count: what comes out in its place is the end of the chain. The
    /// first block is spoilt.
    func authenticate(_ words: Words) -> UInt32 {
        unsafe words[0] ^= first.0
        unsafe words[1] ^= first.1
        let chain = Self.accepted {
            try unsafe AES._CFB.encrypt(UnsafeRawBufferPointer(words), using: key, iv: initializationVector)
        }
        return Self.withBytes(of: chain) { bytes in
            unsafe bytes.loadUnaligned(fromByteOffset: bytes.count - 16, as: UInt32.self).littleEndian
        }
    }

    /// Replaces each block by its encryption, except the last, which is for working with.
    func encryptEach(_ words: Words) {
        unsafe words[words.count - 2] = 0
        unsafe words[words.count - 1] = 0
        let text = Self.accepted {
            try unsafe AES._CFB.decrypt(UnsafeRawBufferPointer(words), using: key, iv: initializationVector)
        }
        Self.withBytes(of: text) { bytes in
            for index in 0..<(words.count - 2) {
                let next = unsafe bytes.loadUnaligned(fromByteOffset: 8 * (index + 2), as: UInt64.self)
                unsafe words[index] = next ^ words[index + 2]
            }
        }
    }

    /// Keys and initialisation vectors of the right length are never refused.
    private static func accepted<Result>(_ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch {
            preconditionFailure("AES refuses only wrong lengths: \(error)")
        }
    }

    /// The bytes that swift-crypto answers with, in a type that this module has no other use for.
    private static func withBytes<Result>(
        of answer: some Collection<UInt8>,
        _ body: (UnsafeRawBufferPointer) -> Result
    ) -> Result {
        let result = answer.withContiguousStorageIfAvailable { unsafe body(UnsafeRawBufferPointer($0)) }
        guard let result else { preconditionFailure("swift-crypto answers with bytes in one place") }
        return result
    }
}
