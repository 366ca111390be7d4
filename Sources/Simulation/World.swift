import AirPackets
import BluetoothValues
public import Host
import LinkLayer
public import RadioMedium
public import VirtualTime

/// A world of its own: an air, devices on it, and a time that jumps from event to event.
///
/// Everything in it follows from its seed and from what it is told. One thread owns it; that it is not `Sendable` is the
/// proof. The same seed and the same orders give the same `digest` in every process.
public final class World {
    public let seed: UInt64
    /// What events read and change. Each access is checked in debug builds only.
    #if !DEBUG
        @exclusivity(unchecked)
    #endif
    var state: WorldState

    private var errands: [() -> Void] = []
    private var companions: [AnyObject] = []
    private var isStallAnnounced = false
    /// Called once when the world stops since no time passes: see `stall`.
    public var whenStalled: ((StallReport) -> Void)?

    public init(seed: UInt64, propagation: Propagation = Propagation()) {
        self.seed = seed
        state = WorldState(medium: Medium(seed: seed, propagation: propagation))
    }

    /// The present. Only `run` moves it.
    public var now: Instant { state.now }
    /// A fingerprint of everything that was on the air so far, and of who received it.
    public var digest: TraceDigest { state.digest }
    /// Frames that were put on the air so far.
    public var transmissionCount: Int { state.transmissionCount }
    /// What frames have done to each other so far.
    public var collisions: Collisions { state.medium.collisions }
    /// Called with everything that is recorded of a world; nil where nothing is.
    public var tap: (any WorldTap)? {
        get { state.tap }
        set { state.tap = newValue }
    }

    // MARK: Orders

    /// Tells a device's host something and carries out what follows; nil if the device has no host here.
    @discardableResult
    public func perform<Result, Failure: Error>(
        on id: DeviceID,
        _ order: (Host, Instant, inout HostActions) throws(Failure) -> Result
    ) throws(Failure) -> Result? {
        guard let device = device(id), case .own(let host, _) = device.hostSide else { return nil }
        defer { settle(device) }
        return try device.withHostActions { actions throws(Failure) in try order(host, now, &actions) }
    }

    /// A packet from a host or a controller that is elsewhere.
    public func receive(hci packet: [UInt8], for id: DeviceID) {
        guard let device = device(id) else { return }
        if case .external = device.hostSide {
            toController(packet, of: device)
        } else {
            toHost(packet, of: device)
        }
        settle(device)
    }

    /// Calls `order` when the world gets to `instant`.
    public func schedule(
        at instant: Instant,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ order: @escaping (World) -> Void
    ) {
        precondition(instant >= now, "an order cannot be scheduled in the past")
        state.orderCount &+= 1
        state.orders[state.orderCount] = ScheduledOrder(
            action: order,
            isForPresent: state.isRunning && instant == now,
            fileID: fileID,
            line: line
        )
        state.queue.schedule(.order(number: state.orderCount), at: instant)
    }

    /// Has something done on the thread of this world whenever orders may have been left for it elsewhere: as a run
    /// begins and after each scheduled order. An errand that finds nothing changes nothing.
    public func addErrand(_ errand: @escaping () -> Void) { errands.append(errand) }

    /// Does the errands now. `run` does, too; this is for whoever learns between two runs that something was left.
    public func doErrands() {
        for errand in errands { errand() }
    }

    /// What somebody above keeps for this world as long as it lives, one object of a type; made when first asked for.
    public func companion<Companion: AnyObject>(orMake make: () -> Companion) -> Companion {
        for case let companion as Companion in companions { return companion }
        let companion = make()
        companions.append(companion)
        return companion
    }

    // MARK: Time

    /// When something happens next; nil if nothing ever does unless it is told to, or if the world has stalled.
    public var nextEventInstant: Instant? { state.stalls.isStalled ? nil : state.queue.nextInstant }

    /// Runs for so long. A world that stalls stops before: see `stall`.
    public func run(for span: TimeSpan) { run(until: now + span) }

    /// Runs until the given instant, everything that happens at it included. A world that stalls stops before: see
    /// `stall`.
    public func run(until end: Instant) {
        doErrands()
        runEvents(until: end) { false }
    }

    /// Runs until the given instant in real time: what was left for the world while it slept was left just now, so that
    /// the errands are done at that instant, and not before it.
    public func catchUp(until end: Instant) {
        runEvents(until: end) { false }
        doErrands()
    }

