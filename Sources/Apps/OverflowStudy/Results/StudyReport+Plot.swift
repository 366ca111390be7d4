import BluethroatStudies
import BluethroatVirtualTime

extension StudyReport {
    /// A drawing as SVG: the shares of each row, or, where there is one row only, how they grew in time; with 95 % intervals where
    /// there are several worlds.
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
        func curve(_ name: String, isBackground: Bool = false, _ share: (StudyRow) -> StudyRow.Share) -> Plot.Curve {
            let shown = rows.filter { share($0).value != nil }
            return Plot.Curve(
                name: name,
                points: shown.map { (varied.value(of: $0.crowd), share($0).value ?? 0) },
                isBackground: isBackground,
                halfWidths: shown.map { $0.halfWidth(of: share) ?? 0 }
            )
        }
        return (since == .start ? [curve("heard at all", isBackground: true, \.heard)] : [])
            + times.reversed().map { time in curve("within \(time.words)") { $0.got(within: time, since: since) } }
    }

    /// In a hundred steps, with an interval at each tenth.
    private func growth(of row: StudyRow) -> [Plot.Curve] {
        let steps = (0...100).map { row.crowd.length * Int64($0) / 100 }
        func curve(
            _ name: String,
            isBackground: Bool = false,
            _ share: (StudyRow, TimeSpan) -> StudyRow.Share
        ) -> Plot.Curve {
            let shown = steps.indices.filter { share(row, steps[$0]).value != nil }
            return Plot.Curve(
                name: name,
                points: shown.map { (steps[$0].inSeconds, share(row, steps[$0]).value ?? 0) },
                isBackground: isBackground,
                hasMarks: false,
                halfWidths: shown.map { step in
                    step % 10 == 0 ? row.halfWidth { share($0, steps[step]) } ?? 0 : 0
                }
            )
        }
        let got = curve("payload got") { $0.got(within: $1, since: since) }
        guard since == .start else { return [got] }
        return [curve("heard at all", isBackground: true) { $0.heard(within: $1) }, got]
    }
}
