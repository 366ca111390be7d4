import BluethroatStudies
import BluethroatVirtualTime

extension StudyReport {
    /// The rows as lines of text, with what they have in common above them.
    public var table: [String] {
        let conditions = conditions
        let body = TextTable.lines(header: header, rows: rows.map(cells))
        return [conditions.crowd, conditions.rest, ""] + body
    }

    private var header: [String] {
        let shares = times.map { "\($0.words)" }
        let compared = hasCode ? ["without code"] : []
        return [varied?.title ?? "phones", "heard"] + shares + compared
            + ["median wait", "mistakes", "time per byte", "changes per byte"]
    }

    private func cells(of row: StudyRow) -> [String] {
        let value = (varied ?? .phones).value(of: row.crowd).digits
        let shares = times.map { row.got(within: $0, since: since).percent }
        let wait = row.medianWait.map { "\($0.inSeconds.fixed(2)) s" } ?? "–"
        let compared = hasCode ? [row.gotWithoutCode?.percent ?? "–"] : []
        let time = row.timePerByte.map { "\($0.inSeconds.fixed(2)) s" } ?? "–"
        let changes = row.changesPerByte?.fixed(2) ?? "–"
        return [value, row.heard.percent] + shares + compared + [wait, "\(row.mistakes)", time, changes]
    }

    private var hasCode: Bool { rows.contains { $0.crowd.code != nil } }
}
