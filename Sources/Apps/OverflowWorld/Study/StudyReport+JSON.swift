import BluethroatEvents
import BluethroatKeyFobConsole
import BluethroatOverflowStudy
import BluethroatStudies
import BluethroatVirtualTime

extension StudyReport {
    /// One object for each row.
    package var json: [String] {
        rows.map { row in
            var line = JSONLine(event: "row")
            for parameter in StudyParameter.allCases {
                line.add(parameter.rawValue, decimal: parameter.value(of: row.crowd).digits)
            }
            line.add("minutes", decimal: (row.crowd.length.inSeconds / 60).digits)
            line.add("ios", row.crowd.systemVersion)
            line.add("worlds", row.results.count)
            line.add("seed", decimal: "\(seed)")
            line.add("devices", row.heard.total)
            if let heard = row.heard.value { line.add("heard", decimal: heard.digits) }
            line.addInterval(of: row, "heardLow", "heardHigh", \.heard)
            line.add("since", since.rawValue)
            line.add(
                "within",
                times.map { time in
                    let share = row.got(within: time, since: since)
                    var object = JSONLine()
                    object.add("seconds", decimal: time.inSeconds.digits)
                    object.add("count", share.count)
                    object.add("of", share.total)
                    if let value = share.value { object.add("share", decimal: value.digits) }
                    object.addInterval(of: row, "low", "high") { $0.got(within: time, since: since) }
                    return object
                }
            )
            if let wait = row.medianWait { line.add("medianWait", wait) }
            line.add("meetings", row.meetings.total)
            line.add("meetingsGot", row.meetings.count)
            line.add("mistakes", row.mistakes)
            line.add("transmissions", row.transmissions)
            line.add("mode", row.crowd.sending.name)
            if let got = row.gotWithoutCode?.value { line.add("gotWithoutCode", decimal: got.digits) }
            if let time = row.timePerByte { line.add("timePerByte", time) }
            if let changes = row.changesPerByte { line.add("changesPerByte", decimal: changes.digits) }
            return line.text
        }
    }
}

extension JSONLine {
    /// The ends of the 95 % interval of a share; nothing where there is none.
    fileprivate mutating func addInterval(
        of row: StudyRow,
        _ low: String,
        _ high: String,
        _ share: (StudyRow) -> StudyRow.Share
    ) {
        guard let interval = row.interval(of: share) else { return }
        add(low, decimal: interval.low.digits)
        add(high, decimal: interval.high.digits)
    }
}
