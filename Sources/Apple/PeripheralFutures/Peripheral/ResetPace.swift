internal import Foundation

/// When a manager is made anew: at once, but not twice within a tenth of a second.
///
/// Apps reset a manager when they hear that Bluetooth is off, as BlueCap's page does. The new one says the same, so that
/// without a pause they would do nothing else.
struct ResetPace {
    private static let pause = 0.1

    private var isOrdered = false
    private var latest: Date?

    /// A reset is wanted. After how many seconds it is to be done; nil if one is on its way already.
    mutating func order(at now: Date) -> TimeInterval? {
        guard !isOrdered else { return nil }
        isOrdered = true
        // A clock that was set back does not make it wait for longer.
        let passed = latest.map { max(0, now.timeIntervalSince($0)) } ?? Self.pause
        return max(0, Self.pause - passed)
    }

    /// It is being done.
    mutating func begin(at now: Date) {
        isOrdered = false
        latest = now
    }
}
