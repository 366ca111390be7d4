internal import BluetoothValues
internal import HCI
internal import VirtualTime

/// Legacy advertising as the controller's commands want it: parameters, data, scan response, then on.
/// Core 6.0, Vol 4, Part E, 7.8.5 to 7.8.9.
struct Advertiser {
    /// The command whose answer is awaited.
    enum Step: Equatable, Sendable {
        case setParameters
        case setData
        case setScanResponse
        case enable
        case disable
    }

    /// What to advertise and how.
    struct Advertisement {
        var parameters: AdvertisingParameters
        var ownAddressType: OwnAddressType
        var data: [UInt8]
        var scanResponse: [UInt8]
    }

    private enum State {
        case idle
        /// Stopped by its owner before it was on, if `isAbandoned`.
        case starting(Advertisement, isAbandoned: Bool)
        case on(AdvertisingParameters.Kind, end: Instant?)
        /// On its way off; what to tell then, nil where it has been told already, and what to advertise next.
        case stopping(AdvertisingEnd?, next: Advertisement?)
    }

    private var state = State.idle

    var isIdle: Bool {
        if case .idle = state { true } else { false }
    }

    /// When the duration asked for is over.
    var deadline: Instant? {
        if case .on(_, let end) = state { end } else { nil }
    }

    /// Begins, or waits until earlier advertising is off; false where there is advertising that nobody has stopped.
    mutating func start(_ advertisement: Advertisement, commands: inout CommandPipeline) -> Bool {
        switch state {
        case .idle:
            begin(advertisement, commands: &commands)
            return true
        case .stopping(let end, next: nil):
            state = .stopping(end, next: advertisement)
            return true
        case .starting, .on, .stopping: return false
        }
    }

    /// Begins to stop; false where there is nothing to stop.
    mutating func stop(commands: inout CommandPipeline) -> Bool {
        switch state {
        case .starting(let advertisement, isAbandoned: false):
            state = .starting(advertisement, isAbandoned: true)
            return true
        case .on:
            disable(.stopped, commands: &commands)
            return true
        case .stopping(let end, next: .some):
            state = .stopping(end ?? .stopped, next: nil)
            return true
        case .idle, .starting, .stopping: return false
        }
    }

    /// Takes in the answer to the command of a step.
    mutating func answer(
        _ step: Step,
        status: ControllerError,
        at now: Instant,
        commands: inout CommandPipeline,
        events: inout [HostEvent]
    ) {
        switch state {
        case .idle, .on: return
        case .stopping(let end, let next):
            // Off is off: a controller that refuses to disable says that it is off already.
            state = .idle
            if let end { events.append(.advertisingEnded(end)) }
            if let next { begin(next, commands: &commands) }
        case .starting(let advertisement, let isAbandoned):
            guard status == .success else {
                state = .idle
                events.append(.advertisingEnded(isAbandoned ? .stopped : .refused(status)))
                return
            }
            if step == .enable {
                let end = advertisement.parameters.duration.map { now + $0 }
                state = .on(advertisement.parameters.kind, end: end)
                events.append(.advertisingStarted)
                if isAbandoned { disable(.stopped, commands: &commands) }
            } else if isAbandoned {
                state = .idle
                events.append(.advertisingEnded(.stopped))
            } else {
                proceed(advertisement, after: step, commands: &commands)
            }
        }
    }

    /// Stops what has lasted long enough.
    mutating func expire(at now: Instant, commands: inout CommandPipeline) {
        guard let deadline, deadline <= now else { return }
        disable(.durationOver, commands: &commands)
    }

    /// A central has connected, which ends the controller's advertising.
    mutating func connected(_ connection: ConnectionID, events: inout [HostEvent]) {
        switch state {
        case .idle, .stopping(nil, _): return
        case .on:
            state = .idle
        case .starting:
            // The answer to a command is still to come; it finds nothing more to tell.
            state = .stopping(nil, next: nil)
        case .stopping(_, let next):
            state = .stopping(nil, next: next)
        }
        events.append(.advertisingEnded(.connected(connection)))
    }

    /// The controller has given up directed advertising at high duty.
    mutating func directedTimeout(events: inout [HostEvent]) {
        switch state {
        case .idle, .starting, .stopping(nil, _): return
        case .on: state = .idle
        case .stopping(_, let next): state = .stopping(nil, next: next)
        }
        events.append(.advertisingEnded(.directedTimeout))
    }

    /// Everything is over, since the controller was reset.
    mutating func reset(_ end: AdvertisingEnd, events: inout [HostEvent]) {
        switch state {
        case .idle, .stopping(nil, next: nil): break
        case .starting, .on, .stopping: events.append(.advertisingEnded(end))
        }
        state = .idle
    }

    private mutating func begin(_ advertisement: Advertisement, commands: inout CommandPipeline) {
        state = .starting(advertisement, isAbandoned: false)
        let command = Command.leSetAdvertisingParameters(Self.parameters(of: advertisement))
        commands.submit(command.packet(), for: .advertiser(.setParameters))
    }

    private mutating func proceed(_ advertisement: Advertisement, after step: Step, commands: inout CommandPipeline) {
        switch step {
        case .setParameters:
            if case .directedHighDuty = advertisement.parameters.kind { return enable(commands: &commands) }
            if case .directedLowDuty = advertisement.parameters.kind { return enable(commands: &commands) }
            let command = Command.leSetAdvertisingData(LESetAdvertisingData(data: advertisement.data))
            commands.submit(command.packet(), for: .advertiser(.setData))
        case .setData:
            guard advertisement.parameters.kind != .nonConnectable else { return enable(commands: &commands) }
            let command = Command.leSetScanResponseData(LESetScanResponseData(data: advertisement.scanResponse))
            commands.submit(command.packet(), for: .advertiser(.setScanResponse))
        case .setScanResponse: enable(commands: &commands)
        case .enable, .disable: break
        }
    }

    private func enable(commands: inout CommandPipeline) {
        let command = Command.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true))
        commands.submit(command.packet(), for: .advertiser(.enable))
    }

    private mutating func disable(_ end: AdvertisingEnd, commands: inout CommandPipeline) {
        state = .stopping(end, next: nil)
        let command = Command.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: false))
        commands.submit(command.packet(), for: .advertiser(.disable))
    }

    /// The parameters as the command wants them.
    private static func parameters(of advertisement: Advertisement) -> LESetAdvertisingParameters {
        let parameters = advertisement.parameters
        var command = LESetAdvertisingParameters(
            minimumInterval: parameters.minimumInterval.steps,
            maximumInterval: parameters.maximumInterval.steps,
            ownAddressType: advertisement.ownAddressType,
            channelMap: parameters.channels.rawValue,
            filterPolicy: parameters.filter.policy
        )
        switch parameters.kind {
        case .connectable: command.type = .connectable
        case .scannable: command.type = .scannable
        case .nonConnectable: command.type = .nonConnectable
        case .directedHighDuty(let peer):
            command.type = .directedHighDutyCycle
            command.peer = PeerAddress(peer)
        case .directedLowDuty(let peer):
            command.type = .directedLowDutyCycle
            command.peer = PeerAddress(peer)
        }
        return command
    }
}
