/// How often a connection is tried again before its failure is reported.
struct ConnectionRetries {
    private let timeouts: UInt
    private let disconnections: UInt
    private var timeoutsLeft: UInt
    private var disconnectionsLeft: UInt

    init(_ timeouts: UInt = 0, _ disconnections: UInt = 0) {
        (self.timeouts, timeoutsLeft) = (timeouts, timeouts)
        (self.disconnections, disconnectionsLeft) = (disconnections, disconnections)
    }

    mutating func isRetriedAfterTimeout() -> Bool { Self.take(&timeoutsLeft, of: timeouts) }

    mutating func isRetriedAfterDisconnection() -> Bool { Self.take(&disconnectionsLeft, of: disconnections) }

    private static func take(_ left: inout UInt, of all: UInt) -> Bool {
        guard left > 0 else {
            left = all
            return false
        }
        left -= 1
        return true
    }
}
