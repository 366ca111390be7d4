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
    /// The present. Only `run` moves it.
    @exclusivity(unchecked)
    public private(set) var now = Instant.zero
    /// A fingerprint of everything that was on the air so far, and of who received it.
    @exclusivity(unchecked)
    public internal(set) var digest = TraceDigest()
    /// Frames that were put on the air so far.
    @exclusivity(unchecked)
    public internal(set) var transmissionCount = 0
    /// What frames have done to each other so far.
    public var collisions: Collisions { medium.collisions }
    /// Called with everything that is recorded of a world; nil where nobody listens.
    @exclusivity(unchecked)
    public var tap: (any WorldTap)?

    @exclusivity(unchecked)
    var medium: Medium
    @exclusivity(unchecked)
    var queue = EventQueue<WorldEvent>()
    @exclusivity(unchecked)
    var devices: [Device?] = []
    /// The device behind each radio.
    @exclusivity(unchecked)
    var radios: [DeviceID] = []
    @exclusivity(unchecked)
    private var orders: [UInt32: (World) -> Void] = [:]
    @exclusivity(unchecked)
    private var orderCount: UInt32 = 0
    @exclusivity(unchecked)
    var deliveries: [Delivery] = []
    @exclusivity(unchecked)
    private var errands: [() -> Void] = []
    @exclusivity(unchecked)
    private var companions: [AnyObject] = []

    public init(seed: UInt64, propagation: Propagation = Propagation()) {
        self.seed = seed
        medium = Medium(seed: seed, propagation: propagation)
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
        return try order(host, now, &device.hostActions)
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
    public func schedule(at instant: Instant, _ order: @escaping (World) -> Void) {
        precondition(instant >= now, "an order cannot be scheduled in the past")
        orderCount += 1
        orders[orderCount] = order
        queue.schedule(.order(number: orderCount), at: instant)
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

    /// When something happens next; nil if nothing ever does unless it is told to.
    public var nextEventInstant: Instant? { queue.nextInstant }

    /// Runs for so long.
    public func run(for span: TimeSpan) { run(until: now + span) }

    /// Runs until the given instant, everything that happens at it included.
    public func run(until end: Instant) {
        doErrands()
        runEvents(until: end)
    }

    private func runEvents(until end: Instant) {
        while let (instant, event) = queue.popFirst(notAfter: end) {
            now = instant
            handle(event)
        }
        now = max(now, end)
    }

    /// Runs until the given instant in real time: what was left for the world while it slept was left just now, so that
    /// the errands are done at that instant, and not before it.
    public func catchUp(until end: Instant) {
        runEvents(until: end)
        doErrands()
    }

    /// Runs until the condition holds, which is looked at after every event, but no longer than `limit`.
    ///
    /// False if the limit came first.
    @discardableResult
    public func run(for limit: TimeSpan, until condition: () -> Bool) -> Bool {
        let end = now + limit
        doErrands()
        if condition() { return true }
        while let (instant, event) = queue.popFirst(notAfter: end) {
            now = instant
            handle(event)
            if condition() { return true }
        }
        now = end
        return false
    }

    private func handle(_ event: WorldEvent) {
        switch event {
        case .appointment(let id): keepAppointment(id)
        case .transmissionEnd(let number): endTransmission(TransmissionID(number: number))
        case .listeningEnd(let radio, let generation):
            guard medium.endListening(radio, generation: generation) else { return }
            withController(of: radio) { controller, now, actions in controller.heardNothing(at: now, into: &actions) }
        case .order(let number):
            orders.removeValue(forKey: number)?(self)
            doErrands()
        }
    }

    private func keepAppointment(_ id: DeviceID) {
        guard let device = device(id) else { return }
        device.appointments.removeLast()
        if let controller = device.controller {
            let local = device.drift.local(from: now)
            if let deadline = controller.nextDeadline, deadline <= local {
                controller.expire(at: local, into: &device.controllerActions)
            }
        }
        if let host = device.host, let application = device.application {
            if let deadline = host.nextDeadline, deadline <= now { host.expire(at: now, into: &device.hostActions) }
            if let deadline = application.nextDeadline, deadline <= now {
                application.expire(host: host, at: now, into: &device.hostActions)
            }
        }
        settle(device)
    }

    // MARK: Help

    /// What the device that arrives next will be called.
    public var nextID: DeviceID { DeviceID(rawValue: UInt32(devices.count)) }

    func device(_ id: DeviceID) -> Device? {
        let index = Int(id.rawValue)
        return index < devices.count ? devices[index] : nil
    }

    func radio(of id: DeviceID) -> RadioID? { device(id)?.radio }
}
