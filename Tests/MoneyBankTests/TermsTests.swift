import Foundation
import MoneyTerms
import Testing

@Suite("What MoneyDrop and its bank agree on")
struct TermsTests {
    private let key = BankSigningKey()

    @Test(
        "Amounts are read as people write them",
        arguments: [
            ("12", 1_200, "EUR"), ("12.5", 1_250, "EUR"), ("0.05", 5, "EUR"), ("12.50 USD", 1_250, "USD"),
            ("JPY 500", 500, "JPY"), ("1.234 KWD", 1_234, "KWD"),
            ("90000000000000000.00", 9_000_000_000_000_000_000, "EUR"),
        ] as [(String, Int64, String)]
    )
    func reads(text: String, minorUnits: Int64, currency: String) throws {
        #expect(try Money(text, usual: .euro) == Money(minorUnits: minorUnits, Currency(currency)!))
    }

    @Test(
        "What is no amount is refused with a reason",
        arguments: [
            "", "EUR", "-5", "1,50", "1.", ".5", "1.2.3", "1.005", "5.5 JPY", "5 euro", "99999999999999999999", "٣",
            "1e3",
        ]
    )
    func refuses(text: String) {
        #expect(throws: Money.Unreadable.self) { try Money(text, usual: .euro) }
    }

    @Test("Amounts are written with the decimals of their currency")
    func writes() {
        #expect(Money(minorUnits: 1_250, .euro).description == "12.50 EUR")
        #expect(Money(minorUnits: 5, .euro).description == "0.05 EUR")
        #expect(Money(minorUnits: -5, .euro).description == "-0.05 EUR")
        #expect(Money(minorUnits: 5, Currency("JPY")!).description == "5 JPY")
        #expect(Money(minorUnits: 5, Currency("KWD")!).description == "0.005 KWD")
    }

    @Test(
        "A name is something that people see",
        arguments: ["Änne", "Anna Maria", "李", "👩‍👧", "a", String(repeating: "x", count: 64)]
    )
    func names(name: String) throws {
        #expect(OwnerName.fault(in: name) == nil)
        var receipt = receipt.content
        receipt.payer = name
        #expect(try Receipt.claim(in: Receipt(signing: receipt, with: key).bytes).payer == name)
    }

    @Test(
        "A name with what moves a terminal's cursor, turns the writing or hides is none, not even in a forged receipt",
        arguments: ["", " ", "Anna ", "An\nna", "\u{1B}[2J", "An\u{202E}na", "A\u{200B}nna", "\u{9B}1m", "a\u{2028}b"]
    )
    func noNames(name: String) {
        #expect(OwnerName.fault(in: name) != nil)
        var receipt = receipt.content
        receipt.payer = name
        let bytes = Receipt(signing: receipt, with: key).bytes
        #expect(throws: TermsError.self) { try Receipt.claim(in: bytes) }
    }

    private var token: PayeeToken {
        let photo = PhotoDescription(length: 1_000, digest: Data(repeating: 7, count: 32))
        return PayeeToken(
            signing: PayeeToken.Content(
                id: UUID(),
                expiry: 1_700_000_300,
                lifetime: 300,
                currency: .euro,
                name: "Änne",
                photo: photo
            ),
            with: key
        )
    }

    private var receipt: Receipt {
        let amount = Money(minorUnits: 1_250, .euro)
        return Receipt(
            signing: Receipt.Content(
                transfer: UUID(),
                token: UUID(),
                amount: amount,
                time: 1_700_000_000,
                payer: "Ben"
            ),
            with: key
        )
    }

    @Test("Tokens and receipts are read as they were written; no bit can be changed, no byte be left out or added")
    func signatures() throws {
        let token = token, receipt = receipt
        #expect(try PayeeToken(token.bytes, from: key.publicKey) == token)
        #expect(try Receipt(receipt.bytes, from: key.publicKey) == receipt)
        #expect(token.bytes.count == 135 + 5 && receipt.bytes.count == 117 + 3)
        for bit in 0..<token.bytes.count * 8 {
            #expect(throws: TermsError.self) { try PayeeToken(token.bytes.flipping(bit), from: key.publicKey) }
        }
        for bit in 0..<receipt.bytes.count * 8 {
            #expect(throws: TermsError.self) { try Receipt(receipt.bytes.flipping(bit), from: key.publicKey) }
        }
        for length in 0..<token.bytes.count {
            #expect(throws: TermsError.self) { try PayeeToken(token.bytes.prefix(length), from: key.publicKey) }
        }
        for length in 0..<receipt.bytes.count {
            #expect(throws: TermsError.self) { try Receipt(receipt.bytes.prefix(length), from: key.publicKey) }
        }
        #expect(throws: TermsError.malformed("there are bytes behind the signature")) {
            try PayeeToken(token.bytes + [0], from: key.publicKey)
        }
        #expect(throws: TermsError.forged) { try Receipt(receipt.bytes, from: BankSigningKey().publicKey) }
    }

    @Test("The first version has no photo, and a later one is told apart from a forgery")
    func versions() throws {
        var content = token.content
        content.version = 1
        content.photo = nil
        let old = PayeeToken(signing: content, with: key)
        #expect(try PayeeToken(old.bytes, from: key.publicKey).content == content)
        #expect(throws: TermsError.unknownVersion(3)) {
            try PayeeToken(Data([3]) + token.bytes.dropFirst(), from: key.publicKey)
        }
        #expect(throws: TermsError.unknownVersion(2)) {
            try Receipt(Data([2]) + receipt.bytes.dropFirst(), from: key.publicKey)
        }
    }
}

extension Data {
    fileprivate func flipping(_ bit: Int) -> Data {
        var copy = self
        copy[startIndex + bit / 8] ^= 1 << (bit % 8)
        return copy
    }
}
