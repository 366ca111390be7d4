import BluethroatByteCoding
public import Foundation

/// A receipt for people and their printers: who has paid whom how much, when, and what the bank has signed.
public struct PrintedReceipt: Hashable, Sendable {
    /// What the bank has signed.
    public let receipt: Receipt
    /// Who was paid, as the bank says it: the receipt itself names the payer only.
    public let recipient: String
    /// What the signature is checked with.
    public let bankKey: BankKey

    /// A receipt whose signature is right: another one is not printed.
    ///
    /// - Throws: `TermsError`, what is wrong with the bytes.
    public init(_ bytes: Data, to recipient: String, from bank: BankKey) throws(TermsError) {
        receipt = try Receipt(bytes, from: bank)
        self.recipient = recipient
        bankKey = bank
    }

    /// A line of it.
    public struct Line: Hashable, Sendable {
        /// For programs: `id` in the SVG.
        public let id: String
        /// What it is, in a word or two; empty where the line above goes on.
        public let title: String
        /// What it says: text of strangers, among others.
        public let value: String
    }

    /// What stands on it, from top to bottom.
    public var lines: [Line] {
        let content = receipt.content
        let signature = Self.hex(receipt.bytes.suffix(BankKey.signatureLength))
        return [
            Line(id: "payer", title: "From", value: content.payer),
            Line(id: "recipient", title: "To", value: recipient),
            Line(id: "amount", title: "Amount", value: "\(content.amount)"),
            Line(id: "time", title: "When", value: MoneyDate.text(content.time)),
            Line(id: "transfer", title: "Transaction", value: content.transfer.uuidString),
            Line(id: "token", title: "Paid to token", value: content.token.uuidString),
            Line(id: "signature-1", title: "Signed", value: String(signature.prefix(64))),
            Line(id: "signature-2", title: "", value: String(signature.dropFirst(64))),
            Line(id: "key", title: "Bank's key", value: Self.hex(bankKey.bytes)),
        ]
    }

    private static let heading = "MoneyDrop: receipt for play money"

    /// Plain text, each line with a line feed.
    public var text: String {
        let body = lines.map { line in
            line.title + String(repeating: " ", count: 15 - line.title.count) + line.value
        }
        return ([Self.heading, String(repeating: "-", count: Self.heading.count)] + body).joined(separator: "\n") + "\n"
    }

    /// A picture of 760 × 300 pixels, SVG 1.1. Each value is a `text` element whose `id` is that of its line.
    public var svg: String {
        var out = """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" width="760" height="300" viewBox="0 0 760 300" font-size="14">
            <rect x="1" y="1" width="758" height="298" fill="#fff" stroke="#333"/>
            <text x="20" y="36" font-size="20" font-family="sans-serif">\(Self.heading)</text>

            """
        for (number, line) in lines.enumerated() {
            let y = 72 + 26 * number
            if !line.title.isEmpty {
                out += "<text x=\"20\" y=\"\(y)\" font-family=\"sans-serif\">\(Self.escaped(line.title))</text>\n"
            }
            out += "<text id=\"\(line.id)\" x=\"140\" y=\"\(y)\" font-family=\"monospace\" xml:space=\"preserve\">"
            out += "\(Self.escaped(line.value))</text>\n"
        }
        return out + "</svg>\n"
    }

    /// Text between tags. Names come from strangers: what XML has no place for is not shown. XML 1.0, 2.2.
    static func escaped(_ text: String) -> String {
        var out = ""
        for scalar in text.shown.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&apos;"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    private static func hex(_ bytes: Data) -> String {
        bytes.map { String(UInt16($0) + 0x100, radix: 16).dropFirst() }.joined()
    }
}
