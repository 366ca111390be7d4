internal import BluethroatBluetoothValues
internal import BluethroatHCI
internal import BluethroatVirtualTime

/// Legacy scanning as the controller's commands want it: parameters, then on. Core 6.0, Vol 4, Part E, 7.8.10 and
/// 7.8.11.
///
/// Two may want to scan: the application, and the host itself when it looks for a peer whose address it cannot know.
/// The controller runs the application's scan if there is one. While the scanner is held it is off, and goes on
/// afterwards without a word.
struct ScanSequencer {
    /// The command whose answer is awaited.
    enum Step: Equatable, Sendable {
        case setParameters
        case enable
        case disable
    }

    /// One request to scan.
    struct Scan {
        var parameters: ScanParameters
        var choice: AddressChoice
        /// Whether the host, not the controller, holds the filter accept list against what is heard.
        var isFilteredByHost = false
        /// When it has lasted long enough; set when it is on.
        var end: Instant?
        fileprivate var number = 0
        fileprivate var isAnnounced = false
        fileprivate var isApplications = true

        init(parameters: ScanParameters, choice: AddressChoice) {
            self.parameters = parameters
            self.choice = choice
        }
    }

    enum Timer: Comparable {
        case duration
    }

    /// When the duration that the application asked for is over.
    private(set) var deadlines = Deadlines<Timer>()

    /// What the application requests.
    @BoxedIfAny private var application: Scan? {
        didSet { deadlines.arm(.duration, at: application?.end) }
    }
    /// What the host itself requests.
    @BoxedIfAny private var search: Scan?
    /// Why the application's last scan ends; reported as soon as it is off.
    private var ending: ScanEnd?
    /// What the controller does.
    @BoxedIfAny private var running: Scan?
    /// What the controller is about to do.
    @BoxedIfAny private var starting: Scan?
    private var step: Step?
    /// Why the controller would not scan for the host itself.
    private var searchRefusal: ControllerError?
    private var isHeld = false
    private var mustRestart = false
    private var lastNumber = 0

    var isIdle: Bool { application == nil && ending == nil && search == nil && isOff }

    /// Whether the controller does not scan and has no command to.
    var isOff: Bool { running == nil && starting == nil && step == nil }

    /// Whether the controller listens, for whomever.
    var isRunning: Bool { running != nil }

    /// Whether reports go to the application; those that come late do not.
    var isOn: Bool { application.map { $0.number == running?.number } ?? false }

    /// Whether the host itself looks for a peer.
    var searches: Bool { search != nil }

    /// What the host is to leave out, since the controller does not.
    var isFilteredByHost: Bool { application?.isFilteredByHost ?? false }

    /// What the controller's random address has to be.
    var randomAddressUse: RandomAddressUse? { (application ?? search)?.choice.random }

    /// Begins, or waits until an earlier scan is off; false where a scan was not stopped before.
    mutating func start(_ scan: Scan, commands: inout CommandPipeline) -> Bool {
        guard application == nil else { return false }
        application = numbered(scan)
        proceed(commands: &commands)
        return true
    }

    /// Begins to stop; false where there is nothing to stop.
    mutating func stop(commands: inout CommandPipeline, events: inout [HostEvent]) -> Bool {
        guard application != nil else { return false }
        end(.stopped, commands: &commands, events: &events)
        return true
    }

    /// Listens for the host itself, or no longer.
    mutating func search(_ scan: Scan?, commands: inout CommandPipeline) {
        guard scan != nil || search != nil else { return }
        if scan == nil || search == nil {
            search = scan.map { numbered($0, isApplications: false) }
            // A device that the duplicate filter has dropped is reported again after a restart.
            if scan != nil, let running, running.parameters.filtersDuplicates { mustRestart = true }
            // A filter accept list of the controller would keep the peer out.
            if scan != nil, application?.parameters.filter == .listedOnly, !isFilteredByHost {
                application?.isFilteredByHost = true
                mustRestart = running != nil
            }
        }
        proceed(commands: &commands)
    }

    /// Why the controller would not scan for the host itself, returned once; nil if it did.
    mutating func takeSearchRefusal() -> ControllerError? {
        defer { searchRefusal = nil }
        return searchRefusal
    }

    /// Goes off as soon as possible, until `resume`.
    mutating func hold(commands: inout CommandPipeline) {
        isHeld = true
        proceed(commands: &commands)
    }

    mutating func resume(commands: inout CommandPipeline) {
        isHeld = false
        proceed(commands: &commands)
    }

    /// The application's scan, if there is one.
    var applicationScan: Scan? { application }

    /// Shows itself otherwise, from the next beginning on.
    mutating func revise(_ choice: AddressChoice, isFilteredByHost: Bool) {
        guard isHeld else { return }
        application?.choice = choice
        application?.isFilteredByHost = isFilteredByHost
    }

