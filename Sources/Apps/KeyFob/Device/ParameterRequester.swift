import BluethroatBluetoothValues
import BluethroatVirtualTime

/// When the fob asks its central for another pace: once a connection, a while after it began, if there is need.
struct ParameterRequester {
    /// 100 ms to 1 s, no latency, 10 s. The characteristic 0x2A04 names a narrower range.
    static let preferred: ConnectionParameterRange = {
        guard
            let range = ConnectionParameterRange(
                minimumSteps: 80,
                maximumSteps: 800,
                latencyEvents: 0,
                timeoutSteps: 1000
            )
        else { preconditionFailure("100 ms to 1 s with a timeout of 10 s is allowed") }
        return range
    }()

    /// How long an answer is waited for. Nothing happens then, nor after a refusal.
    static let patience = TimeSpan.seconds(30)

    private enum State {
        case idle
        case pausing(until: Instant)
        case waiting(until: Instant)
    }

    private var state = State.idle

    var deadline: Instant? {
        switch state {
        case .idle: nil
        case .pausing(let until), .waiting(let until): until
        }
    }

    /// Whether a request is under way, from the pause to the answer.
    var isBusy: Bool { deadline != nil }

    mutating func connected(at now: Instant, options: KeyFobOptions) {
        guard options.requestsConnectionParameters else { return }
        state = .pausing(until: now.after(options.connectionParameterPause))
    }

    /// Returns whether the request is to be sent now.
    mutating func expire(at now: Instant, current: ConnectionParameters) -> Bool {
        guard let deadline, deadline <= now else { return false }
        guard case .pausing = state, !Self.preferred.allows(current) else {
            state = .idle
            return false
        }
        state = .waiting(until: now + Self.patience)
        return true
    }

    /// The central has answered, the order was refused, or the connection is gone.
    mutating func finish() { state = .idle }
}
