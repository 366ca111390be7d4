public import Foundation

/// What a photo is known by before it is there.
public struct PhotoDescription: Hashable, Sendable, Codable {
    /// In bytes.
    public var length: UInt64
    /// SHA-256.
    public var digest: Data

    public init(length: UInt64, digest: Data) {
        self.length = length
        self.digest = digest
    }
}

/// The address of a payment to a person nearby: not an account, but what the bank accepts as one for some minutes.
///
/// The bank signs it with the name of the account's owner and the digest of the photo, so that a stranger can neither
/// take another name nor show another face. `docs/moneydrop.md` has its bytes.
public struct PayeeToken: Hashable, Sendable {
    /// The version without a photo, as the first MoneyDrop had it.
    public static let versionWithoutPhoto: UInt8 = 1
    public static let version: UInt8 = 2

    public struct Content: Hashable, Sendable {
        public var version: UInt8
        public var id: UUID
        /// In seconds since 1970, by the bank's clock.
        public var expiry: Int64
        /// How many seconds it is good for, from when it is issued.
        public var lifetime: UInt16
        public var currency: Currency
        public var name: String
        public var photo: PhotoDescription?

        public init(
            version: UInt8 = PayeeToken.version,
            id: UUID,
            expiry: Int64,
            lifetime: UInt16,
            currency: Currency,
            name: String,
            photo: PhotoDescription?
        ) {
            self.version = version
            self.id = id
            self.expiry = expiry
            self.lifetime = lifetime
            self.currency = currency
            self.name = name
            self.photo = photo
        }
    }

    public let content: Content
    /// What goes over the air.
    public let bytes: Data

    /// The bank issues a token.
    public init(signing content: Content, with key: BankSigningKey) {
        self.content = content
        let plain = content.bytes
        bytes = plain + key.sign(plain, as: .payeeToken)
    }

    /// Parses a token that was read, which counts if the bank has signed it.
    public init(_ bytes: Data, from key: BankKey) throws(TermsError) {
        let signed = try Self.parse(bytes)
        guard key.hasSigned(signed, as: .payeeToken) else { throw .forged }
        content = signed.content
        self.bytes = bytes
    }

    /// What a token says, true or not.
    public static func claim(in bytes: Data) throws(TermsError) -> Content { try parse(bytes).content }

    private static func parse(_ bytes: Data) throws(TermsError) -> SignedBytes<Content> {
        try SignedBytes(bytes) { reader throws(TermsError) in try Content(&reader) }
    }
}

extension PayeeToken.Content {
    fileprivate init(_ reader: inout ByteReader) throws(TermsError) {
        version = try reader.number(UInt8.self)
        guard version == PayeeToken.versionWithoutPhoto || version == PayeeToken.version else {
            throw .unknownVersion(version)
        }
        id = try reader.uuid()
        expiry = try reader.number(Int64.self)
        lifetime = try reader.number(UInt16.self)
        currency = try reader.currency()
        name = try reader.name()
        guard version >= PayeeToken.version else { return }
        let length = try reader.number(UInt64.self)
        let digest = try reader.bytes(32)
        if length > 0 {
            photo = PhotoDescription(length: length, digest: digest)
        } else if digest != Self.noDigest {
            throw .malformed("there is a digest of a photo, and no photo")
        }
    }

    private static let noDigest = Data(count: 32)

    fileprivate var bytes: Data {
        var out = Data([version])
        out.append(uuid: id)
        out.append(number: expiry)
        out.append(number: lifetime)
        out.append(contentsOf: currency.code.utf8)
        out.append(text: name)
        guard version >= PayeeToken.version else { return out }
        out.append(number: photo?.length ?? 0)
        out.append(photo?.digest ?? Self.noDigest)
        return out
    }
}
