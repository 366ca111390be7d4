public import Foundation

/// The bank's word that a transfer has been made; what a sender writes to the recipient's phone.
public struct Receipt: Hashable, Sendable {
    public static let version: UInt8 = 1

    public struct Content: Hashable, Sendable {
        public var transfer: UUID
        /// The token that was paid to.
        public var token: UUID
        public var amount: Money
        /// In seconds since 1970, by the bank's clock.
        public var time: Int64
        public var payer: String

        public init(transfer: UUID, token: UUID, amount: Money, time: Int64, payer: String) {
            self.transfer = transfer
            self.token = token
            self.amount = amount
            self.time = time
            self.payer = payer
        }
    }

    public let content: Content
    public let bytes: Data

    /// The bank makes out a receipt.
    public init(signing content: Content, with key: BankSigningKey) {
        self.content = content
        let plain = content.bytes
        bytes = plain + key.sign(plain, as: .receipt)
    }

    /// Parses a receipt that was written, which counts if the bank has signed it.
    public init(_ bytes: Data, from key: BankKey) throws(TermsError) {
        let signed = try Self.parse(bytes)
        guard key.hasSigned(signed, as: .receipt) else { throw .forged }
        content = signed.content
        self.bytes = bytes
    }

    /// What a receipt says, true or not.
    public static func claim(in bytes: Data) throws(TermsError) -> Content { try parse(bytes).content }

    private static func parse(_ bytes: Data) throws(TermsError) -> SignedBytes<Content> {
        try SignedBytes(bytes) { reader throws(TermsError) in try Content(&reader) }
    }
}

extension Receipt.Content {
    fileprivate init(_ reader: inout ByteReader) throws(TermsError) {
        let version = try reader.number(UInt8.self)
        guard version == Receipt.version else { throw .unknownVersion(version) }
        transfer = try reader.uuid()
        token = try reader.uuid()
        let minorUnits = try reader.number(Int64.self)
        guard minorUnits > 0 else { throw .malformed("an amount is more than nothing") }
        amount = Money(minorUnits: minorUnits, try reader.currency())
        time = try reader.number(Int64.self)
        payer = try reader.name()
    }

    fileprivate var bytes: Data {
        var out = Data([Receipt.version])
        out.append(uuid: transfer)
        out.append(uuid: token)
        out.append(number: amount.minorUnits)
        out.append(contentsOf: amount.currency.code.utf8)
        out.append(number: time)
        out.append(text: payer)
        return out
    }
}
