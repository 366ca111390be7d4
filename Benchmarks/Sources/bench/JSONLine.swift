import Foundation

/// A figure for programs: one object a line.
enum JSONLine {
    static func line(_ figure: Figure) throws -> String {
        var object: [String: Any] = [
            "bench": figure.bench.name, "unit": figure.bench.unit, "value": rounded(figure.value),
        ]
        if let bumble = figure.bumble { object["bumble"] = rounded(bumble) }
        if let ratio = figure.ratio { object["ratio"] = rounded(ratio) }
        switch figure.bench.target {
        case .timesBumble(let factor): object["targetRatio"] = factor
        case .atLeast(let least): object["targetAtLeast"] = least
        case .below(let limit): object["targetBelow"] = limit
        case nil: break
        }
        if let isMet = figure.isMet { object["met"] = isMet }
        let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }

    /// Ten digits are more than any figure deserves, and keep 0.1 from becoming 0.10000000000000001.
    private static func rounded(_ value: Double) -> NSDecimalNumber {
        NSDecimalNumber(string: String(format: "%.2f", value))
    }
}
