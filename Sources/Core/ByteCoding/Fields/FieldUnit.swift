/// What the number in a field counts.
public enum FieldUnit: Hashable, Sendable {
    /// Steps of time.
    case time(nanoseconds: Int64)
    case octets
    case decibelMilliwatts
    case tenthsOfDecibel

    public static let microseconds = Self.time(nanoseconds: 1_000)
    /// 0.625 ms, the unit of advertising and scanning.
    public static let slots = Self.time(nanoseconds: 625_000)
    /// 1.25 ms, the unit of connection intervals.
    public static let intervals = Self.time(nanoseconds: 1_250_000)
    /// 10 ms, the unit of timeouts.
    public static let centiseconds = Self.time(nanoseconds: 10_000_000)
    public static let seconds = Self.time(nanoseconds: 1_000_000_000)

    /// A number in this unit: `30 ms`, `-12 dBm`, `27 octets`, `1.5 dB`.
    public func text(_ count: Int64) -> String {
        switch self {
        case .time(let nanoseconds):
            let (product, isTooLarge) = count.multipliedReportingOverflow(by: nanoseconds)
            return isTooLarge ? "\(count) times \(nanoseconds) ns" : Self.decimal(product / 1_000, places: 3) + " ms"
        case .octets: return count == 1 ? "1 octet" : "\(count) octets"
        case .decibelMilliwatts: return "\(count) dBm"
        case .tenthsOfDecibel: return Self.decimal(count, places: 1) + " dB"
        }
    }

    /// A number of 10 to the power of -`places`, without zeroes at its end.
    private static func decimal(_ number: Int64, places: Int) -> String {
        var digits = String(number.magnitude)
        while digits.count <= places { digits = "0" + digits }
        var fraction = digits.suffix(places)
        while fraction.last == "0" { fraction.removeLast() }
        return (number < 0 ? "-" : "") + digits.dropLast(places) + (fraction.isEmpty ? "" : "." + fraction)
    }
}
