import Foundation

/// Figures for people: a line each, as soon as there is one.
enum Table {
    static let header = row("bench", "bluethroat", "bumble", "ratio", "unit", "target")

    static func row(_ figure: Figure) -> String {
        row(
            figure.bench.name,
            number(figure.value),
            figure.bumble.map(number) ?? "",
            figure.ratio.map { number($0) + "x" } ?? "",
            figure.bench.unit,
            verdict(figure)
        )
    }

    static func row(_ bench: Bench, failed error: any Error) -> String {
        row(bench.name, "-", "", "", bench.unit, "failed: \(error)")
    }

    private static func verdict(_ figure: Figure) -> String {
        let wanted =
            switch figure.bench.target {
            case .timesBumble(let factor): ">= \(number(factor))x"
            case .atLeast(let least): ">= \(number(least))"
            case .below(let limit): "< \(number(limit))"
            case nil: ""
            }
        return switch figure.isMet {
        case true?: wanted + "  met"
        case false?: wanted + "  NOT MET"
        case nil: wanted
        }
    }

    /// Three digits at least, and groups of three in large numbers.
    private static func number(_ value: Double) -> String {
        guard value >= 100 else { return String(format: value >= 10 ? "%.1f" : "%.2f", value) }
        var digits = String(format: "%.0f", value), groups: [String] = []
        while digits.count > 3 {
            groups.insert(String(digits.suffix(3)), at: 0)
            digits.removeLast(3)
        }
        return ([digits] + groups).joined(separator: " ")
    }

    private static func row(
        _ name: String,
        _ ours: String,
        _ bumble: String,
        _ ratio: String,
        _ unit: String,
        _ target: String
    ) -> String {
        func left(_ text: String, _ width: Int) -> String { text + spaces(width - text.count) }
        func right(_ text: String, _ width: Int) -> String { spaces(width - text.count) + text }
        func spaces(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }
        let line =
            left(name, 26) + right(ours, 11) + right(bumble, 10) + right(ratio, 8) + "  " + left(unit, 17) + target
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}
