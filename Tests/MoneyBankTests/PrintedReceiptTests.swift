import BluethroatMoneyTerms
import Foundation
import Testing

@Suite("Receipts to print")
struct PrintedReceiptTests {
    private let key = BankSigningKey()

    private func receipt(from payer: String = "Ben", to recipient: String = "Anna") throws -> PrintedReceipt {
        let content = Receipt.Content(
            transfer: UUID(uuidString: "11111111-2222-3333-4444-555555555555")!,
            token: UUID(),
            amount: Money(minorUnits: 12_50, .euro),
            time: 1_700_000_000,
            payer: payer
        )
        let bytes = Receipt(signing: content, with: key).bytes
        return try PrintedReceipt(bytes, to: recipient, from: key.publicKey)
    }

    /// Texts by their IDs.
    private func texts(_ svg: String) -> [String: String] {
        var found: [String: String] = [:]
        for match in svg.matches(of: /<text id="([a-z0-9-]+)"[^<>]*>([^<>]*)<\/text>/) {
            var text = String(match.2)
            for (entity, character) in [
                ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&"),
            ] {
                text = text.replacing(entity, with: character)
            }
            found[String(match.1)] = text
        }
        return found
    }

    @Test("Text and SVG say the same: who, to whom, how much, when, which transaction, and the bank's signature")
    func both() throws {
        let receipt = try receipt()
        let lines = Dictionary(uniqueKeysWithValues: receipt.lines.map { ($0.id, $0.value) })
        #expect(texts(receipt.svg) == lines)
        for line in receipt.lines {
            #expect(receipt.text.contains("\(line.title) ") && receipt.text.contains(line.value))
        }
        #expect(lines["payer"] == "Ben" && lines["recipient"] == "Anna" && lines["amount"] == "12.50 EUR")
        #expect(lines["time"] == "2023-11-14 22:13:20 UTC")
        #expect(lines["transfer"] == "11111111-2222-3333-4444-555555555555")
        let signature = receipt.receipt.bytes.suffix(64).map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }
        #expect((lines["signature-1"] ?? "") + (lines["signature-2"] ?? "") == signature.joined())
    }

    @Test(
        "Names of strangers stay text",
        arguments: ["<script>alert(1)</script>", "]]><!--", "\" onload='x'", "&amp;&#60;", "Zoë 😀"]
    )
    func hostile(name: String) throws {
        let receipt = try receipt(from: name, to: name)
        let texts = texts(receipt.svg)
        #expect(texts["payer"] == name && texts["recipient"] == name)
        // Nothing but ours between angle brackets, and no ampersand that begins no entity.
        let elements = receipt.svg.matches(of: /<\/?([a-z?]+)/).map { String($0.1) }
        #expect(Set(elements) == ["?xml", "svg", "rect", "text"])
        #expect(receipt.svg.matches(of: /&/).count == receipt.svg.matches(of: /&(amp|lt|gt|quot|apos);/).count)
    }

    @Test("What the bank has not signed is not printed")
    func forged() throws {
        let receipt = try receipt()
        var bytes = receipt.receipt.bytes
        bytes[33] ^= 0x40
        #expect(throws: TermsError.forged) { try PrintedReceipt(bytes, to: "Anna", from: key.publicKey) }
        #expect(throws: TermsError.forged) {
            try PrintedReceipt(receipt.receipt.bytes, to: "Anna", from: BankSigningKey().publicKey)
        }
    }

    @Test("Dates are those of the calendar, and no number is too large")
    func dates() {
        for seconds in stride(from: 0 as Int64, to: 253_402_300_800, by: 86_399 * 4_001) {
            let calendar = Date(timeIntervalSince1970: TimeInterval(seconds)).ISO8601Format()
            let words = calendar.replacing("T", with: " ").replacing("Z", with: " UTC")
            #expect(MoneyDate.text(seconds) == words)
        }
        #expect(MoneyDate.text(951_782_400) == "2000-02-29 00:00:00 UTC")
        for seconds in [Int64.min, -1, 253_402_300_800, .max] {
            #expect(MoneyDate.text(seconds).contains("\(seconds)"))
        }
    }
}
