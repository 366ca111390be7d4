public import Foundation

/// How often and how long it was connected, in the time of the phone.
extension Peripheral {
    /// When the latest connection began.
    public var connectedAt: Date? { details.withLock(\.statistics.connectedAt) }

    /// When it ended; nil while it lasts.
    public var disconnectedAt: Date? { details.withLock(\.statistics.disconnectedAt) }

    /// How many attempts took too long.
    public var timeoutCount: UInt { details.withLock(\.statistics.timeouts) }

    /// How many connections, and attempts, have ended by themselves.
    public var disconnectionCount: UInt { details.withLock(\.statistics.disconnections) }

    /// How many attempts to connect there were.
    public var connectionCount: UInt { details.withLock(\.statistics.attempts) }

    /// How long the connection has lasted that there is, or that was last.
    public var secondsConnected: TimeInterval { statistic { $0.seconds(at: $1) } }

    /// How long all connections have lasted that are over.
    public var totalSecondsConnected: TimeInterval { details.withLock(\.statistics.totalSeconds) }

    /// How long all connections have lasted, the present one included.
    public var cumlativeSecondsConnected: TimeInterval { statistic { $0.allSeconds(at: $1) } }

    /// How long there was no connection since it was discovered.
    public var cumlativeSecondsDisconnected: TimeInterval {
        statistic { $1.timeIntervalSince(discoveredAt) - $0.allSeconds(at: $1) }
    }

    private func statistic(_ read: (PeripheralStatistics, Date) -> TimeInterval) -> TimeInterval {
        let now = appContext.now
        return details.withLock { read($0.statistics, now) }
    }
}
