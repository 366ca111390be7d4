internal import BluetoothValues
internal import HCI
internal import VirtualTime

/// Legacy scanning as the controller's commands want it: parameters, then on. Core 6.0, Vol 4, Part E, 7.8.10 and
/// 7.8.11.
struct Scanner {
    /// The command whose answer is awaited.
    enum Step: Equatable, Sendable {
        case setParameters
        case enable
        case disable
    }

    private struct Scan {
        var parameters: ScanParameters
        var ownAddressType: OwnAddressType
    }

    private enum State {
        case idle
        /// Stopped by its owner before it was on, if `isAbandoned`.
        case starting(Scan, isAbandoned: Bool)
        case on(end: Instant?)
        /// On its way off; what to tell then, and what to scan for next.
        case stopping(ScanEnd, next: Scan?)
    }

    private var state = State.idle

    var isIdle: Bool {
        if case .idle = state { true } else { false }
    }

    /// Whether reports are news; those that come late are not.
    var isOn: Bool {
        if case .on = state { true } else { false }
    }

    /// When the duration asked for is over.
    var deadline: Instant? {
        if case .on(let end) = state { end } else { nil }
    }

    /// Begins, or waits until an earlier scan is off; false where there is a scan that nobody has stopped.
    mutating func start(_ parameters: ScanParameters, ownAddressType: OwnAddressType, commands: inout CommandPipeline)
        -> Bool
    {
        let scan = Scan(parameters: parameters, ownAddressType: ownAddressType)
        switch state {
        case .idle:
            begin(scan, commands: &commands)
            return true
        case .stopping(let end, next: nil):
            state = .stopping(end, next: scan)
            return true
        case .starting, .on, .stopping: return false
        }
    }

    /// Begins to stop; false where there is nothing to stop.
    mutating func stop(commands: inout CommandPipeline) -> Bool {
        switch state {
        case .starting(let scan, isAbandoned: false):
            state = .starting(scan, isAbandoned: true)
            return true
        case .on:
            disable(.stopped, commands: &commands)
            return true
        case .stopping(let end, next: .some):
            state = .stopping(end, next: nil)
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
            events.append(.scanningEnded(end))
            if let next { begin(next, commands: &commands) }
        case .starting(let scan, let isAbandoned):
            guard status == .success else {
                state = .idle
                events.append(.scanningEnded(isAbandoned ? .stopped : .refused(status)))
                return
            }
            if step == .enable {
                state = .on(end: scan.parameters.duration.map { now + $0 })
                events.append(.scanningStarted)
                if isAbandoned { disable(.stopped, commands: &commands) }
            } else if isAbandoned {
                state = .idle
                events.append(.scanningEnded(.stopped))
            } else {
                let enable = LESetScanEnable(isEnabled: true, filtersDuplicates: scan.parameters.filtersDuplicates)
                commands.submit(Command.leSetScanEnable(enable).packet(), for: .scanner(.enable))
            }
        }
    }

    /// Stops what has lasted long enough.
    mutating func expire(at now: Instant, commands: inout CommandPipeline) {
        guard let deadline, deadline <= now else { return }
        disable(.durationOver, commands: &commands)
    }

    /// Everything is over, since the controller was reset.
    mutating func reset(_ end: ScanEnd, events: inout [HostEvent]) {
        if !isIdle { events.append(.scanningEnded(end)) }
        state = .idle
    }

    private mutating func begin(_ scan: Scan, commands: inout CommandPipeline) {
        state = .starting(scan, isAbandoned: false)
        let command = LESetScanParameters(
            isActive: scan.parameters.active,
            interval: scan.parameters.timing.intervalSteps,
            window: scan.parameters.timing.windowSteps,
            ownAddressType: scan.ownAddressType,
            filterPolicy: scan.parameters.filter == .everybody ? .basicUnfiltered : .basicFiltered
        )
        commands.submit(Command.leSetScanParameters(command).packet(), for: .scanner(.setParameters))
    }

    private mutating func disable(_ end: ScanEnd, commands: inout CommandPipeline) {
        state = .stopping(end, next: nil)
        let command = LESetScanEnable(isEnabled: false)
        commands.submit(Command.leSetScanEnable(command).packet(), for: .scanner(.disable))
    }
}
