internal import BluethroatBluetoothValues
internal import BluethroatVirtualTime

/// What GAP has under way apart from connections: one of each.
struct GAPMachines: ~Copyable {
    var advertiser = AdvertisingSequencer() { didSet { isUpToDate = false } }
    var scanner = ScanSequencer() { didSet { isUpToDate = false } }
    var initiator = InitiatingSequencer() { didSet { isUpToDate = false } }
    var filterAcceptList = FilterAcceptListSequencer()
    var privacy: PrivacyMachine { didSet { isUpToDate = false } }
    /// Whether nothing has changed since `HostCore.advanceGAP` has looked at it.
    var isUpToDate = true
    /// How long a private address is shown.
    let rotation: TimeSpan

    init(privacy: PrivacyMachine, rotation: TimeSpan) {
        self.privacy = privacy
        self.rotation = max(rotation, .seconds(1))
    }

    /// Nothing is under way that may be using the filter accept list.
    var isIdle: Bool { advertiser.isIdle && scanner.isIdle && initiator.isIdle && filterAcceptList.isIdle }

    /// Whether nothing is on the air that forbids to change addresses.
    var isOff: Bool { advertiser.isOff && scanner.isOff && initiator.isOff }

    /// What the controller's random address has to be for what is under way; nil if nothing uses it. Why it is `mutating`: see
    /// `HostCore.nextDeadline`.
    var randomAddressUse: RandomAddressUse? {
        mutating get {
            advertiser.advertisement?.choice.random ?? scanner.randomAddressUse ?? initiator.attempt?.choice.random
        }
    }

    enum Timer: Comparable {
        /// The private address in use has been shown for long enough.
        case rotation
    }

    /// What runs out that is no single machine's.
    private var deadlines = Deadlines<Timer>()

    /// The earliest deadline of all when everything was up to date last.
    private var knownDeadline = Instant.distantFuture

    /// The earliest deadline of all; the distant future if there is none.
    var nextDeadline: Instant {
        mutating get { isUpToDate ? knownDeadline : earliestDeadline }
    }

    private var earliestDeadline: Instant {
        mutating get {
            var earliest = advertiser.deadlines.next ?? .distantFuture
            if let next = scanner.deadlines.next { earliest = min(earliest, next) }
            if let next = initiator.deadlines.next { earliest = min(earliest, next) }
            if let next = deadlines.next { earliest = min(earliest, next) }
            return earliest
        }
    }

    /// All that could be done now has been done.
    mutating func markUpToDate() {
        let isRotating = privacy.stage == .idle && privacy.random.use != .staticDevice
        let isShown = isRotating && randomAddressUse == privacy.random.use
        deadlines.arm(.rotation, at: isShown ? privacy.random.since.after(rotation) : nil)
        knownDeadline = earliestDeadline
        isUpToDate = true
    }

    /// Does what is due at `now`. Answers a connection whose peer counts as there.
    mutating func expire(
        at now: Instant,
        commands: inout CommandPipeline,
        events: inout [HostEvent]
    ) -> ConnectionID? {
        if advertiser.deadlines.isDue(at: now) { advertiser.expire(at: now, commands: &commands, events: &events) }
        if scanner.deadlines.isDue(at: now) { scanner.expire(at: now, commands: &commands, events: &events) }
        var answered: ConnectionID?
        if initiator.deadlines.isDue(at: now) {
            answered = initiator.expire(at: now, commands: &commands, events: &events)
        }
        if deadlines.popExpired(at: now) != nil { privacy.random.isStale = true }
        return answered
    }

    /// Gives back what is kept for timers, where none is armed.
    mutating func giveBackStorage() { deadlines.giveBackStorage() }

    /// Takes everything off the air for a while.
    mutating func hold(at now: Instant, commands: inout CommandPipeline) {
        advertiser.hold(commands: &commands)
        scanner.hold(commands: &commands)
        initiator.hold(at: now, commands: &commands)
    }

    /// Puts everything back on the air.
    mutating func resume(commands: inout CommandPipeline) {
        advertiser.resume(commands: &commands)
        scanner.resume(commands: &commands)
        initiator.resume(commands: &commands)
    }

    /// What shows itself otherwise than it did before a pause, and as the controller cannot beside the rest, is ended:
    /// it would show an address that was to be hidden.
    mutating func failConflicts(events: inout [HostEvent]) {
        guard let use = randomAddressUse else { return }
        for other: RandomAddressUse in [.staticDevice, .resolvable, .nonResolvable] where other != use {
            fail(.commandDisallowed, needing: other, events: &events)
        }
    }

    /// The controller cannot have the random address that is needed.
    mutating func fail(_ status: ControllerError, needing use: RandomAddressUse, events: inout [HostEvent]) {
        advertiser.fail(status, needing: use, events: &events)
        scanner.fail(status, needing: use, events: &events)
        initiator.fail(status, needing: use, events: &events)
    }
}
