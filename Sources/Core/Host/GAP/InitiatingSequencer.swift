internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// The making of one connection as central. Core 6.0, Vol 4, Part E, 7.8.12 and 7.8.13.
///
/// A peer whose private addresses only the host resolves is searched for first: what it is heard under is what is
/// connected to. If it has taken another address meanwhile, it is searched for again.
struct InitiatingSequencer {
    /// The command whose answer is awaited.
    enum Step: Equatable, Sendable {
        case create
        case cancel
    }

    /// The peer to connect to, as far as its address is known.
    enum Target: Equatable {
        case address(PeerAddress)
        /// Whatever address turns out to be this peer's.
        case searched
    }

    /// One order to connect.
    struct Attempt {
        /// As the application named it.
        var peer: DeviceAddress
        var target: Target
        var parameters: ConnectParameters
        var choice: AddressChoice
        /// When it has lasted long enough.
        var end: Instant?
        /// Cancelled when there was a connection already, so that it is not tried again.
        var isGivenUp = false
    }

    // An attempt is far larger than the rest, and most hosts have none. What is used after the state has changed is taken
    // from a copy of it: debug builds of Swift 6.3 read an attempt from the state's storage as late as it is used, and the
    // address sanitizer has seen that storage given back.
    private indirect enum State {
        case idle
        /// The scanner listens for the peer.
        case searching(Attempt)
        /// The peer was heard; the scanner is on its way off.
        case found(Attempt, PeerAddress)
        /// The controller tries; until `retry`, if the address was found by searching.
        case creating(Attempt, retry: Instant?)
        /// Cancelled; what to report when the controller says that it has stopped, or keeps silent until `end`.
        case cancelling(Attempt, ConnectFailure, end: Instant)
        /// Cancelled, to go on later, or with another address.
        case pausing(Attempt, end: Instant)
        /// Not begun, or cancelled, until `resume`.
        case paused(Attempt)
        /// There is a connection, on which the peer has still to answer. A controller has said before `limit` if it
        /// never does.
        case unanswered(Attempt, ConnectionID, limit: Instant)
    }

    /// A controller that has stopped says so by an LE Connection Complete event; one that never does is not waited for.
    private static let patience = TimeSpan.seconds(2)

    /// How long an address is tried that was heard just before.
    static let retryInterval = TimeSpan.seconds(5)

    enum Timer: Comparable {
        /// The attempt has lasted long enough.
        case attempt
        /// An address was tried for long enough, or the controller has kept silent for too long.
        case step
    }

    private(set) var deadlines = Deadlines<Timer>()

    private var state = State.idle {
        didSet {
            let (attempt, step) = ends
            deadlines.arm(.attempt, at: attempt)
            deadlines.arm(.step, at: step)
        }
    }
    private var isHeld = false

    var isIdle: Bool {
        if case .idle = state { true } else { false }
    }

    /// Whether the controller does not try to connect.
    var isOff: Bool {
        switch state {
        case .idle, .paused, .searching, .found, .unanswered: true
        case .creating, .cancelling, .pausing: false
        }
    }

    /// What is under way.
    var attempt: Attempt? {
        switch state {
        case .idle: nil
        case .searching(let attempt), .found(let attempt, _), .creating(let attempt, _), .cancelling(let attempt, _, _),
            .pausing(let attempt, _), .paused(let attempt), .unanswered(let attempt, _, _):
            attempt
        }
    }

    /// The peers to scan for.
    var searched: Attempt? {
        if case .searching(let attempt) = state { attempt } else { nil }
    }

    /// When the state ends by itself: with the attempt, or with what is under way of it.
    private var ends: (attempt: Instant?, step: Instant?) {
        switch state {
        case .idle: (nil, nil)
        case .searching(let attempt), .found(let attempt, _), .paused(let attempt): (attempt.end, nil)
        case .creating(let attempt, let retry): (attempt.end, retry)
        case .cancelling(_, _, let end), .unanswered(_, _, let end): (nil, end)
        case .pausing(let attempt, let end): (attempt.end, end)
        }
    }

    /// Begins to look for a device; false where that is under way already.
    mutating func start(_ attempt: Attempt, commands: inout CommandPipeline) -> Bool {
        guard case .idle = state else { return false }
        begin(attempt, commands: &commands)
        return true
    }

