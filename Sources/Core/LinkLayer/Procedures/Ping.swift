import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// LL_PING_REQ and LL_PING_RSP as the side that asks. Core 6.0, Vol 6, Part B, 5.1.8.
struct Ping: Sendable {
    private enum State {
        case awaitingResponse
        case over
    }

    private var state = State.awaitingResponse

    var isOver: Bool { state == .over }

    /// LL_PING_RSP came, or LL_UNKNOWN_RSP, which is authenticated as well.
    mutating func receiveResponse() { state = .over }
}

extension Procedures {
    var ping: Ping? {
        get { if case .ping(let procedure) = local { procedure } else { nil } }
        set { if let newValue { begin(.ping(newValue)) } }
    }
}

extension Connection {
    mutating func startPing() {
        send(.pingReq)
        procedures.begin(.ping(Ping()))
    }

    /// How long the peer may sleep before it hears a question.
    var pingRound: TimeSpan { parameters.interval.span * Int64(1 + parameters.latency.events) }

    /// The authenticated payload timer has begun, or begun anew, or stands still. 5.4.
    mutating func armAuthenticatedPayload() {
        if let deadline = authenticatedPayload.deadline(round: pingRound) {
            arm(.authenticatedPayload, at: deadline)
        } else {
            disarm(.authenticatedPayload)
        }
    }

    mutating func expireAuthenticatedPayload(at now: Instant, into output: inout LinkOutput) {
        let due = authenticatedPayload.expire(at: now)
        armAuthenticatedPayload()
        switch due {
        case .nothing: break
        case .expiry:
            output.events.append(
                .authenticatedPayloadTimeoutExpired(AuthenticatedPayloadTimeoutExpired(connection: handle))
            )
        case .ping:
            // A peer without LE Ping answers LL_UNKNOWN_RSP, which is authenticated as well; but why ask.
            guard procedures.features.own.contains(.ping), !procedures.features.peerLacks(.ping),
                procedures.ping == nil, !isTerminating
            else { return }
            begin(.ping, at: now, into: &output)
            wake(at: now)
        }
    }
}
