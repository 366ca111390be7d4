internal import Foundation

/// How often and how long a peripheral was connected.
struct PeripheralStatistics {
    var connectedAt: Date?
    var disconnectedAt: Date?
    var attempts: UInt = 0
    var timeouts: UInt = 0
    var disconnections: UInt = 0
    /// Of the connections that are over.
    var totalSeconds: TimeInterval = 0

    mutating func connected(at now: Date) {
        connectedAt = now
        disconnectedAt = nil
    }

    mutating func disconnected(at now: Date) {
        disconnectedAt = now
        totalSeconds += seconds(at: now)
    }

    /// How long the connection has lasted that there is, or that was last.
    func seconds(at now: Date) -> TimeInterval {
        connectedAt.map { (disconnectedAt ?? now).timeIntervalSince($0) } ?? 0
    }

    /// Of all connections, the present one included.
    func allSeconds(at now: Date) -> TimeInterval { totalSeconds + (disconnectedAt == nil ? seconds(at: now) : 0) }
}
