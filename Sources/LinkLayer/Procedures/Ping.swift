import AirPackets
import BluetoothValues
import HCI
import VirtualTime

/// LL_PING_REQ and LL_PING_RSP. Core 6.0, Vol 6, Part B, 5.1.8, 5.4.
extension Connection {
    func beginPing(at now: Instant) {
        send(.pingReq)
        expectResponse(at: now)
    }

    func receivePingResponse(at now: Instant, into output: inout LinkOutput) {
        guard case .ping = procedures.active else { return }
        finish(at: now, into: &output)
    }

    /// How long the peer may sleep before it hears a question.
    var pingRound: TimeSpan { parameters.interval.span * Int64(1 + parameters.latency.events) }

    func expireAuthenticatedPayload(at now: Instant, into output: inout LinkOutput) {
        switch authenticatedPayload.expire(at: now, round: pingRound) {
        case .nothing: break
        case .expiry:
            output.events.append(
                .authenticatedPayloadTimeoutExpired(AuthenticatedPayloadTimeoutExpired(connection: handle))
            )
        case .ping:
            // A peer without LE Ping answers LL_UNKNOWN_RSP, which is authenticated as well; but why ask.
            guard localFeatures.contains(.ping), procedures.peerFeatures?.contains(.ping) != false,
                !procedures.isPinging, !isTerminating
            else { return }
            begin(.ping, at: now, into: &output)
            wake(at: now)
        }
    }
}

extension Procedures {
    var isPinging: Bool { if case .ping = active { true } else { false } }
}
