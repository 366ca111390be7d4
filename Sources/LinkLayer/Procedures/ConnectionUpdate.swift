import AirPackets
import BluetoothValues
import HCI
import VirtualTime

/// LL_CONNECTION_UPDATE_IND and the change at its instant. Core 6.0, Vol 6, Part B, 5.1.1.
extension Connection {
    func beginConnectionUpdate(_ range: ConnectionParameterRange, at now: Instant) {
        // The present interval stays if it suits; else the shortest that the host allows.
        let interval =
            range.minimumInterval <= parameters.interval && parameters.interval <= range.maximumInterval
            ? parameters.interval : range.minimumInterval
        guard
            let wanted = ConnectionParameters(
                interval: interval,
                latency: range.latency,
                supervisionTimeout: range.supervisionTimeout
            ),
            let window = TransmitWindow(sizeSteps: 1, offsetSteps: 0, interval: interval)
        else { preconditionFailure("a range of parameters allows its shortest interval") }
        let instant = futureInstant
        let indication = ConnectionUpdateIndication(window: window, parameters: wanted, instant: instant)
        send(.connectionUpdateInd(indication))
        procedures.pending = (.connectionUpdate(indication, wanted), instant)
        expectResponse(at: now)
    }

    func receive(
        _ indication: ConnectionUpdateIndication,
        at now: Instant,
        into output: inout LinkOutput
    ) {
        guard role == .peripheral else { return answerUnknown(.connectionUpdateInd) }
        guard isNotPast(indication.instant) else { return output.end(.instantPassed) }
        guard procedures.pending == nil else { return output.end(.differentTransactionCollision) }
        guard let wanted = indication.parameters, indication.window != nil else {
            return output.end(.invalidLinkLayerParameters)
        }
        // It is the answer to a request of ours, if there was one, or what follows our answer.
        if case .connectionParameterRequest = procedures.active { procedures.deadline = nil }
        procedures.peerDeadline = nil
        if indication.instant == eventCounter {
            // The central has changed over with this very event.
            apply(wanted, at: now, into: &output)
        } else {
            procedures.pending = (.connectionUpdate(indication, wanted), indication.instant)
        }
    }

    /// Applies what takes effect at the event about to begin.
    func applyChange(at now: Instant, into output: inout LinkOutput) {
        guard let (change, instant) = procedures.pending, instant == eventCounter else { return }
        procedures.pending = nil
        switch change {
        case .channelMap(let map):
            hopping.channelMap = map
            if case .channelMapUpdate = procedures.active { return finish(at: now, into: &output) }
            beginNext(at: now, into: &output)
        case .phys(let transmit, let receive): apply(transmit: transmit, receive: receive, at: now, into: &output)
        case .connectionUpdate(let indication, let wanted):
            anchor += .microseconds(1_250 * Int64(indication.windowOffsetSteps))
            if role == .peripheral { windowSize = .microseconds(1_250 * Int64(indication.windowSizeSteps)) }
            apply(wanted, at: now, into: &output)
        }
    }

    /// The connection has another pace; the host hears of it if it asked for it or if it is really another.
    private func apply(_ wanted: ConnectionParameters, at now: Instant, into output: inout LinkOutput) {
        let isNews = wanted != parameters
        parameters = wanted
        // The new timeout is counted from the instant. 4.5.2.
        if let lastHeard { self.lastHeard = max(lastHeard, now) }
        switch procedures.active {
        case .connectionUpdate(_, let isForHost):
            if isForHost { procedures.hostAwaitsUpdate = false }
            if isNews || isForHost { reportUpdate(.completed, into: &output) }
            finish(at: now, into: &output)
        case .connectionParameterRequest:
            procedures.hostAwaitsUpdate = false
            reportUpdate(.completed, into: &output)
            finish(at: now, into: &output)
        default:
            if isNews { reportUpdate(.completed, into: &output) }
            beginNext(at: now, into: &output)
        }
    }

    func failConnectionUpdate(_ reason: FailureCode, at now: Instant, into output: inout LinkOutput) {
        if procedures.hostAwaitsUpdate {
            procedures.hostAwaitsUpdate = false
            reportUpdate(.failed(reason), into: &output)
        }
        finish(at: now, into: &output)
    }

    private func reportUpdate(_ outcome: ProcedureOutcome, into output: inout LinkOutput) {
        output.events.append(
            .leConnectionUpdateComplete(
                LEConnectionUpdateComplete(
                    status: outcome.status,
                    connection: handle,
                    interval: parameters.interval.steps,
                    latency: parameters.latency.events,
                    supervisionTimeout: parameters.supervisionTimeout.steps
                )
            )
        )
    }
}