    /// Begins to give up; false where there is no attempt, or it is being given up already.
    mutating func cancel(at now: Instant, commands: inout CommandPipeline, events: inout [HostEvent]) -> Bool {
        switch state {
        case .idle, .cancelling: return false
        case .unanswered(var attempt, let connection, let limit):
            guard !attempt.isGivenUp else { return false }
            attempt.isGivenUp = true
            state = .unanswered(attempt, connection, limit: limit)
            return true
        case .searching, .found, .creating, .pausing, .paused:
            giveUp(.cancelled, at: now, commands: &commands, events: &events)
            return true
        }
    }

    /// The controller would not scan for the peer. To ask it again would have the same answer, without end.
    mutating func searchRefused(_ status: ControllerError, events: inout [HostEvent]) {
        let before = state
        guard case .searching(let attempt) = before else { return }
        end(attempt, .refused(status), &events)
    }

    /// The peer that is searched for has been heard under an address.
    mutating func found(_ identity: DeviceAddress, as address: PeerAddress) {
        let before = state
        guard case .searching(let attempt) = before, attempt.peer == identity else { return }
        state = .found(attempt, address)
    }

    /// Calls the peer that was found, once the search is off the air.
    mutating func proceed(searchIsOff: Bool, at now: Instant, commands: inout CommandPipeline) {
        let before = state
        guard case .found(let attempt, let address) = before, searchIsOff, !isHeld else { return }
        state = .creating(attempt, retry: now + Self.retryInterval)
        submit(attempt, address, commands: &commands)
    }

    /// Stops trying as soon as possible, until `resume`.
    mutating func hold(at now: Instant, commands: inout CommandPipeline) {
        isHeld = true
        let before = state
        switch before {
        case .creating(let attempt, _): pause(attempt, at: now, commands: &commands)
        case .searching(let attempt), .found(let attempt, _): state = .paused(attempt)
        case .idle, .cancelling, .pausing, .paused, .unanswered: break
        }
    }

    /// Goes on.
    mutating func resume(commands: inout CommandPipeline) {
        isHeld = false
        let before = state
        if case .paused(let attempt) = before { begin(attempt, commands: &commands) }
    }

    /// Calls the peer in another way, from the next beginning on.
    mutating func revise(_ target: Target, _ choice: AddressChoice) {
        guard case .paused(var attempt) = state else { return }
        attempt.target = target
        attempt.choice = choice
        state = .paused(attempt)
    }

    /// The controller cannot have the random address that is needed.
    mutating func fail(_ status: ControllerError, needing use: RandomAddressUse, events: inout [HostEvent]) {
        let before = state
        guard case .paused(let attempt) = before, attempt.choice.random == use else { return }
        end(attempt, .refused(status), &events)
    }

    /// Handles the answer to the command of a step.
    mutating func answer(
        _ step: Step,
        status: ControllerError,
        commands: inout CommandPipeline,
        events: inout [HostEvent]
    ) {
        // A cancellation that is refused comes too late or too early; the connection, or its failure, is on its way.
        guard step == .create, status != .success else { return }
        stopped(.refused(status), commands: &commands, events: &events)
    }

    /// The controller has made a connection as central. False if the peer has still to answer on it, within six
    /// intervals.
    mutating func connected(_ connection: ConnectionDescription, at now: Instant) -> Bool {
        guard var attempt, attempt.parameters.untilAnswered else {
            state = .idle
            return true
        }
        if case .cancelling(_, .cancelled, _) = state { attempt.isGivenUp = true }
        let limit = now + 6 * connection.parameters.interval.span + Self.patience
        state = .unanswered(attempt, connection.id, limit: limit)
        return false
    }

    /// The peer has answered, or never will: what it was called with.
    mutating func endAwaitingAnswer() -> Attempt? {
        let before = state
        guard case .unanswered(let attempt, _, _) = before else { return nil }
        state = .idle
        return attempt
    }

    /// The controller reports that the peer did not answer: what it is to be called with again.
    mutating func takeUnheard() -> Attempt? {
        let before = state
        guard case .creating(let attempt, _) = before, attempt.parameters.untilAnswered else { return nil }
        state = .idle
        return attempt
    }

