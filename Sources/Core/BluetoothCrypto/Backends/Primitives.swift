// What a backend computes. There are two: swift-crypto with the trait SwiftCrypto, and without it the system's libcrypto,
// OpenSSL 3. Each has one type for each of these protocols, and everything outside of `Backends` is the same for both, as
// are the results, bit for bit. docs/decisions/230-the-systems-libcrypto.md says why there are two.
//
// Lengths are right before they come here, so that a backend has nothing to refuse but points and private keys.

/// Blocks in memory as they are to be encrypted, two words each.
typealias BlockWords = UnsafeMutableBufferPointer<UInt64>

/// AES-128 under one key, a block at a time, by several threads if need be.
protocol BlockCiphering: Sendable {
    init(key: Block128)
    func encrypt(_ plaintext: Block128) -> Block128
}

/// AES-128 on many blocks in one call.
protocol BlockBatching: ~Copyable, Sendable {
    init(key: AESKey)
    /// Replaces each block by its encryption, except the last, which is for working with.
    mutating func encryptEach(_ words: BlockWords)
}

/// CBC-MAC.
protocol BlockChaining: ~Copyable, Sendable {
    init(key: AESKey)
    /// The first 32 bits of the CBC-MAC of some blocks, at least one, the first byte lowest. The blocks stay as they are.
    mutating func authenticate(_ words: BlockWords) -> UInt32
}

/// AES-128 in counter mode.
protocol BlockCounting: ~Copyable, Sendable {
    init(key: AESKey)
    /// Encrypts or decrypts some blocks in place, the first of which is encrypted by `first`, the next ones by what follows.
    mutating func apply(to words: BlockWords, from first: (UInt64, UInt64))
}

/// AES-CMAC of a message in pieces. A copy goes its own way.
protocol MessageCoding: Sendable {
    init(key: Block128)
    mutating func update(_ bytes: UnsafeRawBufferPointer)
    consuming func finish() -> Block128
}

/// A point of the curve P-256.
protocol CurvePointing: Sendable {
    var x: Block256 { get }
    var y: Block256 { get }
    /// Nil unless both coordinates are below the field's prime and belong to a point.
    init?(x: Block256, y: Block256)
}

/// A private key of P-256.
protocol KeyAgreeing: Sendable {
    /// Nil for 0 and for the curve's order and above.
    init?(_ number: Block256)
    /// The public half.
    var point: CurvePoint { get }
    /// The X coordinate of the point that this key and a peer's have in common.
    func agree(with peer: CurvePoint) -> Block256
}

/// HMAC-SHA256.
protocol KeyedHashing {
    static func authenticate(_ message: [UInt8], key: [UInt8]) -> Block256
}
