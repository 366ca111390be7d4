import Crypto
public import Foundation

/// The public key with which questions are encrypted for a bank, so that neither a man in the middle nor another program at
/// the bank's port can read them or answer them. The bank has signed it.
///
/// What is sealed with it is HPKE in base mode: DHKEM with X25519, HKDF with SHA-256, ChaCha20-Poly1305 (RFC 9180).
public struct BankEncryptionKey: Hashable, Sendable, Codable {
    /// The public key, X25519: 32 bytes.
    public var key: Data
    /// The bank's: 64 bytes, Ed25519.
    public var signature: Data

    public init(key: Data, signature: Data) {
        self.key = key
        self.signature = signature
    }

    /// Whether this bank has signed it.
    public func isKey(of bank: BankKey) -> Bool { bank.hasSigned(key, signature, as: .encryptionKey) }

    /// Makes of a question what only the bank of this key can read, and what opens its answer. Each time another one.
    ///
    /// - Returns: nil where `key` is none.
    public func seal(
        _ request: BankRequest,
        as credentials: Credentials
    ) -> (question: SealedMessage, answers: AnswerKey)? {
        guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: key),
            var sender = try? HPKE.Sender(recipientKey: key, ciphersuite: Self.ciphers, info: Self.purpose),
            let sealed = try? sender.seal(request.plain(credentials), authenticating: Data(request.name.utf8)),
            let secret = try? sender.exportSecret(context: AnswerKey.context, outputByteCount: AnswerKey.length)
        else { return nil }
        return (SealedMessage(sealed: sender.encapsulatedKey + sealed), AnswerKey(secret: secret))
    }

    fileprivate static let ciphers = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
    fileprivate static let purpose = Data("MoneyDrop question".utf8)
    fileprivate static let encapsulatedKeyLength = 32
}

extension BankSigningKey {
    /// The encryption key of the bank that signs with this key.
    public var encryptionKey: BankEncryptionKey {
        let key = decryptionKey.publicKey.rawRepresentation
        return BankEncryptionKey(key: key, signature: sign(key, as: .encryptionKey))
    }

    /// Reads a question of this name that was sealed with `encryptionKey`; nil for anything else.
    public func open(_ message: SealedMessage, named name: String) -> (request: BankRequest, answers: AnswerKey)? {
        let encapsulated = message.sealed.prefix(BankEncryptionKey.encapsulatedKeyLength)
        guard
            var recipient = try? HPKE.Recipient(
                privateKey: decryptionKey,
                ciphersuite: BankEncryptionKey.ciphers,
                info: BankEncryptionKey.purpose,
                encapsulatedKey: encapsulated
            ),
            let plain = try? recipient.open(
                message.sealed.dropFirst(encapsulated.count),
                authenticating: Data(name.utf8)
            ),
            var request = try? BankRequest(name: name, plain: plain),
            let secret = try? recipient.exportSecret(context: AnswerKey.context, outputByteCount: AnswerKey.length)
        else { return nil }
        var id = ByteReader(Data(SHA256.hash(data: encapsulated)))
        request.messageID = try? id.uuid()
        return (request, AnswerKey(secret: secret))
    }

    /// It follows from the bank's key, so that books of before have one.
    private var decryptionKey: Curve25519.KeyAgreement.PrivateKey {
        let bytes = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: bytes),
            info: Data("MoneyDrop encryption key".utf8),
            outputByteCount: 32
        )
        // Any 32 bytes are a key.
        return bytes.withUnsafeBytes { try! Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0) }
    }
}

extension BankRequest {
    /// What is sealed of a question: 16 bytes of the account's ID, the secret behind four bytes of its length, the JSON.
    fileprivate func plain(_ credentials: Credentials) -> Data {
        var out = Data()
        out.append(uuid: credentials.account)
        out.append(number: UInt32(credentials.secret.utf8.count))
        out.append(contentsOf: credentials.secret.utf8)
        return out + body
    }

    fileprivate init(name: String, plain: Data) throws(TermsError) {
        var reader = ByteReader(plain)
        let account = try reader.uuid()
        let secret = try reader.bytes(Int(try reader.number(UInt32.self)))
        guard let secret = String(validating: secret, as: UTF8.self) else { throw .malformed("a secret is text") }
        self.init(name: name, body: reader.rest, credentials: Credentials(account: account, secret: secret))
    }
}
