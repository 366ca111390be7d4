internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// Legacy advertising as the controller's commands want it: parameters, data, scan response, then on.
/// Core 6.0, Vol 4, Part E, 7.8.5 to 7.8.9.
struct AdvertisingSequencer {
    /// The command whose answer is awaited.
    enum Step: Equatable, Sendable {
        case setParameters
        case setData
        case setScanResponse
        case enable
        case disable
    }

    /// What to advertise and how. An object, since it goes from state to state.
    final class Advertisement {
        let parameters: AdvertisingParameters
        fileprivate(set) var choice: AddressChoice
        /// The target of directed advertising, or the peer whose entry of the resolving list gives the own address.
        fileprivate(set) var peer: PeerAddress
        /// Whose requests the controller answers.
        fileprivate(set) var filterPolicy: AdvertisingFilterPolicy
        fileprivate(set) var data: [UInt8]
        fileprivate(set) var scanResponse: [UInt8]
        /// When it has lasted long enough; set when it is on.
        fileprivate var end: Instant?
        fileprivate var isAnnounced = false

        init(
            parameters: AdvertisingParameters,
            choice: AddressChoice,
            peer: PeerAddress,
            filterPolicy: AdvertisingFilterPolicy,
            data: [UInt8],
            scanResponse: [UInt8]
        ) {
            self.parameters = parameters
            self.choice = choice
            self.peer = peer
            self.filterPolicy = filterPolicy
            self.data = data
            self.scanResponse = scanResponse
        }
    }

    private enum State {
        case idle
        case starting(Advertisement)
        /// Stopped by its owner before it was on: its command is still to be answered, and what to advertise after it.
        case abandoning(Advertisement, next: Advertisement?)
        case on(Advertisement)
        /// On its way off; what to report then, nil where that has been done already, and what to advertise next.
        case stopping(AdvertisingEnd?, next: Advertisement?)
        /// On its way off, to go on later.
        case pausing(Advertisement)
        /// Off, until `resume`.
        case paused(Advertisement)
    }

    enum Timer: Comparable {
        case duration
    }

    /// When the duration asked for is over, of what is on or held.
    private(set) var deadlines = Deadlines<Timer>()

    private var state = State.idle {
        didSet {
            switch state {
            case .on(let advertisement), .pausing(let advertisement), .paused(let advertisement):
                deadlines.arm(.duration, at: advertisement.end)
            case .idle, .starting, .abandoning, .stopping: deadlines.disarm(.duration)
            }
        }
    }
    private var isHeld = false
    /// What the controller keeps of earlier advertising, and need not be told again.
    private var kept = Kept()

    /// Parameters and scan response last until they are set anew, or the controller is reset: 7.8.5, 7.8.8, 7.3.2.
    private struct Kept {
        var parameters: LESetAdvertisingParameters?
        var scanResponse: [UInt8]?
    }

    var isIdle: Bool {
        if case .idle = state { true } else { false }
    }

    /// Whether the controller does not advertise and has no command to.
    var isOff: Bool {
        switch state {
        case .idle, .paused: true
        case .starting, .abandoning, .on, .stopping, .pausing: false
        }
    }

    /// What is under way, or about to be.
    var advertisement: Advertisement? {
        switch state {
        case .starting(let advertisement), .on(let advertisement), .pausing(let advertisement),
            .paused(let advertisement), .abandoning(_, let advertisement?), .stopping(_, let advertisement?):
            advertisement
        case .idle, .abandoning(_, nil), .stopping(_, nil): nil
        }
    }

    /// Begins, or waits until earlier advertising is off; false where advertising was not stopped before.
    mutating func start(_ advertisement: Advertisement, commands: inout CommandPipeline) -> Bool {
        switch state {
        case .idle:
            begin(advertisement, commands: &commands)
            return true
        case .stopping(let end, next: nil):
            state = .stopping(end, next: advertisement)
            return true
        case .abandoning(let old, next: nil):
            state = .abandoning(old, next: advertisement)
            return true
        case .starting, .abandoning, .on, .stopping, .pausing, .paused: return false
        }
    }