    /// The controller cannot have the random address that is needed.
    mutating func fail(_ status: ControllerError, needing use: RandomAddressUse, events: inout [HostEvent]) {
        guard let wanted = application, wanted.choice.random == use, running == nil else { return }
        application = nil
        events.append(.scanningEnded(.refused(status)))
    }

    /// Handles the answer to the command of a step.
    mutating func answer(
        _ step: Step,
        status: ControllerError,
        at now: Instant,
        commands: inout CommandPipeline,
        events: inout [HostEvent]
    ) {
        guard self.step == step else { return }
        self.step = nil
        switch step {
        case .disable:
            // Off is off: a controller that refuses to disable says that it is off already.
            running = nil
            mustRestart = false
            emitEnding(&events)
        case .setParameters, .enable:
            guard let scan = starting else { break }
            if status != .success {
                starting = nil
                refuse(scan, status, &events)
            } else if step == .setParameters, isWanted(scan) {
                let enable = LESetScanEnable(isEnabled: true, filtersDuplicates: scan.parameters.filtersDuplicates)
                self.step = .enable
                commands.submit(Command.leSetScanEnable(enable).packet(), for: .scanner(.enable))
            } else if step == .setParameters {
                starting = nil
                emitEnding(&events)
            } else {
                starting = nil
                begun(scan, at: now, &events)
            }
        }
        proceed(commands: &commands)
    }

    /// Stops what has lasted long enough.
    mutating func expire(at now: Instant, commands: inout CommandPipeline, events: inout [HostEvent]) {
        guard deadlines.popExpired(at: now) != nil else { return }
        end(.durationOver, commands: &commands, events: &events)
    }

    /// Everything is over, since the controller was reset.
    mutating func reset(_ end: ScanEnd, events: inout [HostEvent]) {
        if application != nil || ending != nil { events.append(.scanningEnded(end)) }
        let number = lastNumber
        self = Self()
        lastNumber = number
    }

    // MARK: Steps

    private mutating func numbered(_ scan: Scan, isApplications: Bool = true) -> Scan {
        lastNumber += 1
        var scan = scan
        scan.number = lastNumber
        scan.isApplications = isApplications
        return scan
    }

    private var wanted: Scan? { isHeld ? nil : application ?? search }

    private func isWanted(_ scan: Scan) -> Bool { wanted?.number == scan.number }

    /// Brings the controller nearer to what is requested, by one command.
    private mutating func proceed(commands: inout CommandPipeline) {
        guard step == nil else { return }
        if let running {
            guard !isWanted(running) || mustRestart else { return }
            step = .disable
            let command = LESetScanEnable(isEnabled: false)
            commands.submit(Command.leSetScanEnable(command).packet(), for: .scanner(.disable))
        } else if let wanted {
            starting = wanted
            step = .setParameters
            commands.submit(Self.command(wanted).packet(), for: .scanner(.setParameters))
        }
    }

    private mutating func begun(_ scan: Scan, at now: Instant, _ events: inout [HostEvent]) {
        running = scan
        guard scan.isApplications, !scan.isAnnounced else { return }
        events.append(.scanningStarted)
        guard application?.number == scan.number else { return }
        application?.isAnnounced = true
        application?.end = scan.parameters.duration.map { now.after($0) }
    }

    private mutating func refuse(_ scan: Scan, _ status: ControllerError, _ events: inout [HostEvent]) {
        if application?.number == scan.number {
            application = nil
            events.append(.scanningEnded(.refused(status)))
        } else if search?.number == scan.number {
            search = nil
            searchRefusal = status
        } else {
            emitEnding(&events)
        }
    }

    /// The application's scan is over: at once if the controller is not at it, else as soon as it is off.
    private mutating func end(_ end: ScanEnd, commands: inout CommandPipeline, events: inout [HostEvent]) {
        guard let scan = application else { return }
        application = nil
        if running?.number == scan.number || starting?.number == scan.number {
            ending = end
        } else if ending == nil {
            // What waits behind a scan that is being stopped is dropped without a word of its own.
            events.append(.scanningEnded(end))
        }
        proceed(commands: &commands)
    }

    private mutating func emitEnding(_ events: inout [HostEvent]) {
        guard let ending else { return }
        self.ending = nil
        events.append(.scanningEnded(ending))
    }

    private static func command(_ scan: Scan) -> Command {
        let isFiltered = scan.parameters.filter == .listedOnly && !scan.isFilteredByHost
        let command = LESetScanParameters(
            isActive: scan.parameters.active,
            interval: scan.parameters.timing.intervalSteps,
            window: scan.parameters.timing.windowSteps,
            ownAddressType: scan.choice.type,
            filterPolicy: isFiltered ? .basicFiltered : .basicUnfiltered
        )
        return .leSetScanParameters(command)
    }
}
