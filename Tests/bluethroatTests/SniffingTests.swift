import BluethroatEvents
import BluethroatLive
import BluethroatMoneyDropWorld
import BluethroatMoneyTerms
import Foundation
import Testing

@Suite("What a passer-by reads of a payment")
struct SniffingTests {
    private static let details: Set<SniffedField> = [
        .service, .address, .name, .currency, .token, .expiry, .photoDigest, .detailsSignature,
    ]
    private static let payment: Set<SniffedField> = [.photo, .transfer, .amount, .payer, .time, .receiptSignature]

    private func payments(_ seed: UInt64) throws -> SniffedPayments {
        try SniffedPayments(in: LiveSession(seed: seed, isVirtual: true, drawsSecrets: false), seed: seed)
    }

    @Test("With a plain channel all but the accounts; with an encrypted one whom to pay, and nothing more")
    func fields() throws {
        let payments = try payments(3)
        #expect(payments.rows.map(\.field) == SniffedField.allCases)
        for row in payments.rows {
            #expect((row.plain != nil) == Self.details.union(Self.payment).contains(row.field), "\(row)")
            #expect((row.encrypted != nil) == Self.details.contains(row.field), "\(row)")
        }
        let plain = payments.plain.passerBy.learnt
        #expect(plain[.name] == "Anna" && plain[.payer] == "Ben" && plain[.amount] == "12.50 EUR")
        #expect(plain[.transfer] == payments.plain.transfer?.uuidString)
        #expect(plain[.photo] == "all \(payments.plain.photo.count) bytes")
        #expect(plain[.time]?.hasPrefix("2001-01-01 00:00:") == true)
        #expect(payments.encrypted.passerBy.learnt[.name] == "Anna" && payments.encrypted.transfer != nil)
    }

    @Test("The bytes themselves: what is called hidden is in no frame, and what is called read is in some")
    func frames() throws {
        let payments = try payments(8)
        func isOnAir(_ bytes: Data, _ payment: SniffedPayment) -> Bool {
            payment.passerBy.frames.contains { Data($0).range(of: bytes) != nil }
        }
        for payment in [payments.plain, payments.encrypted] {
            let isPlain = payment.passerBy.encryptedCount == 0
            #expect(isPlain == (payment === payments.plain))
            var amount = Data()
            amount.append(number: payment.amount.minorUnits)
            amount.append(contentsOf: payment.amount.currency.code.utf8)
            #expect(isOnAir(amount, payment) == isPlain)
            let pieces = stride(from: 0, to: 19_000, by: 1_000).map { payment.photo[$0..<$0 + 48] }
            #expect(pieces.contains { isOnAir($0, payment) } == isPlain)
            #expect(isOnAir(withUnsafeBytes(of: try #require(payment.transfer).uuid) { Data($0) }, payment) == isPlain)
            #expect(isOnAir(Data("Anna".utf8), payment))
            for account in payment.accounts {
                #expect(!isOnAir(withUnsafeBytes(of: account.credentials.account.uuid) { Data($0) }, payment))
                #expect(!isOnAir(Data(account.credentials.secret.utf8), payment))
            }
        }
    }

    @Test("The command's table has the same, and is the same each time")
    func table() throws {
        func lines() throws -> [String] {
            var lines: [String] = []
            try Pitfall.sniffing.reenact(seed: 3) { lines.append($0.line ?? "") }
            return lines
        }
        let table = try lines()
        #expect(table.count == SniffedField.allCases.count + 2)
        let amount = try #require(table.first { $0.hasPrefix("the amount ") })
        #expect(amount.split(separator: " ") == ["the", "amount", "12.50", "EUR", "hidden"])
        #expect(try lines() == table)
    }
}
