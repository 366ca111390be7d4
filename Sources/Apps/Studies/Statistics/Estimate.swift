import Foundation

/// What the worlds of a row say about a quantity: their mean, and how far off it may be.
///
/// Each world gives one number. Worlds differ in their seed only, so these numbers are independent draws of one
/// distribution; numbers inside a world are not. The interval is Student's t, which is exact where the draws are normal.
public struct Estimate: Hashable, Sendable {
    /// Over the worlds that have such a number.
    public let mean: Double
    /// Half the width of the interval that holds the true mean with a probability of 95 %; nil for fewer than two worlds.
    public let halfWidth: Double?
    /// How many worlds had such a number.
    public let count: Int

    /// Nil if there is no number.
    public init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        count = values.count
        let mean = values.reduce(0, +) / Double(values.count)
        self.mean = mean
        guard values.count > 1 else {
            halfWidth = nil
            return
        }
        let squares = values.map { ($0 - mean) * ($0 - mean) }.reduce(0, +)
        let error = (squares / Double(values.count - 1) / Double(values.count)).squareRoot()
        halfWidth = Self.studentT(degreesOfFreedom: values.count - 1) * error
    }

    /// The value that Student's t exceeds with a probability of 2.5 %.
    static func studentT(degreesOfFreedom: Int) -> Double {
        let table = [
            12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281, 2.2010, 2.1788, 2.1604,
            2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
        ]
        guard degreesOfFreedom > table.count else { return table[max(1, degreesOfFreedom) - 1] }
        // From the normal quantile by its expansion in the reciprocal of the degrees of freedom (Fisher and Cornish).
        let z = 1.959_964, n = Double(degreesOfFreedom)
        let first = (pow(z, 3) + z) / (4 * n)
        let second = (5 * pow(z, 5) + 16 * pow(z, 3) + 3 * z) / (96 * n * n)
        let third = (3 * pow(z, 7) + 19 * pow(z, 5) + 17 * pow(z, 3) - 15 * z) / (384 * n * n * n)
        return z + first + second + third
    }
}

/// What a set of numbers is like.
public enum Statistics {
    public static func mean(_ values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }

    /// The number that a share of all, 0 to 1, does not exceed: the nearest rank.
    public static func quantile(_ share: Double, of values: [Double]) -> Double? {
        guard !values.isEmpty else { return nil }
        let rank = Int((share * Double(values.count)).rounded(.up))
        return values.sorted()[min(max(rank, 1), values.count) - 1]
    }
}
