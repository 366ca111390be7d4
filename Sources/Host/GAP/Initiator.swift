internal import BluetoothValues
internal import HCI
internal import VirtualTime

/// The making of one connection as central. Core 6.0, Vol 4, Part E, 7.8.12 and 7.8.13.
struct Initiator {
    /// The command whose answer is awaited.
    enum Step: Equatable, Sendable {
        case create
        case cancel
    }

    private enum State {
        case idle
        case creating(DeviceAddress, end: Instant?)
        /// Cancelled; what to tell when the controller says that it has stopped, or keeps silent until `end`.
        case cancelling(DeviceAddress, ConnectFailure, end: Instant)
    }

    /// A controller that has stopped says so by an LE Connection Complete event; one that never does is not waited for.
    private static let patience = TimeSpan.seconds(2)

    private var state = State.idle

    var isIdle: Bool {
        if case .idle = state { true } else { false }
    }

    /// When the attempt has lasted long enough, or its end.
    var deadline: Instant? {
        switch state {
        case .idle: nil
        case .creating(_, let end): end
        case .cancelling(_, _, let end): end
        }
    }

    /// Begins to look for a device; false where that is under way already.
    mutating func start(
        to peer: DeviceAddress,
        _ parameters: ConnectParameters,
        ownAddressType: OwnAddressType,
        at now: Instant,
        commands: inout CommandPipeline
    ) -> Bool {
        guard case .idle = state else { return false }
        state = .creating(peer, end: parameters.timeout.map { now + $0 })
        let command = LECreateConnection(
            scanInterval: parameters.timing.intervalSteps,
            scanWindow: parameters.timing.windowSteps,
            peer: PeerAddress(peer),
            ownAddressType: ownAddressType,
            minimumInterval: parameters.pace.minimumInterval.steps,
            maximumInterval: parameters.pace.maximumInterval.steps,
            maximumLatency: parameters.pace.latency.events,
            supervisionTimeout: parameters.pace.supervisionTimeout.steps
        )
        commands.submit(Command.leCreateConnection(command).packet(), for: .initiator(.create))
        return true
    }

    /// Begins to give up; false where there is no attempt, or it is being given up already.
    mutating func cancel(at now: Instant, commands: inout CommandPipeline) -> Bool {
        guard case .creating(let peer, _) = state else { return false }
        giveUp(peer, .cancelled, at: now, commands: &commands)
        return true
    }

    /// Takes in the answer to the command of a step.
    mutating func answer(_ step: Step, status: ControllerError, events: inout [HostEvent]) {
        // A cancellation that is refused comes too late or too early; the connection, or its failure, is on its way.
        guard step == .create, status != .success else { return }
        switch state {
        case .idle: return
        case .creating(let peer, _): events.append(.connectFailed(peer, .refused(status)))
        case .cancelling(let peer, let failure, _): events.append(.connectFailed(peer, failure))
        }
        state = .idle
    }

    /// The controller has made a connection as central.
    mutating func connected() { state = .idle }

    /// The controller reports that no connection came about.
    mutating func failed(_ error: ControllerError, events: inout [HostEvent]) {
        switch state {
        case .idle: return
        case .creating(let peer, _): events.append(.connectFailed(peer, .refused(error)))
        case .cancelling(let peer, let failure, _): events.append(.connectFailed(peer, failure))
        }
        state = .idle
    }

    /// Gives up what has lasted long enough.
    mutating func expire(at now: Instant, commands: inout CommandPipeline, events: inout [HostEvent]) {
        switch state {
        case .creating(let peer, let end?) where end <= now: giveUp(peer, .timeout, at: now, commands: &commands)
        case .cancelling(let peer, let failure, let end) where end <= now:
            state = .idle
            events.append(.connectFailed(peer, failure))
        case .idle, .creating, .cancelling: break
        }
    }

    /// Everything is over, since the controller was reset.
    mutating func reset(_ failure: ConnectFailure, events: inout [HostEvent]) {
        switch state {
        case .idle: break
        case .creating(let peer, _), .cancelling(let peer, _, _): events.append(.connectFailed(peer, failure))
        }
        state = .idle
    }

    private mutating func giveUp(
        _ peer: DeviceAddress,
        _ failure: ConnectFailure,
        at now: Instant,
        commands: inout CommandPipeline
    ) {
        state = .cancelling(peer, failure, end: now + Self.patience)
        commands.submit(Command.leCreateConnectionCancel.packet(), for: .initiator(.cancel))
    }
}
