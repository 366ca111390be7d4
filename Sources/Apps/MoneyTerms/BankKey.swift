import Crypto
public import Foundation

/// What the bank signs with: Ed25519.
public struct BankSigningKey: Sendable {
    private let key: Curve25519.Signing.PrivateKey

    /// A new key.
    public init() { key = Curve25519.Signing.PrivateKey() }

    /// A key that was kept; 32 bytes.
    public init(_ bytes: Data) throws { key = try Curve25519.Signing.PrivateKey(rawRepresentation: bytes) }

    public var bytes: Data { key.rawRepresentation }
    /// The public part.
    public var publicKey: BankKey { BankKey(key.publicKey) }

    func sign(_ content: Data, as kind: SignedKind) -> Data {
        // It fails for want of memory only.
        (try? key.signature(for: kind.prefix + content)) ?? Data(count: BankKey.signatureLength)
    }
}

/// What shows that the bank has signed something.
public struct BankKey: Hashable, Sendable, Codable {
    static let signatureLength = 64

    /// 32 bytes.
    public let bytes: Data

    public init(_ bytes: Data) { self.bytes = bytes }

    init(_ key: Curve25519.Signing.PublicKey) { bytes = key.rawRepresentation }

    func hasSigned(_ plain: Data, _ signature: Data, as kind: SignedKind) -> Bool {
        guard let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes) else { return false }
        return key.isValidSignature(signature, for: kind.prefix + plain)
    }

    func hasSigned<Content>(_ signed: SignedBytes<Content>, as kind: SignedKind) -> Bool {
        hasSigned(signed.plain, signed.signature, as: kind)
    }
}

/// What is signed begins with its kind, so that one cannot be passed for the other.
enum SignedKind: String {
    case payeeToken = "MoneyDrop payee token\n"
    case receipt = "MoneyDrop receipt\n"
    case encryptionKey = "MoneyDrop encryption key\n"

    var prefix: Data { Data(rawValue.utf8) }
}
