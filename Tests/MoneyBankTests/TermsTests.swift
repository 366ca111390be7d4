import Foundation
import FuzzInputs
import Testing

@testable import BluethroatByteCoding
@testable import BluethroatMoneyTerms

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
        "An answer with a name that moves a terminal's cursor is no answer, whoever keeps the bank",
        arguments: ["\u{1B}[2J", "An\nna", "", String(repeating: "x", count: 65)]
    )
    func namesInAnswers(name: String) throws {
        let money = Money(minorUnits: 1, .euro)
        let transfer = IncomingTransfer(number: 1, id: UUID(), amount: money, payer: name)
        let account = BankAccount(
            credentials: Credentials(account: UUID(), secret: "s"),
            name: name,
            currency: .euro,
            bankKey: key.publicKey
        )
        func isRefused<Question: BankQuestion>(_ type: Question.Type, _ answer: Question.Answer) -> Bool {
            if case .failure(.unreachable) = Question.answer(in: BankJSON.encode(answer)) { true } else { false }
        }
        #expect(isRefused(OpenAccount.self, account))
        #expect(isRefused(AskBalance.self, AskBalance.Answer(name: name, balance: money)))
        #expect(isRefused(AskIncoming.self, [transfer]))
        #expect(isRefused(CheckIncoming.self, CheckIncoming.Answer(transfer: transfer)))
        #expect(!isRefused(AskBalance.self, AskBalance.Answer(name: "Anna", balance: money)))
        #expect(!isRefused(CheckIncoming.self, CheckIncoming.Answer(transfer: nil)))
    }

    @Test("What a bank says instead of an answer is one line that can be shown, and not long")
    func words() throws {
        let said = BankFailure.said("\u{1B}[2Jgo\naway" + String(repeating: "!", count: 10_000), isDenied: true)
        #expect(said.sentence.unicodeScalars.allSatisfy(\.isShown) && said.sentence.utf8.count < 700)
        let (question, answers) = try #require(
            key.encryptionKey.seal(
                BankRequest(AskBalance(), as: nil),
                as: Credentials(account: UUID(), secret: "s")
            )
        )
        let (_, own) = try #require(key.open(question, named: AskBalance.name))
        let opened = try #require(answers.open(own.seal(.failure(.denied("\u{1B}[2J")))))
        #expect(opened == .failure(.denied("\u{FFFD}[2J")))
    }

    @Test(
        "A name is something that people see",
        arguments: [
            "Änne", "Anna Maria", "李", "👩‍👧", "❤️", "क्‍ष", "1️⃣", "©️", "👩🏽‍⚕️", "❤️‍🔥", "a", String(repeating: "x", count: 64),
        ]
    )
    func names(name: String) throws {
        #expect(OwnerName.fault(inNew: name) == nil)
        var receipt = receipt.content
        receipt.payer = name
        #expect(try Receipt.claim(in: Receipt(signing: receipt, with: key).bytes).payer == name)
    }

    @Test(
        "A name with what moves a terminal's cursor, turns the writing or hides is none, not even in a forged receipt",
        arguments: [
            "", " ", "Anna ", "An\nna", "\u{1B}[2J", "An\u{202E}na", "A\u{200B}nna", "\u{9B}1m", "a\u{2028}b",
            "a\u{FFFF}b",
        ]
    )
    func noNames(name: String) {
        #expect(OwnerName.fault(in: name) != nil)
        var receipt = receipt.content
        receipt.payer = name
        let bytes = Receipt(signing: receipt, with: key).bytes
        #expect(throws: TermsError.self) { try Receipt.claim(in: bytes) }
    }

    @Test(
        "A new name has nothing in it that others would not see; who had such a name before keeps it",
        arguments: [
            "Anna\u{3164}", "An\u{34F}na", "Anna\u{FE0F}", "Anna\u{17B4}", "Anna\u{2800}", "An\u{200D}na", "\u{3164}",
            "\u{115F}\u{1160}", "👩\u{200D}", "Ан\u{200D}на", "Jü\u{200D}rgen", "李\u{200D}明", "😀\u{FE0F}",
            "❤\u{FE0F}\u{FE0F}",
        ]
    )
    func newNames(name: String) throws {
        #expect(OwnerName.fault(inNew: name) == "a name has no characters that nobody sees, such as line feeds")
        var receipt = receipt.content
        receipt.payer = name
        #expect(try Receipt.claim(in: Receipt(signing: receipt, with: key).bytes).payer == name)
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

    @Test(
        "A token without a photo names no digest: another one in its place is refused, though the bank has signed the rest"
    )
    func digestWithoutPhoto() throws {
        var content = token.content
        content.photo = nil
        let honest = PayeeToken(signing: content, with: key)
        #expect(try PayeeToken(honest.bytes, from: key.publicKey) == honest)
        let digest = honest.bytes.count - BankKey.signatureLength - 32
        for index in digest..<digest + 32 {
            var changed = honest.bytes
            changed[index] = 0x5A
            #expect(throws: TermsError.malformed("there is a digest of a photo, and no photo")) {
                try PayeeToken(changed, from: key.publicKey)
            }
        }
        // Nor does the bank's own signature help.
        var plain = Data(honest.bytes.prefix(digest + 32))
        plain[digest] = 1
        #expect(throws: TermsError.self) {
            try PayeeToken(plain + key.sign(plain, as: .payeeToken), from: key.publicKey)
        }
    }

    @Test(
        "A byte order mark before a name is no part of it and is not read over: the bytes that are signed are those received"
    )
    func byteOrderMark() throws {
        let mark = Data([0xEF, 0xBB, 0xBF])
        var plain = Data(receipt.bytes.dropLast(BankKey.signatureLength))
        let name = plain.count - 4
        #expect(plain[name] == 3)
        plain[name] = 6
        plain.insert(contentsOf: mark, at: name + 1)
        let signature = receipt.bytes.suffix(BankKey.signatureLength)
        #expect(throws: TermsError.self) { try Receipt.claim(in: plain + signature) }
        #expect(throws: TermsError.self) { try Receipt(plain + signature, from: key.publicKey) }
    }

    /// So that a run that fails can be repeated.
    private struct Dice: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 29
        }
    }

    /// The bytes with one to three changes: a byte set, removed, inserted or doubled.
    private func mutated(_ bytes: Data, _ dice: inout Dice) -> Data {
        let odd: [UInt8] = [0, 1, 2, 3, 0x7F, 0x80, 0xC0, 0xC1, 0xE0, 0xED, 0xEF, 0xBB, 0xBF, 0xF5, 0xFF, 0x20, 0x41]
        var bytes = [UInt8](bytes)
        for _ in 0..<Int.random(in: 1...3, using: &dice) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &dice)
            let byte = odd.randomElement(using: &dice)!
            switch Int.random(in: 0..<4, using: &dice) {
            case 0: bytes[index] = byte
            case 1: bytes.remove(at: index)
            case 2: bytes.insert(byte, at: index)
            default: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
            }
        }
        return Data(bytes)
    }

    @Test(
        "What is read has one encoding: tokens and receipts that were changed anyhow and signed anew are refused, or are written as they were read",
        arguments: 0..<4 as Range<UInt64>
    )
    func canonical(seed: UInt64) throws {
        var dice = Dice(state: seed)
        var without = token.content
        without.photo = nil
        var old = without
        old.version = PayeeToken.versionWithoutPhoto
        let tokens = [token.bytes] + [without, old].map { PayeeToken(signing: $0, with: key).bytes }
        var read = 0
        let rounds = Effort.count(4_000, usually: 500)
        for round in 0..<rounds {
            let plain = mutated(tokens[round % 3].dropLast(BankKey.signatureLength), &dice)
            let bytes = plain + key.sign(plain, as: .payeeToken)
            guard let token = try? PayeeToken(bytes, from: key.publicKey) else { continue }
            read += 1
            let again = PayeeToken(signing: token.content, with: key).bytes.dropLast(BankKey.signatureLength)
            #expect(again == plain, "seed \(seed), round \(round): \([UInt8](plain))")
        }
        for round in 0..<rounds {
            let plain = mutated(receipt.bytes.dropLast(BankKey.signatureLength), &dice)
            let bytes = plain + key.sign(plain, as: .receipt)
            guard let receipt = try? Receipt(bytes, from: key.publicKey) else { continue }
            read += 1
            let again = Receipt(signing: receipt.content, with: key).bytes.dropLast(BankKey.signatureLength)
            #expect(again == plain, "seed \(seed), round \(round): \([UInt8](plain))")
        }
        #expect(read > rounds / 4)
    }

    @Test("A signature has one encoding, too: with the group's order added to it, it is refused")
    func signatureWithOrder() throws {
        // L = 2^252 + 27742317777372353535851937790883648493, little-endian. RFC 8032, 5.1.7: S has to be below it.
        let order: [UInt8] =
            [0xED, 0xD3, 0xF5, 0x5C, 0x1A, 0x63, 0x12, 0x58, 0xD6, 0x9C, 0xF7, 0xA2, 0xDE, 0xF9, 0xDE, 0x14]
            + [UInt8](repeating: 0, count: 15) + [0x10]
        var bytes = receipt.bytes
        var carry: UInt16 = 0
        for index in 0..<32 {
            let place = bytes.count - 32 + index
            carry += UInt16(bytes[place]) + UInt16(order[index])
            bytes[place] = UInt8(truncatingIfNeeded: carry)
            carry >>= 8
        }
        #expect(carry == 0)
        #expect(throws: TermsError.forged) { try Receipt(bytes, from: key.publicKey) }
    }

    @Test("A token passes for no receipt and a receipt for no token: what is signed begins with what it is")
    func kinds() throws {
        let plain = Data(token.bytes.dropLast(BankKey.signatureLength))
        #expect(throws: TermsError.forged) {
            try PayeeToken(plain + key.sign(plain, as: .receipt), from: key.publicKey)
        }
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
