import BluethroatStudies
import BluethroatVirtualTime

extension StudyReport {
    /// A drawing as SVG: the shares of each row, or, where there is one row only, how they grew in time.
    public var svg: String {
        let conditions = conditions
        return Plot(
            title: "Phones whose payload was got from the overflow area",
            subtitles: [conditions.crowd, conditions.rest],
            xTitle: varied?.axisTitle
                ?? (since == .start
                    ? "seconds since scanners began to listen" : "seconds since a phone was heard first"),
            yTitle: since == .start ? "share of all phones" : "share of phones heard",
            curves: varied.map(curves) ?? rows.first.map(growth) ?? [],
            xTicks: varied.map { varied in rows.map { varied.value(of: $0.crowd) } } ?? []
        )
        .svg
    }

    /// One for each time, over what the rows differ in. The longest time is the highest curve, and comes first.
    private func curves(over varied: StudyParameter) -> [Plot.Curve] {
        let rows = rows.sorted { varied.value(of: $0.crowd) < varied.value(of: $1.crowd) }
        func points(_ share: (StudyRow) -> StudyRow.Share) -> [(x: Double, y: Double)] {
            rows.compactMap { row in share(row).value.map { (varied.value(of: row.crowd), $0) } }
        }
        let heard = Plot.Curve(name: "heard at all", points: points(\.heard), isBackground: true)
        return (since == .start ? [heard] : [])
            + times.reversed().map { time in
                Plot.Curve(name: "within \(time.words)", points: points { $0.got(within: time, since: since) })
            }
    }

    /// In a hundred steps.
    private func growth(of row: StudyRow) -> [Plot.Curve] {
        let steps = (0...100).map { row.crowd.length * Int64($0) / 100 }
        func points(_ share: (TimeSpan) -> StudyRow.Share) -> [(x: Double, y: Double)] {
            steps.compactMap { step in share(step).value.map { (step.inSeconds, $0) } }
        }
        let got = Plot.Curve(
            name: "payload got",
            points: points { row.got(within: $0, since: since) },
            hasMarks: false
        )
        guard since == .start else { return [got] }
        return [Plot.Curve(name: "heard at all", points: points(row.heard(within:)), isBackground: true), got]
    }
}
