import Crypto
public import Foundation

/// How a phone and a desk agree on keys, so that a man in the middle has none.
///
/// The phone commits to a key before it has seen the desk's, so that an attacker cannot search for keys that make the
/// codes on both sides agree. The desk adds its lasting key: who knows that key from an earlier visit needs no code.
enum Handshake {
    enum Failure: Error, Equatable {
        /// A key is none, or the phone's is not the one it has promised.
        case badKey
        /// The desk does not have the key that it claims.
        case badProof
    }

    static func commitment(key: Data, nonce: Data) -> Data {
        Data(SHA256.hash(data: Data("bluethroat desk promise".utf8) + key + nonce))
    }

    /// What both have said, and with it everything that follows.
    fileprivate static func keys(
        _ first: SecretBytes,
        _ second: SecretBytes,
        hello: Data,
        offer: Data,
        reveal: Data
    ) -> (proof: SymmetricKey, toDesk: SymmetricKey, toPhone: SymmetricKey, transcript: Data) {
        let transcript = Data(
            SHA256.hash(
                data: Data("bluethroat desk 2".utf8) + [hello, offer, reveal].reduce(Data()) { $0 + counted($1) }
            )
        )
        // swift-crypto overwrites its keys itself.
        let secret = SecretBytes(joining: [first, second]).withUnsafeBytes { SymmetricKey(data: $0) }
        func key(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: secret,
                salt: transcript,
                info: Data(purpose.utf8),
                outputByteCount: 32
            )
        }
        return (key("proof"), key("to desk"), key("to phone"), transcript)
    }

    /// Six digits that are the same on both sides if both have heard the same. One chance in a million is an attacker's.
    fileprivate static func code(_ transcript: Data) -> String {
        DeskCode.digits(of: SHA256.hash(data: Data("bluethroat desk code".utf8) + transcript))
    }

    private static func counted(_ message: Data) -> Data {
        Data([UInt8(message.count >> 8), UInt8(truncatingIfNeeded: message.count)]) + message
    }

    fileprivate static func agree(_ own: Curve25519.KeyAgreement.PrivateKey, _ other: Data) throws(Failure)
        -> SecretBytes
    {
        guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: other),
            let secret = try? own.sharedSecretFromKeyAgreement(with: key)
        else { throw .badKey }
        let bytes = secret.withUnsafeBytes { SecretBytes($0) }
        // Points of small order give the same secret to all.
        guard bytes.withUnsafeBytes({ $0.contains { $0 != 0 } }) else { throw .badKey }
        return bytes
    }

    fileprivate static func proof(_ key: SymmetricKey, _ transcript: Data) -> Data {
        Data(HMAC<SHA256>.authenticationCode(for: transcript, using: key))
    }
}

extension Curve25519.KeyAgreement.PrivateKey {
    /// A key from a source of random bytes; any 32 bytes are one.
    init(_ random: RandomBytes) { try! self.init(rawRepresentation: random(32)) }
}

/// The phone's part.
struct PhoneHandshake {
    let hello: Data
    private(set) var reveal: Data
    private let key: Curve25519.KeyAgreement.PrivateKey
    private var offer = Data()
    private var answer: LoginMessage.Offer?

    init(_ identifier: DeskIdentifier, wantsCode: Bool, random: RandomBytes) {
        key = Curve25519.KeyAgreement.PrivateKey(random)
        let nonce = random(LoginMessage.nonceLength)
        let publicKey = key.publicKey.rawRepresentation
        reveal = LoginMessage.reveal(ephemeralKey: publicKey, nonce: nonce).bytes
        let commitment = Handshake.commitment(key: publicKey, nonce: nonce)
        hello = LoginMessage.hello(.init(identifier: identifier, wantsCode: wantsCode, commitment: commitment)).bytes
    }

    mutating func take(_ offer: LoginMessage.Offer) {
        answer = offer
        self.offer = LoginMessage.offer(offer).bytes
    }

    /// The keys, if the desk has shown that its lasting key is its own.
    func conclude(_ proof: Data) throws(Handshake.Failure) -> (channel: SealedChannel, code: String) {
        guard let answer else { throw .badProof }
        let keys = Handshake.keys(
            try Handshake.agree(key, answer.ephemeralKey),
            try Handshake.agree(key, answer.deskKey),
            hello: hello,
            offer: offer,
            reveal: reveal
        )
        guard HMAC<SHA256>.isValidAuthenticationCode(proof, authenticating: keys.transcript, using: keys.proof) else {
            throw .badProof
        }
        let channel = SealedChannel(sending: keys.toDesk, receiving: keys.toPhone, bound: keys.transcript)
        return (channel, Handshake.code(keys.transcript))
    }
}

/// The desk's part.
struct DeskHandshake {
    let offer: Data
    let hello: LoginMessage.Hello
    /// Whether the desk has said that it draws digits.
    let demandsCode: Bool
    private let key: Curve25519.KeyAgreement.PrivateKey
    private let deskKey: Curve25519.KeyAgreement.PrivateKey

    init(_ hello: LoginMessage.Hello, deskKey: DeskKey, demandsCode: Bool, random: RandomBytes) {
        self.hello = hello
        self.demandsCode = demandsCode
        self.deskKey = deskKey.key
        key = Curve25519.KeyAgreement.PrivateKey(random)
        offer =
            LoginMessage.offer(
                .init(
                    ephemeralKey: key.publicKey.rawRepresentation,
                    deskKey: deskKey.publicKey,
                    nonce: random(LoginMessage.nonceLength),
                    demandsCode: demandsCode
                )
            ).bytes
    }

    func conclude(
        ephemeralKey: Data,
        nonce: Data
    ) throws(Handshake.Failure) -> (channel: SealedChannel, code: String, proof: Data) {
        guard Handshake.commitment(key: ephemeralKey, nonce: nonce) == hello.commitment else { throw .badKey }
        let keys = Handshake.keys(
            try Handshake.agree(key, ephemeralKey),
            try Handshake.agree(deskKey, ephemeralKey),
            hello: LoginMessage.hello(hello).bytes,
            offer: offer,
            reveal: LoginMessage.reveal(ephemeralKey: ephemeralKey, nonce: nonce).bytes
        )
        let channel = SealedChannel(sending: keys.toPhone, receiving: keys.toDesk, bound: keys.transcript)
        return (channel, Handshake.code(keys.transcript), Handshake.proof(keys.proof, keys.transcript))
    }
}

/// What a desk is known by for good.
public struct DeskKey: Sendable {
    let key: Curve25519.KeyAgreement.PrivateKey

    public init(random: RandomBytes = .system) { key = Curve25519.KeyAgreement.PrivateKey(random) }

    /// A key that was kept; nil unless it is 32 bytes.
    public init?(_ bytes: Data) {
        guard bytes.count == 32, let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: bytes) else {
            return nil
        }
        self.key = key
    }

    /// The secret, to be kept.
    public var bytes: Data { key.rawRepresentation }

    public var publicKey: Data { key.publicKey.rawRepresentation }
}
