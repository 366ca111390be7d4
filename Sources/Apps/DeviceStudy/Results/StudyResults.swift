import BluethroatStudies

/// What came of a study: prints as a table, CSV, JSON and a plot.
public struct StudyResults: Sendable {
    let plan: StudyPlan
    /// By row, then by world.
    let outcomes: [[WorldOutcome]]

    /// What the worlds of a row say about a column; nil if none has a number.
    func estimate(row: Int, column: Int) -> Estimate? {
        Estimate(outcomes[row].compactMap { $0.values.indices.contains(column) ? $0.values[column] : nil })
    }

    /// A row's values of what varies.
    func value(_ path: String, row: Int) -> StudyValue { plan.rows[row][path] ?? .word("") }

    // MARK: Table

    /// The rows as lines of text: means over the worlds, with half the width of the 95 % interval behind ±.
    public var table: [String] {
        let varied = plan.varied.compactMap(plan.parameter), columns = plan.columns
        let header = varied.map(\.path) + columns.map(\.title)
        let rows = plan.rows.indices.map { row in
            varied.map { $0.text(value($0.path, row: row)) }
                + columns.indices.map { cell(estimate(row: row, column: $0), columns[$0]) }
        }
        return [plan.title, conditions, ""] + TextTable.lines(header: header, rows: rows)
    }

    /// What all rows have in common, in one line.
    var conditions: String {
        let devices = plan.groups.map { group -> String in
            let path = "\(group.name).count"
            let count = plan.varied.contains(path) ? "" : "\(plan.rows.first?.whole(path) ?? 0) "
            return count + group.name + (group.kind.rawValue == group.name ? "" : " (\(group.kind.rawValue))")
        }
        let length =
            plan.varied.contains("length")
            ? nil : plan.parameter("length").map { "for " + $0.text(value("length", row: 0)) }
        let what = plan.isCrowd ? ["phones with beacons in the overflow area"] : devices
        let energy = plan.measures.contains(.energy) ? "currents: \(plan.currents.source)" : nil
        return
            ([what.joined(separator: ", ")]
            + [length, "\(plan.worlds) \(plan.worlds == 1 ? "world" : "worlds")", "seed \(plan.seed)", energy]
            .compactMap(\.self))
            .joined(separator: ", ")
    }

    private func cell(_ estimate: Estimate?, _ column: StudyColumn) -> String {
        guard let estimate else { return "–" }
        let factor = column.shown.factor, mean = estimate.mean * factor
        guard let halfWidth = estimate.halfWidth.map({ $0 * factor }) else { return Self.rounded(mean, by: mean) }
        return "\(Self.rounded(mean, by: mean)) ± \(Self.rounded(halfWidth, by: mean))"
    }

    /// With four digits of a number of the size of another one.
    private static func rounded(_ number: Double, by size: Double) -> String {
        let magnitude = size.magnitude
        return number.fixed(magnitude >= 1_000 ? 0 : magnitude >= 100 ? 1 : magnitude >= 10 ? 2 : 3)
    }

    // MARK: CSV and JSON

    /// A line for each row, in units without prefix: what varies, and of each column the mean and the ends of the 95 %
    /// interval. What there is no number for is empty.
    public var csv: String {
        let varied = plan.varied.compactMap(plan.parameter), columns = plan.columns
        let header =
            varied.map(\.column) + ["worlds", "seed"]
            + columns.map(\.column).flatMap { [$0, "\($0)_low", "\($0)_high"] } + ["transmissions"]
        let rows = plan.rows.indices.map { row in
            varied.map { Self.quoted($0.plainText(value($0.path, row: row))) } + ["\(plan.worlds)", "\(plan.seed)"]
                + columns.indices.flatMap { column -> [String] in
                    guard let estimate = estimate(row: row, column: column) else { return ["", "", ""] }
                    let ends =
                        estimate.halfWidth.map { ["\(estimate.mean - $0)", "\(estimate.mean + $0)"] } ?? ["", ""]
                    return ["\(estimate.mean)"] + ends
                } + ["\(outcomes[row].map(\.transmissions).reduce(0, +))"]
        }
        return ([header] + rows).map { $0.joined(separator: ",") + "\n" }.joined()
    }

    private static func quoted(_ text: String) -> String {
        text.contains { ",\"\n".contains($0) } ? "\"\(text.replacing("\"", with: "\"\""))\"" : text
    }
}