    /// The controller reports that no connection came about.
    mutating func failed(_ error: ControllerError, commands: inout CommandPipeline, events: inout [HostEvent]) {
        stopped(.refused(error), commands: &commands, events: &events)
    }

    /// Gives up what has lasted long enough. Answers the connection that counts although nothing was heard on it, as
    /// nothing was said against it in time either.
    mutating func expire(
        at now: Instant,
        commands: inout CommandPipeline,
        events: inout [HostEvent]
    ) -> ConnectionID? {
        while let timer = deadlines.popExpired(at: now) {
            switch (timer, state) {
            case (.attempt, _): giveUp(.timeout, at: now, commands: &commands, events: &events)
            case (.step, .creating(let attempt, _)): pause(attempt, at: now, commands: &commands)
            case (.step, .cancelling(let attempt, let failure, _)): end(attempt, failure, &events)
            case (.step, .pausing(let attempt, _)): goOn(attempt, commands: &commands)
            case (.step, .unanswered(_, let connection, _)): return connection
            case (.step, .idle), (.step, .searching), (.step, .found), (.step, .paused): break
            }
        }
        return nil
    }

    /// Everything is over, since the controller was reset.
    mutating func reset(_ failure: ConnectFailure, events: inout [HostEvent]) {
        if let attempt { events.append(.connectFailed(attempt.peer, failure)) }
        state = .idle
        isHeld = false
    }

    // MARK: Steps

    private mutating func begin(_ attempt: Attempt, commands: inout CommandPipeline) {
        guard !isHeld else {
            state = .paused(attempt)
            return
        }
        switch attempt.target {
        case .searched: state = .searching(attempt)
        case .address(let address):
            state = .creating(attempt, retry: nil)
            submit(attempt, address, commands: &commands)
        }
    }

    private func submit(_ attempt: Attempt, _ address: PeerAddress, commands: inout CommandPipeline) {
        let parameters = attempt.parameters
        let command = LECreateConnection(
            scanInterval: parameters.timing.intervalSteps,
            scanWindow: parameters.timing.windowSteps,
            peer: address,
            ownAddressType: attempt.choice.type,
            minimumInterval: parameters.connection.minimumInterval.steps,
            maximumInterval: parameters.connection.maximumInterval.steps,
            maximumLatency: parameters.connection.latency.events,
            supervisionTimeout: parameters.connection.supervisionTimeout.steps
        )
        commands.submit(Command.leCreateConnection(command).packet(), for: .initiator(.create))
    }

    /// The controller does not try any more.
    private mutating func stopped(
        _ failure: ConnectFailure,
        commands: inout CommandPipeline,
        events: inout [HostEvent]
    ) {
        let before = state
        switch before {
        case .idle, .searching, .found, .paused, .unanswered: return
        case .creating(let attempt, _): end(attempt, failure, &events)
        case .cancelling(let attempt, let known, _): end(attempt, known, &events)
        case .pausing(let attempt, _): goOn(attempt, commands: &commands)
        }
    }

    private mutating func goOn(_ attempt: Attempt, commands: inout CommandPipeline) {
        state = .paused(attempt)
        if !isHeld { begin(attempt, commands: &commands) }
    }

    private mutating func pause(_ attempt: Attempt, at now: Instant, commands: inout CommandPipeline) {
        state = .pausing(attempt, end: now + Self.patience)
        submitCancel(&commands)
    }

    private mutating func giveUp(
        _ failure: ConnectFailure,
        at now: Instant,
        commands: inout CommandPipeline,
        events: inout [HostEvent]
    ) {
        let before = state
        switch before {
        case .idle, .cancelling, .unanswered: return
        case .searching(let attempt), .found(let attempt, _), .paused(let attempt): end(attempt, failure, &events)
        case .pausing(let attempt, let limit): state = .cancelling(attempt, failure, end: limit)
        case .creating(let attempt, _):
            state = .cancelling(attempt, failure, end: now + Self.patience)
            submitCancel(&commands)
        }
    }

    private func submitCancel(_ commands: inout CommandPipeline) {
        commands.submit(Command.leCreateConnectionCancel.packet(), for: .initiator(.cancel))
    }

    private mutating func end(_ attempt: Attempt, _ failure: ConnectFailure, _ events: inout [HostEvent]) {
        state = .idle
        events.append(.connectFailed(attempt.peer, failure))
    }
}
