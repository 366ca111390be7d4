import BluethroatStudies

extension StudyResults {
    /// The rows as a plot, with 95 % intervals: the first column over the first number that varies, if the file says no
    /// other, and a curve for each value of the next thing that varies. Of what varies besides, the first value is shown. What
    /// always has the same value at one place of the axis varies with it, not besides.
    public var svg: String {
        let x = plan.plot.x ?? plan.varied.first { plan.parameter($0)?.dimension != nil && $0 != plan.plot.curves }
        let free = plan.varied.filter { $0 != x && !isDetermined($0, by: x) }
        let curves = plan.plot.curves ?? free.first
        let number = plan.columns.firstIndex { $0.name == plan.plot.y } ?? 0
        guard plan.columns.indices.contains(number) else { return "" }
        let column = plan.columns[number], isShare = column.unit == .share
        let others = free.filter { $0 != curves }
        let shown = plan.rows.indices.filter { row in others.allSatisfy { value($0, row: row) == value($0, row: 0) } }
        let values = curves.map { path in unique(shown.map { value(path, row: $0) }) } ?? []
        let names =
            curves.flatMap(plan.parameter).map { parameter in values.map { parameter.text($0) } } ?? [column.name]
        let lines = names.indices.map { index -> Plot.Curve in
            let rows = shown.filter { row in curves.map { value($0, row: row) == values[index] } ?? true }
            let points = rows.compactMap { row -> (x: Double, y: Double, half: Double)? in
                guard let estimate = estimate(row: row, column: number) else { return nil }
                let factor = isShare ? 1 : column.shown.factor
                return (place(x, row: row), estimate.mean * factor, (estimate.halfWidth ?? 0) * factor)
            }
            .sorted { $0.x < $1.x }
            return Plot.Curve(name: names[index], points: points.map { ($0.x, $0.y) }, halfWidths: points.map(\.half))
        }
        let parameter = x.flatMap(plan.parameter)
        let fixed = others.compactMap(plan.parameter).map { "\($0.path) \($0.text(value($0.path, row: 0)))" }
        return Plot(
            title: plan.title,
            subtitles: [conditions] + (fixed.isEmpty ? [] : [fixed.joined(separator: ", ")]),
            xTitle: parameter.map { $0.path + unit(of: $0) } ?? "",
            yTitle: isShare ? column.name : column.title,
            curves: lines,
            legend: curves,
            xTicks: unique(shown.map { place(x, row: $0) }).sorted(),
            showsShares: isShare
        )
        .svg
    }

    private func isDetermined(_ path: String, by other: String?) -> Bool {
        guard let other else { return false }
        var known: [StudyValue: StudyValue] = [:]
        return plan.rows.indices.allSatisfy { row in
            let here = value(path, row: row)
            return known.updateValue(here, forKey: value(other, row: row)).map { $0 == here } ?? true
        }
    }

    private func place(_ path: String?, row: Int) -> Double {
        guard let path, case .number(let number) = value(path, row: row) else { return 0 }
        return number
    }

    private func unit(of parameter: WorldParameter) -> String {
        let unit = parameter.dimension?.units.first?.name ?? ""
        return unit.isEmpty ? "" : ", \(unit)"
    }

    /// Each once, in the order in which they come first.
    private func unique<Value: Equatable>(_ values: [Value]) -> [Value] {
        values.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
