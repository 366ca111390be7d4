/// Times of a bank as people read them.
public enum MoneyDate {
    /// The seconds of a day. A bank's days begin at 00:00 UTC.
    public static let day: Int64 = 86_400

    /// `2026-11-23 14:05:09 UTC`, of seconds since 1970; just the number where that is before 1970 or after 9999.
    public static func text(_ seconds: Int64) -> String {
        guard (0..<253_402_300_800).contains(seconds) else { return "\(seconds) s after 1970" }
        // Years that begin in March, in eras of 400 of them, so that the day that comes and goes is the last one.
        let days = seconds / day + 719_468
        let dayOfEra = days % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = days / 146_097 * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        let date = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfYear - (153 * marchMonth + 2) / 5 + 1, 2))"
        let rest = seconds % day
        return "\(date) \(padded(rest / 3_600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2)) UTC"
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