    /// Runs until the condition holds, which is looked at after every event, but no longer than `limit`.
    ///
    /// False if the limit came first, or the world has stalled.
    @discardableResult
    public func run(for limit: TimeSpan, until condition: () -> Bool) -> Bool {
        doErrands()
        return condition() || runEvents(until: now + limit, or: condition)
    }

    /// Whether the condition came to hold.
    @discardableResult
    private func runEvents(until end: Instant, or condition: () -> Bool) -> Bool {
        let wasRunning = state.isRunning
        state.isRunning = true
        defer {
            state.isRunning = wasRunning
            announceStall()
        }
        while !state.stalls.isStalled, let (instant, event) = state.queue.popFirst(notAfter: end) {
            advance(to: instant)
            handle(event)
            if condition() { return true }
        }
        if !state.stalls.isStalled, end > now { advance(to: end) }
        return false
    }

    private func advance(to instant: Instant) {
        guard instant != now else { return }
        state.now = instant
        state.stalls.beginTurn()
    }

    // MARK: Standing still

    /// Why the world has stopped; nil as long as it has not.
    ///
    /// A world stops when one device, or a chain of scheduled orders, keeps it busy at one instant for more than
    /// `stallLimit` steps: a timer that is armed for the past again and again, or packets that are answered with packets
    /// in no time. Runs end early then, and later ones do nothing until `resume` is called; orders can be given.
    public var stall: StallReport? { state.stalls.report }

    /// How many steps a device, or a chain of scheduled orders, may make at one instant; 100,000 if not set.
    public var stallLimit: Int {
        get { state.stalls.limit }
        set { state.stalls.limit = max(1, newValue) }
    }

    /// Lets a world go on that has stalled: for an owner who has changed, or removed, what kept it busy.
    public func resume() {
        guard state.stalls.isStalled else { return }
        state.stalls.resume()
        isStallAnnounced = false
        for id in deviceIDs {
            if let device = device(id) { settle(device) }
        }
    }

    /// Whoever is called may resume the world; so it is done when nothing else is.
    func announceStall() {
        guard let report = state.stalls.report, !isStallAnnounced, !state.isRunning, state.settleDepth == 0 else {
            return
        }
        isStallAnnounced = true
        whenStalled?(report)
    }

    private func handle(_ event: WorldEvent) {
        switch event {
        case .appointment(let id): keepAppointment(id)
        case .transmissionEnd(let number): endTransmission(TransmissionID(number: number))
        case .listeningEnd(let radio, let generation):
            guard state.medium.endListening(radio, generation: generation), let device = device(of: radio),
                let controller = device.controller
            else { return }
            controller.heardNothing(at: device.state.drift.local(from: now), into: &device.state.controllerActions)
            settle(device)
        case .order(let number):
            guard let order = state.orders[number] else { return }
            if order.isForPresent, !state.stalls.mayGoOn(with: order, at: now) {
                state.queue.schedule(event, at: now)
                return
            }
            state.orders[number] = nil
            order.action(self)
            doErrands()
        }
    }

    private func keepAppointment(_ id: DeviceID) {
        guard let device = device(id) else { return }
        device.state.appointments.removeLast()
        if let controller = device.controller {
            let local = device.state.drift.local(from: now)
            if let deadline = controller.nextDeadline, deadline <= local {
                if state.stalls.isNoting {
                    state.stalls.note(device, timer: \.controllerTimers, at: device.state.drift.world(from: deadline))
                }
                controller.expire(at: local, into: &device.state.controllerActions)
            }
        }
        if let host = device.host, let application = device.application {
            if let deadline = host.nextDeadline, deadline <= now {
                if state.stalls.isNoting { state.stalls.note(device, timer: \.hostTimers, at: deadline) }
                host.expire(at: now, into: &device.state.hostActions)
            }
            if let deadline = application.nextDeadline, deadline <= now {
                if state.stalls.isNoting { state.stalls.note(device, timer: \.applicationTimers, at: deadline) }
                device.withHostActions { application.expire(host: host, at: now, into: &$0) }
            }
        }
        settle(device)
    }

    // MARK: Help

    /// What the device that arrives next will be called.
    public var nextID: DeviceID { DeviceID(state.devices.next) }

    /// Nil if the device has left.
    func device(_ id: DeviceID) -> Device? {
        if let device = state.devices[id.arrival] { return device }
        // An ID made of a bare number does not know its place.
        return state.devices.find(number: id.rawValue).flatMap { state.devices[$0] }
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
