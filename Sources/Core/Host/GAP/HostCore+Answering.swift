internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// Connections that count when the peer has answered (`ConnectParameters.untilAnswered`).
///
/// What it is asked is what its Link Layer can do, as every central may; anything else that comes from it will do.
/// Until then the application knows of nothing, and the host asks for nothing else.
extension HostCore {
    /// A connection is there as far as the controller knows.
    mutating func askForAnswer(_ slot: Int, at now: Instant, into actions: inout HostActions) {
        links[slot].control.isAnswered = false
        guard controller.findings.offers(.leReadRemoteFeatures) else { return answered(slot, at: now, into: &actions) }
        readFeatures(slot, for: .answer)
    }

    /// The peer is there.
    mutating func answered(_ slot: Int, at now: Instant, into actions: inout HostActions) {
        guard !links[slot].control.isAnswered else { return }
        links[slot].control.isAnswered = true
        _ = gap.initiator.endAwaitingAnswer()
        begin(slot, at: now, into: &actions)
    }

    /// Takes note of whom an event shows to be there.
    mutating func noteAnswer(_ event: Event, at now: Instant, into actions: inout HostActions) {
        guard let handle = event.peerHeard, let slot = links.slot(of: handle) else { return }
        answered(slot, at: now, into: &actions)
    }

    /// The controller cannot ask, which says nothing about the peer, unless the connection is gone already.
    mutating func answerRefused(
        _ slot: Int,
        _ status: ControllerError,
        at now: Instant,
        into actions: inout HostActions
    ) {
        guard status != .unknownConnectionIdentifier else { return }
        answered(slot, at: now, into: &actions)
    }

    /// A connection counts that was not heard to fail.
    mutating func undisputed(_ id: ConnectionID, at now: Instant, into actions: inout HostActions) {
        guard let slot = links.slot(of: id) else {
            _ = gap.initiator.endAwaitingAnswer()
            return
        }
        answered(slot, at: now, into: &actions)
    }

    /// The peer did not hear the call.
    mutating func neverAnswered(_ slot: Int, at now: Instant, into actions: inout HostActions) {
        close(slot, reason: .connectionFailedToBeEstablished, at: now, into: &actions)
        guard let attempt = gap.initiator.endAwaitingAnswer() else { return }
        callAgain(attempt, at: now, into: &actions)
    }

    /// Calls a peer that did not hear it, for as long as the attempt may last.
    mutating func callAgain(_ attempt: InitiatingSequencer.Attempt, at now: Instant, into actions: inout HostActions) {
        var failure = ConnectFailure.refused(.connectionFailedToBeEstablished)
        if attempt.isGivenUp {
            failure = .cancelled
        } else if attempt.end.map({ now < $0 }) ?? true {
            var parameters = attempt.parameters
            parameters.timeout = attempt.end.map { $0 - now }
            if (try? connect(to: attempt.peer, parameters, at: now, into: &actions)) != nil { return }
        }
        actions.events.append(.connectFailed(attempt.peer, failure))
    }
}

extension Event {
    /// The connection whose peer must have been heard for this to come about.
    fileprivate var peerHeard: ConnectionHandle? {
        switch self {
        case .disconnectionComplete(let complete):
            complete.status == .success && complete.reason != .connectionFailedToBeEstablished
                ? complete.connection : nil
        case .leReadRemoteFeaturesComplete(let complete):
            complete.status == .connectionFailedToBeEstablished ? nil : complete.connection
        case .leRemoteConnectionParameterRequest(let request): request.connection
        case .leConnectionUpdateComplete(let complete): complete.connection
        case .leDataLengthChange(let change): change.connection
        case .lePHYUpdateComplete(let complete): complete.connection
        default: nil
        }
    }
}
