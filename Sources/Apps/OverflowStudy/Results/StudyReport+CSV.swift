import BluethroatStudies
import BluethroatVirtualTime

extension StudyReport {
    /// The rows with all that they follow from, with commas between, after RFC 4180 but for the ends of lines. What there is
    /// no number for is empty. Behind all else are the ends of the 95 % intervals of the shares.
    public var csv: String {
        let times = times.map { "within_\($0.inSeconds.digits)_s" }
        let ends = (["heard"] + times).flatMap { ["\($0)_low", "\($0)_high"] }
        let header =
            StudyParameter.allCases.map(\.column) + ["minutes", "ios", "worlds", "seed", "since", "devices", "heard"]
            + times
            + ["median_wait_s", "meetings", "meetings_got", "mistakes", "transmissions"]
            + ["mode", "got_without_code", "time_per_byte_s", "changes_per_byte"] + ends
        return ([header] + rows.map(cells)).map { $0.joined(separator: ",") + "\n" }.joined()
    }

    private func cells(of row: StudyRow) -> [String] {
        let crowd = row.crowd
        let own = [
            (crowd.length.inSeconds / 60).digits, "\(crowd.systemVersion)", "\(row.results.count)", "\(seed)",
            since.rawValue, "\(row.heard.total)",
        ]
        let asked: [(StudyRow) -> StudyRow.Share] =
            [\.heard] + times.map { time in { $0.got(within: time, since: since) } }
        let shares = asked.map { $0(row) }
        let ends = asked.flatMap { asked in
            row.interval(of: asked).map { [$0.low.fixed(6), $0.high.fixed(6)] } ?? ["", ""]
        }
        let wait = row.medianWait.map { $0.inSeconds.fixed(3) } ?? ""
        return StudyParameter.allCases.map { $0.value(of: crowd).digits } + own
            + shares.map { share in share.value.map { $0.fixed(6) } ?? "" }
            + [wait, "\(row.meetings.total)", "\(row.meetings.count)", "\(row.mistakes)", "\(row.transmissions)"]
            + [crowd.sending.name, row.gotWithoutCode?.value?.fixed(6) ?? ""]
            + [row.timePerByte?.inSeconds.fixed(3) ?? "", row.changesPerByte?.fixed(3) ?? ""] + ends
    }
}

extension StudyParameter {
    /// What its column is called.
    fileprivate var column: String {
        switch self {
        case .phones, .scanners, .pollution: rawValue
        case .area: "area_m"
        case .rotation: "rotation_s"
        case .interval: "interval_ms"
        case .speed: "speed_m_s"
        case .foreign: "foreign_bits"
        }
    }
}
