import BluethroatStudies
public import BluethroatVirtualTime

/// The rows of a study and what is asked of them; prints as a table, as CSV, and as a plot.
public struct StudyReport: Sendable {
    public let rows: [StudyRow]
    /// What the rows differ in; nil where there is one only.
    public let varied: StudyParameter?
    /// Within which times payloads are asked for, in ascending order.
    public let times: [TimeSpan]
    public let since: StudyRow.Beginning
    public let seed: UInt64

    public init(
        _ rows: [StudyRow],
        varied: StudyParameter?,
        times: [TimeSpan],
        since: StudyRow.Beginning = .start,
        seed: UInt64
    ) {
        self.rows = rows
        self.varied = varied
        self.times = times.sorted()
        self.since = since
        self.seed = seed
    }

    var worlds: Int { rows.first?.results.count ?? 0 }

    /// What all rows have in common, in one sentence each for the crowd and for the rest.
    var conditions: (crowd: String, rest: String) {
        guard let crowd = rows.first?.crowd else { return ("", "") }
        func text(_ parameter: StudyParameter, _ words: (String) -> String) -> String? {
            parameter == varied ? nil : words(parameter.value(of: crowd).digits)
        }
        let scanners = crowd.sending == .conversation ? nil : text(.scanners) { "\($0) scanners" }
        let people = [text(.phones) { "\($0) phones" }, scanners].compactMap(\.self)
        let place = text(.area) { "\($0) m × \($0) m" }
        let time = "\(crowd.length.words)\(worlds == 1 ? "" : ", \(worlds) worlds")"
        let rest = [
            text(.rotation) { "rotation \($0) s" }, text(.interval) { "interval \($0) ms" },
            text(.pollution) { "pollution \($0)" }, text(.speed) { "walking \($0) m/s" },
            crowd.foreignBits == 0 ? nil : text(.foreign) { "\($0) foreign bits" },
            sendingText(of: crowd),
            crowd.systemVersion == 13 ? nil : "iOS \(crowd.systemVersion)", "seed \(seed)",
        ]
        return (
            [people.joined(separator: " and "), place.map { "on \($0)" }, "for \(time)"].compactMap(\.self)
                .filter { !$0.isEmpty }.joined(separator: " "),
            rest.compactMap(\.self).joined(separator: ", ")
        )
    }
}

extension StudyReport {
    private func sendingText(of crowd: CrowdSettings) -> String? {
        switch crowd.sending {
        case .positions: nil
        case .code: "\(crowd.sending.name) code"
        case .conversation: "conversations of two"
        }
    }
}

extension TimeSpan {
    /// `90 s`, `10 min`
    var words: String {
        let seconds = inSeconds
        return seconds >= 120 && self % .seconds(60) == .zero ? "\((seconds / 60).digits) min" : "\(seconds.digits) s"
    }
}
