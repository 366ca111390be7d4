/// A share of one in parts per million, 0 to 1 000 000: probabilities are integers, so that runs agree everywhere.
public struct Ratio: Hashable, Comparable, Sendable {
    public let partsPerMillion: Int32

    public init?(partsPerMillion: Int32) {
        guard (0...1_000_000).contains(partsPerMillion) else { return nil }
        self.partsPerMillion = partsPerMillion
    }

    /// A share in per cent, 0 to 100.
    public static func percent(_ count: Int32) -> Self {
        guard let ratio = Self(partsPerMillion: count * 10_000) else {
            preconditionFailure("\(count) % is not a share of one")
        }
        return ratio
    }

    public static let never = percent(0)
    public static let always = percent(100)

    public static func < (left: Self, right: Self) -> Bool { left.partsPerMillion < right.partsPerMillion }
}
