/// A currency, by its three letters in ISO 4217.
public struct Currency: Hashable, Sendable, Codable, CustomStringConvertible {
    public let code: String

    /// Nil unless it is three capital letters from A to Z.
    public init?(_ code: String) {
        guard code.utf8.count == 3, code.utf8.allSatisfy({ (65...90).contains($0) }) else { return nil }
        self.code = code
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let currency = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "a currency is three capital letters, such as EUR"
            )
        }
        self = currency
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(code)
    }

    public static let euro = Currency("EUR").unsafelyUnwrapped

    public var description: String { code }

    /// How many minor units a unit has, such as 100 cents.
    public var minorUnitsPerUnit: Int { (0..<decimals).reduce(1) { product, _ in product * 10 } }

    /// How many decimals an amount has: two, but for those where ISO 4217 says something else.
    public var decimals: Int {
        if Self.withoutDecimals.contains(code) { return 0 }
        if Self.withThreeDecimals.contains(code) { return 3 }
        return Self.withFourDecimals.contains(code) ? 4 : 2
    }

    private static let withoutDecimals: Set = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND", "VUV", "XAF", "XOF",
        "XPF",
    ]
    private static let withThreeDecimals: Set = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]
    private static let withFourDecimals: Set = ["CLF", "UYW"]
}
