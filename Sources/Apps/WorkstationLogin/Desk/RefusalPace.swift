import Foundation

/// Limits how many refusals a desk reports: eight at once, then one a second, of all visitors together. A peer that asks without end
/// does not fill a log, and gains nothing by coming back.
struct RefusalPace {
    private static let most = 8.0

    private var left = most
    private var last: TimeInterval = 0

    /// Whether a refusal at this time is reported.
    mutating func tells(at now: TimeInterval) -> Bool {
        left = min(left + now - last, Self.most)
        last = now
        guard left >= 1 else { return false }
        left -= 1
        return true
    }
}
