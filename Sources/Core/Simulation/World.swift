import BluethroatAirPackets
import BluethroatBluetoothValues
public import BluethroatHost
import BluethroatLinkLayer
public import BluethroatRadioMedium
public import BluethroatVirtualTime

/// A world of its own: an air, devices on it, and a time that jumps from event to event.
///
/// Everything in it follows from its seed and from its input. One thread owns it, and the compiler proves that, since it is
/// not `Sendable`. The same seed and the same input give the same `digest` in every process.
public final class World {
    public let seed: UInt64
    /// How much of what is on the air is computed.
    public let air: AirMode
    /// What is not; nil where all is.
    private(set) var quietAir: QuietAir?
    /// What events read and change. Each access is checked in debug builds only.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var state: WorldState

    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    private var externalWork: [() -> Void] = []
    private var extensions: [AnyObject] = []
    /// For what may outlive this world.
    package let reference = WorldReference()
    var isStallAnnounced = false
    /// Called once when the world stops since no time passes: see `stall`.
    public var whenStalled: ((StallReport) -> Void)?

    /// A world in which nobody is yet.
    ///
    /// - Parameters:
    ///   - seed: what everything random in it follows from.
    ///   - propagation: how strengths fall with distance, and what receivers hear.
    ///   - air: whether every frame is computed, or only what may be heard: see `AirMode`.
    public init(seed: UInt64, propagation: Propagation = Propagation(), air: AirMode = .exact) {
        self.seed = seed
        self.air = air
        state = WorldState(medium: Medium(seed: seed, propagation: propagation))
        if air == .crowd { quietAir = QuietAir(self, propagation: state.medium.propagation) }
        reference.world = self
    }

    deinit { reference.world = nil }

    /// The present. Only `run` moves it.
    public var now: Instant { state.now }
    /// A fingerprint of everything that was on the air so far, and of who received it; in a crowd, of what was computed.
    public var digest: TraceDigest { state.digest }
    /// Frames that were put on the air so far, those included that a crowd's air did not compute.
    public var transmissionCount: Int {
        let early = quietAir?.catchUpAll() ?? 0
        return state.transmissionCount - early
    }
    /// What frames have done to each other so far; in a crowd, those that were computed.
    public var collisions: Collisions { state.medium.collisions }
    /// Called with everything that is recorded of a world; nil where nothing is.
    public var tap: (any WorldTap)? {
        get { state.tap }
        set {
            state.endDirectEvent()
            state.tap = newValue
        }
    }

    // MARK: Input

    /// Calls a device's host and carries out what follows; nil if the device has no host here.
    @discardableResult
    public func perform<Result, Failure: Error>(
        on id: DeviceID,
        _ action: (Host, Instant, inout HostActions) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let device = device(id), case .own(let host, _) = device.hostSide else { return nil }
        if let quietAir = device.state.quietAir { quietAir.lendHostStorage(to: device) }
        defer {
            exchangePackets(of: device)
            if let quietAir = device.state.quietAir { quietAir.takeBackHostStorage(of: device) }
        }
        return try device.withHostActions { actions throws(Failure) in try action(host, now, &actions) }
    }

    /// The same for what answers nothing. Phones do this with each command of an app: not being generic, it needs nothing at run
    /// time.
    package func call(_ id: DeviceID, _ action: (Host, Instant, inout HostActions) -> Void) {
        perform(on: id) { host, now, actions in action(host, now, &actions) }
    }

    /// Something changes in a device's application in which its host has no part, perhaps when the application is to be called.
    package func change(applicationOf id: DeviceID, _ action: (Instant) -> Void) {
        guard let device = device(id), case .own = device.hostSide else { return }
        action(now)
        exchangePackets(of: device)
    }

    /// A packet from a host or a controller that is elsewhere.
    public func receive(hci packet: [UInt8], for id: DeviceID) {
        guard let device = device(id) else { return }
        if case .external = device.hostSide {
            toController(packet, of: device)
        } else {
            toHost(packet, of: device)
        }
        exchangePackets(of: device)
    }

    /// Calls `action` when the world gets to `instant`.
    public func schedule(
        at instant: Instant,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ action: @escaping (World) -> Void
    ) {
        precondition(instant >= now, "an action cannot be scheduled in the past")
        let isForPresent = state.isRunning && instant == now
        let place = state.scheduledActions.add(
            ScheduledAction(isForPresent: isForPresent, fileID: fileID, line: line, action)
        )
        state.queue.schedule(.action(place: place), at: instant)
    }

    /// Adds a hook for input that other threads have left for this world. It is called on the thread of the world: as a run
    /// begins, and after each scheduled action. One that finds nothing must change nothing.
    public func addExternalWork(_ work: @escaping () -> Void) { externalWork.append(work) }

    /// Calls these hooks now. `run` does, too; this is for an owner who learns between two runs that there is input.
    public func runExternalWork() {
        for work in externalWork { work() }
    }

    /// Storage of a layer above, which lives as long as this world: one object of each type, made when first asked for.
    public func extensionStorage<Storage: AnyObject>(orMake make: () -> Storage) -> Storage {
        for case let storage as Storage in extensions { return storage }
        let storage = make()
        extensions.append(storage)
        return storage
    }

    // MARK: Time

    /// When something happens next; nil if nothing does without input, or if the world has stalled.
    public var nextEventInstant: Instant? { state.stalls.isStalled ? nil : state.nextEventInstant }