    /// Begins to stop; false where there is nothing to stop.
    mutating func stop(commands: inout CommandPipeline, events: inout [HostEvent]) -> Bool {
        switch state {
        case .starting(let advertisement), .abandoning(let advertisement, next: .some):
            state = .abandoning(advertisement, next: nil)
            return true
        case .on:
            disable(.stopped, commands: &commands)
            return true
        case .stopping(let end, next: .some):
            state = .stopping(end ?? .stopped, next: nil)
            return true
        case .pausing:
            state = .stopping(.stopped, next: nil)
            return true
        case .paused:
            state = .idle
            events.append(.advertisingEnded(.stopped))
            return true
        case .idle, .abandoning, .stopping: return false
        }
    }

    /// Goes off as soon as possible, until `resume`.
    mutating func hold(commands: inout CommandPipeline) {
        isHeld = true
        guard case .on(let advertisement) = state else { return }
        state = .pausing(advertisement)
        submitDisable(&commands)
    }

    /// Goes on.
    mutating func resume(commands: inout CommandPipeline) {
        isHeld = false
        if case .paused(let advertisement) = state { begin(advertisement, commands: &commands) }
    }

    /// Shows itself otherwise, or calls the peer otherwise, from the next beginning on.
    mutating func revise(_ choice: AddressChoice, _ peer: PeerAddress, _ filterPolicy: AdvertisingFilterPolicy) {
        guard case .paused(let advertisement) = state else { return }
        advertisement.choice = choice
        advertisement.peer = peer
        advertisement.filterPolicy = filterPolicy
    }

    /// The controller cannot have the random address that is needed.
    mutating func fail(_ status: ControllerError, needing use: RandomAddressUse, events: inout [HostEvent]) {
        guard case .paused(let advertisement) = state, advertisement.choice.random == use else { return }
        state = .idle
        events.append(.advertisingEnded(.refused(status)))
    }

    /// Handles the answer to the command of a step.
    mutating func answer(
        _ step: Step,
        status: ControllerError,
        at now: Instant,
        commands: inout CommandPipeline,
        events: inout [HostEvent]
    ) {
        if status != .success { kept = Kept() }
        switch state {
        case .idle, .on, .paused: return
        case .pausing(let advertisement):
            state = .paused(advertisement)
            if !isHeld { begin(advertisement, commands: &commands) }
        case .stopping(let end, let next):
            // Off is off: a controller that refuses to disable says that it is off already.
            state = .idle
            if let end { events.append(.advertisingEnded(end)) }
            if let next { begin(next, commands: &commands) }
        case .abandoning(let advertisement, let next):
            if step == .enable, status == .success {
                if !advertisement.isAnnounced { events.append(.advertisingStarted) }
                state = .stopping(.stopped, next: next)
                submitDisable(&commands)
            } else {
                state = .idle
                events.append(.advertisingEnded(.stopped))
                if let next { begin(next, commands: &commands) }
            }
        case .starting(let advertisement):
            guard status == .success else {
                state = .idle
                events.append(.advertisingEnded(.refused(status)))
                return
            }
            guard step == .enable else { return proceed(advertisement, after: step, commands: &commands) }
            if !advertisement.isAnnounced {
                advertisement.isAnnounced = true
                // The controller has them from now on.
                advertisement.data = []
                advertisement.scanResponse = []
                advertisement.end = advertisement.parameters.duration.map { now.after($0) }
                events.append(.advertisingStarted)
            }
            state = .on(advertisement)
        }
    }

    /// Stops what has lasted long enough.
    mutating func expire(at now: Instant, commands: inout CommandPipeline, events: inout [HostEvent]) {
        guard deadlines.popExpired(at: now) != nil else { return }
        switch state {
        case .on: disable(.durationOver, commands: &commands)
        case .pausing: state = .stopping(.durationOver, next: nil)
        case .paused:
            state = .idle
            events.append(.advertisingEnded(.durationOver))
        case .idle, .starting, .abandoning, .stopping: break
        }
    }

    /// A central has connected, which ends the controller's advertising.
    mutating func connected(_ connection: ConnectionID, events: inout [HostEvent]) {
        switch state {
        case .idle, .paused, .stopping(nil, _): return
        case .on:
            state = .idle
        case .starting, .pausing:
            // The answer to a command is still to come; it finds nothing more to report.
            state = .stopping(nil, next: nil)
        case .abandoning(_, let next), .stopping(_, let next):
            state = .stopping(nil, next: next)
        }
        events.append(.advertisingEnded(.connected(connection)))
    }

