import BluethroatEvents
import BluethroatStudies

extension StudyResults {
    /// One object for each row, in units without prefix.
    public var json: [String] {
        plan.rows.indices.map { row in
            var line = JSONLine(event: "row")
            var settings = JSONLine()
            for parameter in plan.parameters {
                switch value(parameter.path, row: row) {
                case .number(let number): settings.add(parameter.column, decimal: number.digits)
                case .word(let word): if !word.isEmpty { settings.add(parameter.column, word) }
                }
            }
            line.add("settings", settings)
            line.add("worlds", plan.worlds)
            line.add("seed", decimal: "\(plan.seed)")
            for (number, column) in plan.columns.enumerated() {
                guard let estimate = estimate(row: row, column: number) else { continue }
                var object = JSONLine()
                object.add("mean", decimal: Self.decimal(estimate.mean))
                if let half = estimate.halfWidth {
                    object.add("low", decimal: Self.decimal(estimate.mean - half))
                    object.add("high", decimal: Self.decimal(estimate.mean + half))
                }
                object.add("worlds", estimate.count)
                line.add(column.column, object)
            }
            line.add("transmissions", outcomes[row].map(\.transmissions).reduce(0, +))
            return line.text
        }
    }

    /// All digits. Swift's form of a finite number is one of JSON's.
    private static func decimal(_ number: Double) -> String { "\(number)" }
}
