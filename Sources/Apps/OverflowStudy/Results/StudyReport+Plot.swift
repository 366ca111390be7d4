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

    /// A share in the plot, and half the width of its interval where there is one.
    private typealias Point = (x: Double, share: StudyRow.Share, halfWidth: Double?)

    /// One for each time, over what the rows differ in. The longest time is the highest curve, and comes first.
    private func curves(over varied: StudyParameter) -> [Plot.Curve] {
        let rows = rows.sorted { varied.value(of: $0.crowd) < varied.value(of: $1.crowd) }
        func points(_ share: (StudyRow) -> StudyRow.Share) -> [Point] {
            rows.map { (varied.value(of: $0.crowd), share($0), $0.halfWidth(of: share)) }
        }
        return (since == .start ? [curve("heard at all", points(\.heard), isBackground: true)] : [])
            + times.reversed().map { time in
                curve("within \(time.words)", points { $0.got(within: time, since: since) })
            }
    }

    /// In a hundred steps, with an interval at each tenth.
    private func growth(of row: StudyRow) -> [Plot.Curve] {
        func points(_ share: (StudyRow, TimeSpan) -> StudyRow.Share) -> [Point] {
            (0...100).map { number in
                let step = row.crowd.length * Int64(number) / 100
                let halfWidth = number % 10 == 0 ? row.halfWidth { share($0, step) } : nil
                return (step.inSeconds, share(row, step), halfWidth)
            }
        }
        let got = curve("payload got", points { $0.got(within: $1, since: since) }, hasMarks: false)
        guard since == .start else { return [got] }
        return [curve("heard at all", points { $0.heard(within: $1) }, isBackground: true, hasMarks: false), got]
    }

    /// Through the shares that there are.
    private func curve(
        _ name: String,
        _ points: [Point],
        isBackground: Bool = false,
        hasMarks: Bool = true
    ) -> Plot.Curve {
        let shown = points.compactMap { point in point.share.value.map { (point.x, $0, point.halfWidth ?? 0) } }
        return Plot.Curve(
            name: name,
            points: shown.map { ($0.0, $0.1) },
            isBackground: isBackground,
            hasMarks: hasMarks,
            halfWidths: shown.map(\.2)
        )
    }
}
