import BluethroatVirtualTime

/// How long an encrypted link has been without a packet that only the peer can have made. Core 6.0, Vol 6, Part B, 5.4.
///
/// Before the time is up the peer is asked with LL_PING_REQ to send one; when it is up the host receives an event, and
/// the time begins anew. It stands still while the link is not encrypted, and runs on while its key changes.
struct AuthenticatedPayloadTimer: Sendable {
    /// 30 s, as connections begin. Vol 4, Part E, 7.3.93.
    static let defaultSteps: UInt16 = 3_000

    private enum State {
        /// The link is not encrypted.
        case stopped
        /// Since the last authenticated packet.
        case running(since: Instant)
        /// LL_PING_REQ has been due since then.
        case pinged(since: Instant)
    }

    /// authenticatedPayloadTO, in steps of 10 ms.
    private(set) var steps = Self.defaultSteps
    private var state = State.stopped

    private var timeout: TimeSpan { .milliseconds(10 * Int64(steps)) }

    mutating func start(at now: Instant) { state = .running(since: now) }

    /// Begins anew, if it does not stand still.
    @inline(__always)
    mutating func restart(at now: Instant) {
        if case .stopped = state { return }
        state = .running(since: now)
    }

    mutating func set(steps: UInt16, at now: Instant) {
        self.steps = steps
        restart(at: now)
    }

    /// When the next step is due; nil while it stands still. `round` is how long the peer may need for an answer.
    func deadline(round: TimeSpan) -> Instant? {
        switch state {
        case .stopped: nil
        case .running(let since): since + pingDelay(round: round)
        case .pinged(let since): since + timeout
        }
    }

    enum Due {
        case nothing, ping, expiry
    }

    /// The deadline has come.
    mutating func expire(at now: Instant) -> Due {
        switch state {
        case .stopped: return .nothing
        case .running(let since) where now < since + timeout:
            state = .pinged(since: since)
            return .ping
        case .running, .pinged:
            start(at: now)
            return .expiry
        }
    }

    /// Six rounds before the end, or half of the time where that is too short for six.
    private func pingDelay(round: TimeSpan) -> TimeSpan { max(timeout - round * 6, timeout / 2) }
}
