import VirtualTime

/// How long an encrypted link has been without a packet that only the peer can have made. Core 6.0, Vol 6, Part B, 5.4.
///
/// Before the time is up the peer is asked with LL_PING_REQ to send one; when it is up the host is told, and the time
/// begins anew. It stands still while the link is not encrypted and while its key changes.
struct AuthenticatedPayloadTimer: Sendable {
    /// 30 s, as connections begin. Vol 4, Part E, 7.3.93.
    static let defaultSteps: UInt16 = 3_000

    /// authenticatedPayloadTO, in steps of 10 ms.
    private(set) var steps = Self.defaultSteps
    /// Since when; nil while it stands still.
    private var since: Instant?
    private var hasPinged = false

    var timeout: TimeSpan { .milliseconds(10 * Int64(steps)) }

    mutating func start(at now: Instant) {
        since = now
        hasPinged = false
    }

    mutating func stop() { since = nil }

    /// Begins anew, if it does not stand still.
    @inline(__always)
    mutating func restart(at now: Instant) {
        guard since != nil else { return }
        since = now
        hasPinged = false
    }

    mutating func set(steps: UInt16, at now: Instant) {
        self.steps = steps
        restart(at: now)
    }

    /// What is due next. `round` is how long the peer may need for an answer.
    func nextDeadline(round: TimeSpan) -> Instant {
        guard let since else { return .distantFuture }
        return hasPinged ? since + timeout : since + pingDelay(round: round)
    }

    enum Due {
        case nothing, ping, expiry
    }

    mutating func expire(at now: Instant, round: TimeSpan) -> Due {
        guard let since else { return .nothing }
        if now >= since + timeout {
            start(at: now)
            return .expiry
        }
        guard !hasPinged, now >= since + pingDelay(round: round) else { return .nothing }
        hasPinged = true
        return .ping
    }

    /// Six rounds before the end, or half of the time where that is too short for six.
    private func pingDelay(round: TimeSpan) -> TimeSpan { max(timeout - round * 6, timeout / 2) }
}
