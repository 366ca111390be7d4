import Crypto
public import Foundation

/// The public key with which credentials are encrypted for a bank, so that neither a man in the middle nor another program at
/// the bank's port can read the account's secret. The bank has signed it.
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

    /// What a bank of this key can read, and takes for one question only.
    ///
    /// - Returns: 32 bytes of the key of this message, and the sealed credentials; nil where `key` is none.
    public func seal(_ credentials: Credentials, for request: BankRequest) -> Data? {
        guard let key = try? Curve25519.KeyAgreement.PublicKey(rawRepresentation: key),
            var sender = try? HPKE.Sender(recipientKey: key, ciphersuite: Self.ciphers, info: Self.purpose),
            let sealed = try? sender.seal(credentials.plain, authenticating: request.bound)
        else { return nil }
        return sender.encapsulatedKey + sealed
    }

    fileprivate static let ciphers = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
    fileprivate static let purpose = Data("MoneyDrop credentials".utf8)
    fileprivate static let encapsulatedKeyLength = 32
}

extension BankSigningKey {
    /// The encryption key of the bank that signs with this key.
    public var encryptionKey: BankEncryptionKey {
        let key = decryptionKey.publicKey.rawRepresentation
        return BankEncryptionKey(key: key, signature: sign(key, as: .encryptionKey))
    }

    /// Reads what was sealed with `encryptionKey` for this request; nil for anything else.
    public func credentials(sealed: Data, for request: BankRequest) -> Credentials? {
        let encapsulated = sealed.prefix(BankEncryptionKey.encapsulatedKeyLength)
        guard
            var recipient = try? HPKE.Recipient(
                privateKey: decryptionKey,
                ciphersuite: BankEncryptionKey.ciphers,
                info: BankEncryptionKey.purpose,
                encapsulatedKey: encapsulated
            ),
            let plain = try? recipient.open(sealed.dropFirst(encapsulated.count), authenticating: request.bound)
        else { return nil }
        return Credentials(plain: plain)
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
    /// What sealed credentials are good for: this question, word for word.
    fileprivate var bound: Data { Data("\(name)\n".utf8) + Data(SHA256.hash(data: body)) }
}

extension Credentials {
    /// 16 bytes of the account's ID, and the secret.
    fileprivate var plain: Data {
        var out = Data()
        out.append(uuid: account)
        out.append(contentsOf: secret.utf8)
        return out
    }

    fileprivate init?(plain: Data) {
        var reader = ByteReader(plain)
        guard let account = try? reader.uuid(), let secret = String(validating: plain.dropFirst(16), as: UTF8.self)
        else {
            return nil
        }
        self.init(account: account, secret: secret)
    }
}
