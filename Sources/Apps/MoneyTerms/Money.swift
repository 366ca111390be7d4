/// An amount of money: a whole number of the currency's minor units, such as cents.
public struct Money: Hashable, Sendable, Codable, CustomStringConvertible {
    public var minorUnits: Int64
    public var currency: Currency

    public init(minorUnits: Int64, _ currency: Currency) {
        self.minorUnits = minorUnits
        self.currency = currency
    }

    /// Why a text is no amount, as a sentence for the user.
    public struct Unreadable: Error, Hashable, CustomStringConvertible {
        public let description: String
    }

    /// Reads what people write: `12`, `12.5`, `12.50`, each with an optional currency before or behind (`12.50 EUR`).
    public init(_ text: String, usual: Currency) throws(Unreadable) {
        func refuse(_ why: String) -> Unreadable {
            Unreadable(description: "\(text.debugDescription) is no amount: \(why)")
        }
        var words = text.split(separator: " ").map(String.init)
        var currency = usual
        if let index = words.firstIndex(where: { Currency($0) != nil }), let named = Currency(words[index]) {
            currency = named
            words.remove(at: index)
        }
        guard words.count == 1, let number = words.first else { throw refuse("write it like 12.50 or 12.50 \(usual)") }
        guard !number.hasPrefix("-") else { throw refuse("it is less than nothing") }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        let digits = parts.joined()
        guard parts.count <= 2, parts.allSatisfy({ !$0.isEmpty }), digits.utf8.allSatisfy({ (48...57).contains($0) })
        else {
            throw refuse("only digits and one point, like 12.50")
        }
        let fraction = parts.count == 2 ? parts[1] : ""
        guard fraction.count <= currency.decimals else {
            throw refuse("\(currency) has \(currency.decimals == 0 ? "no" : "\(currency.decimals)") decimals")
        }
        guard let minorUnits = Int64(digits + String(repeating: "0", count: currency.decimals - fraction.count)) else {
            throw refuse("it is too large")
        }
        self.init(minorUnits: minorUnits, currency)
    }

    /// As people write it: `12.50 EUR`.
    public var description: String { "\(number) \(currency)" }

    /// The same without the currency.
    public var number: String {
        let digits = String(minorUnits.magnitude)
        let sign = minorUnits < 0 ? "-" : ""
        guard currency.decimals > 0 else { return sign + digits }
        let padded = String(repeating: "0", count: max(0, currency.decimals + 1 - digits.count)) + digits
        return "\(sign)\(padded.dropLast(currency.decimals)).\(padded.suffix(currency.decimals))"
    }
}