    /// A connection was rejected: the advertising that it ended begins again.
    mutating func abandonedConnection(commands: inout CommandPipeline) {
        if case .on(let advertisement) = state { begin(advertisement, commands: &commands) }
    }

    /// The controller has given up directed advertising at high duty.
    mutating func directedTimeout(events: inout [HostEvent]) {
        switch state {
        case .idle, .starting, .abandoning, .paused, .stopping(nil, _): return
        case .on: state = .idle
        case .pausing: state = .stopping(nil, next: nil)
        case .stopping(_, let next): state = .stopping(nil, next: next)
        }
        events.append(.advertisingEnded(.directedTimeout))
    }

    /// Everything is over, since the controller was reset.
    mutating func reset(_ end: AdvertisingEnd, events: inout [HostEvent]) {
        switch state {
        case .idle, .stopping(nil, next: nil): break
        case .starting, .abandoning, .on, .stopping, .pausing, .paused: events.append(.advertisingEnded(end))
        }
        state = .idle
        isHeld = false
        kept = Kept()
    }

    /// A command of the application may have changed what the controller keeps.
    mutating func forgetWhatIsKept() { kept = Kept() }

    private mutating func begin(_ advertisement: Advertisement, commands: inout CommandPipeline) {
        guard !isHeld else {
            state = .paused(advertisement)
            return
        }
        state = .starting(advertisement)
        let command = Self.parameters(of: advertisement)
        guard command != kept.parameters else {
            return proceed(advertisement, after: .setParameters, commands: &commands)
        }
        kept.parameters = command
        commands.submit(command.packet(), for: .advertiser(.setParameters))
    }

    private mutating func proceed(_ advertisement: Advertisement, after step: Step, commands: inout CommandPipeline) {
        switch step {
        case .setParameters:
            // What goes on after a pause has its data in the controller still.
            if advertisement.isAnnounced { return enable(commands: &commands) }
            if case .directedHighDuty = advertisement.parameters.kind { return enable(commands: &commands) }
            if case .directedLowDuty = advertisement.parameters.kind { return enable(commands: &commands) }
            let command = LESetAdvertisingData(data: advertisement.data)
            commands.submit(command.packet(), for: .advertiser(.setData))
        case .setData:
            guard advertisement.parameters.kind != .nonConnectable else { return enable(commands: &commands) }
            guard advertisement.scanResponse != kept.scanResponse else { return enable(commands: &commands) }
            kept.scanResponse = advertisement.scanResponse
            let command = LESetScanResponseData(data: advertisement.scanResponse)
            commands.submit(command.packet(), for: .advertiser(.setScanResponse))
        case .setScanResponse: enable(commands: &commands)
        case .enable, .disable: break
        }
    }

    private func enable(commands: inout CommandPipeline) {
        let command = LESetAdvertisingEnable(isEnabled: true)
        commands.submit(command.packet(), for: .advertiser(.enable))
    }

    private mutating func disable(_ end: AdvertisingEnd, commands: inout CommandPipeline) {
        state = .stopping(end, next: nil)
        submitDisable(&commands)
    }

    private func submitDisable(_ commands: inout CommandPipeline) {
        let command = LESetAdvertisingEnable(isEnabled: false)
        commands.submit(command.packet(), for: .advertiser(.disable))
    }

    /// The parameters as the command needs them.
    private static func parameters(of advertisement: Advertisement) -> LESetAdvertisingParameters {
        let parameters = advertisement.parameters
        var command = LESetAdvertisingParameters(
            minimumInterval: parameters.minimumInterval.steps,
            maximumInterval: parameters.maximumInterval.steps,
            ownAddressType: advertisement.choice.type,
            peer: advertisement.peer,
            channelMap: parameters.channels.rawValue,
            filterPolicy: advertisement.filterPolicy
        )
        switch parameters.kind {
        case .connectable: command.type = .connectable
        case .scannable: command.type = .scannable
        case .nonConnectable: command.type = .nonConnectable
        case .directedHighDuty: command.type = .directedHighDutyCycle
        case .directedLowDuty: command.type = .directedLowDutyCycle
        }
        return command
    }
}
