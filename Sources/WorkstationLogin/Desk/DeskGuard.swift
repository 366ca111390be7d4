import Foundation

/// Slows down whoever tries: after a few failures in a row nobody is listened to for a while, twice as long each time.
struct DeskGuard {
    private static let tolerated = 5
    private static let first: TimeInterval = 30
    private static let longest: TimeInterval = 900

    private var failures = 0
    private var closedUntil: TimeInterval = 0

    /// Seconds that are left; nil if anybody may come.
    func wait(at now: TimeInterval) -> UInt16? {
        closedUntil > now ? UInt16((closedUntil - now).rounded(.up)) : nil
    }

    /// Something failed; how many seconds the desk closes for, if it does.
    mutating func failed(at now: TimeInterval) -> Int? {
        failures += 1
        guard failures >= Self.tolerated else { return nil }
        let span = min(Self.first * Double(1 << min(failures - Self.tolerated, 10)), Self.longest)
        closedUntil = now + span
        return Int(span)
    }

    mutating func succeeded() { failures = 0 }
}
