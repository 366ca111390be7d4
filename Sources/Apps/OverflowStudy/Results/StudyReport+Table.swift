import BluethroatVirtualTime

extension StudyReport {
    /// The rows as lines of text, with what they have in common above them.
    public var table: [String] {
        let conditions = conditions
        var lines = [header] + rows.map(cells)
        let widths = header.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        lines.insert(widths.map { String(repeating: "-", count: $0) }, at: 1)
        let body = lines.map { line in
            zip(line, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }.joined(separator: "  ")
        }
        return [conditions.crowd, conditions.rest, ""] + body
    }

    private var header: [String] {
        let shares = times.map { "\($0.words)" }
        return [varied?.title ?? "phones", "heard"] + shares + ["median wait", "mistakes"]
    }

    private func cells(of row: StudyRow) -> [String] {
        let value = (varied ?? .phones).value(of: row.crowd).digits
        let shares = times.map { row.got(within: $0, since: since).percent }
        let wait = row.medianWait.map { "\($0.inSeconds.fixed(2)) s" } ?? "–"
        return [value, row.heard.percent] + shares + [wait, "\(row.mistakes)"]
    }
}