    /// Runs for so long. A world that stalls stops before: see `stall`.
    public func run(for span: TimeSpan) { run(until: now.after(span)) }

    /// Runs until the given instant, everything that happens at it included. A world that stalls stops before: see
    /// `stall`.
    public func run(until end: Instant) {
        runExternalWork()
        runEvents(until: end, isLookedAt: false) { false }
    }

    /// Runs until the given instant in real time: input that came while the world slept came just now, so that it is taken
    /// at that instant, and not before it.
    public func catchUp(until end: Instant) {
        runEvents(until: end, isLookedAt: false) { false }
        runExternalWork()
    }

    /// Runs until the condition holds, which is looked at after every event, but no longer than `limit`.
    ///
    /// False if the limit came first, or the world has stalled.
    @discardableResult
    public func run(for limit: TimeSpan, until condition: () -> Bool) -> Bool {
        runExternalWork()
        return condition() || runEvents(until: now.after(limit), or: condition)
    }

    /// Whether the condition came to hold.
    ///
    /// - Parameter isLookedAt: whether the condition looks at the world between two events of it.
    @discardableResult
    func runEvents(until end: Instant, isLookedAt: Bool = true, or condition: () -> Bool) -> Bool {
        let outer = (state.isRunning, state.unseenUntil)
        (state.isRunning, state.unseenUntil) = (true, isLookedAt ? .zero : end)
        defer {
            (state.isRunning, state.unseenUntil) = outer
            announceStall()
        }
        while !state.stalls.isStalled, let (instant, event) = state.popEvent(notAfter: end) {
            advance(to: instant)
            if case .wakeUp(let id) = event, state.direct == nil, beginConnectionEvent(of: id) { continue }
            handle(event)
            if condition() { return true }
        }
        if !state.stalls.isStalled, end > now { advance(to: end) }
        return false
    }

    func advance(to instant: Instant) {
        guard instant != now else { return }
        state.now = instant
        state.stalls.beginTurn()
    }

    // MARK: Events

    private func handle(_ event: WorldEvent) {
        switch event {
        case .wakeUp(let id): handleWakeUp(id)
        case .transmissionEnd(let number): endTransmission(TransmissionID(number: number))
        case .listeningEnd(let radio, let generation):
            guard state.medium.endListening(radio, generation: generation), let device = device(of: radio),
                device.controller != nil
            else { return }
            if let air = device.state.quietAir, air.endWindow(of: device) { return }
            device.callController(at: heardInstant) { controller, now, actions in
                controller.heardNothing(at: now, into: &actions)
            }
            exchangePackets(of: device)
        case .advertisement(let place, let generation):
            quietAir?.handleWakeUp(Int(place), generation: generation)
        case .sharedAir: advanceSharedAir()
        case .directFrameEnd: endDirectFrame()
        case .directWakeUp(let isCentral): if let direct = state.direct { wakeUp(direct.side(isCentral).device) }
        case .action(let place):
            guard let action = state.scheduledActions[place] else { return }
            if action.isForPresent, !state.stalls.mayGoOn(with: action, at: now) {
                state.queue.schedule(event, at: now)
                return
            }
            state.scheduledActions.remove(place)
            action.action(self)
            runExternalWork()
        }
    }

    private func handleWakeUp(_ id: DeviceID) {
        guard let device = state.devices[id.arrival] else { return }
        device.state.wakeUps.removeLast()
        wakeUp(device)
    }

    private func wakeUp(_ device: Device) {
        let controllerDeadline = device.controllerDeadline
        if controllerDeadline <= now {
            if device.controller?.waitsToAdvertise == true, completeAdvertisingEvent(of: device) { return }
            if state.stalls.isNoting { state.stalls.note(device, timer: \.controllerTimers, at: controllerDeadline) }
            device.callController(at: now) { controller, now, actions in controller.expire(at: now, into: &actions) }
        }
        let hostDeadline = device.hostDeadline
        if hostDeadline <= now {
            if state.stalls.isNoting { state.stalls.note(device, timer: \.hostTimers, at: hostDeadline) }
            device.callHost { host, actions in host.expire(at: now, into: &actions) }
        }
        let applicationDeadline = device.applicationDeadline
        if applicationDeadline <= now, let host = device.host, let application = device.application {
            if state.stalls.isNoting { state.stalls.note(device, timer: \.applicationTimers, at: applicationDeadline) }
            device.withHostActions { application.expire(host: host, at: now, into: &$0) }
        }
        exchangePackets(of: device)
    }

    // MARK: Help

    /// The ID of the device that arrives next.
    public var nextID: DeviceID { DeviceID(state.devices.next) }

    /// Nil if the device has left.
    func device(_ id: DeviceID) -> Device? {
        if let device = state.devices[id.arrival] { return device }
        // An ID made of a bare number guesses its place.
        guard id.arrival.place == id.rawValue, let arrival = state.devices.find(number: id.rawValue) else { return nil }
        return state.devices[arrival]
    }

    /// Nil if the radio's device has left.
    func device(of radio: RadioID) -> Device? {
        let place = Int(radio.arrival.place)
        guard place < state.owners.count, let device = state.owners[place], device.radio == radio else { return nil }
        return device
    }

    /// Whether the device has not left.
    func isPresent(_ device: Device) -> Bool { state.devices.contains(device.id.arrival) }

    func radio(of id: DeviceID) -> RadioID? { device(id)?.radio }
}
