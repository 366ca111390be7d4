import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime

/// LL_CONNECTION_UPDATE_IND as the central sends it, and the change at its instant. Core 6.0, Vol 6, Part B, 5.1.1.
struct ConnectionUpdate: Sendable {
    private enum State {
        case awaitingAcknowledgement
        case awaitingInstant
        case over
    }

    /// Whether our host has asked for it, not the peer.
    let isForHost: Bool
    private var state = State.awaitingAcknowledgement

    init(isForHost: Bool) { self.isForHost = isForHost }

    var isOver: Bool { state == .over }

    /// The peer has the indication; true if that is not old.
    mutating func acknowledged() -> Bool {
        guard state == .awaitingAcknowledgement else { return false }
        state = .awaitingInstant
        return true
    }

    /// The instant has come.
    mutating func complete() { state = .over }
}

extension Procedures {
    var connectionUpdate: ConnectionUpdate? {
        get { if case .connectionUpdate(let procedure) = local { procedure } else { nil } }
        set { if let newValue { begin(.connectionUpdate(newValue)) } }
    }
}

extension Connection {
    mutating func startConnectionUpdate(_ range: ConnectionParameterRange, isForHost: Bool) {
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
        let instant = schedule.futureInstant(duringEvent: event.phase != .idle)
        let indication = ConnectionUpdateIndication(window: window, parameters: wanted, instant: instant)
        send(.connectionUpdateInd(indication))
        procedures.plan(.connectionUpdate(indication, wanted), at: instant)
        procedures.begin(.connectionUpdate(ConnectionUpdate(isForHost: isForHost)))
    }

    mutating func receive(_ indication: ConnectionUpdateIndication, at now: Instant, into output: inout LinkOutput) {
        guard role == .peripheral else { return answerUnknown(.connectionUpdateInd) }
        guard schedule.isNotPast(indication.instant) else { return output.end(.instantPassed) }
        guard procedures.change == nil else { return output.end(.differentTransactionCollision) }
        guard let wanted = indication.parameters, indication.window != nil else {
            return output.end(.invalidLinkLayerParameters)
        }
        // It is the answer to a request of ours, if there was one, or what follows our answer.
        if procedures.connectionParameterRequest?.granted() == true { disarm(.localProcedure) }
        if procedures.parameterAnswer?.isAccepted == true { finishRemoteProcedure() }
        if indication.instant == schedule.counter {
            // The central has changed over with this very event.
            apply(wanted, at: now, into: &output)
        } else {
            procedures.plan(.connectionUpdate(indication, wanted), at: indication.instant)
        }
    }

    /// The connection has other parameters; the host is notified if it asked for it or if they have really changed.
    mutating func apply(_ wanted: ConnectionParameters, at now: Instant, into output: inout LinkOutput) {
        let isChange = wanted != parameters
        schedule.use(wanted)
        // The new timeout is counted from the instant. 4.5.2.
        supervision.restart(at: now)
        armSupervision()
        armAuthenticatedPayload()
        let isAsked = procedures.connectionUpdate?.isForHost ?? (procedures.connectionParameterRequest != nil)
        if isChange || isAsked { reportUpdate(.completed, into: &output) }
        procedures.connectionUpdate?.complete()
        procedures.connectionParameterRequest?.end()
    }

    mutating func reportUpdate(_ outcome: ProcedureOutcome, into output: inout LinkOutput) {
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
