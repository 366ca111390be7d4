import AirPackets
public import BluetoothValues
public import Host
public import LinkLayer
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
    public private(set) var digest = TraceDigest()
    /// Frames that were put on the air so far.
    @exclusivity(unchecked)
    public private(set) var transmissionCount = 0
    /// Called with everything that is recorded of a world; nil where nobody listens.
    @exclusivity(unchecked)
    public var tap: (any WorldTap)?

    @exclusivity(unchecked)
    private var medium: Medium
    @exclusivity(unchecked)
    private var queue = EventQueue<WorldEvent>()
    @exclusivity(unchecked)
    private var devices: [Device?] = []
    /// The device behind each radio.
    @exclusivity(unchecked)
    private var radios: [DeviceID] = []
    @exclusivity(unchecked)
    private var orders: [UInt32: (World) -> Void] = [:]
    @exclusivity(unchecked)
    private var orderCount: UInt32 = 0
    @exclusivity(unchecked)
    private var deliveries: [Delivery] = []

    public init(seed: UInt64, propagation: Propagation = Propagation()) {
        self.seed = seed
        medium = Medium(seed: seed, propagation: propagation)
    }

    // MARK: Devices

    /// Puts a device with a controller, a host and an application on the air; the application starts at once.
    @discardableResult
    public func addDevice(
        named name: String,
        controller: ControllerConfiguration? = nil,
        host: HostConfiguration? = nil,
        at position: Position = .origin,
        drift: ClockDrift = .none,
        application: any HostApplication
    ) -> DeviceID {
        let id = nextID
        let own = Host(configuration: host ?? HostConfiguration(seed: seed, device: UInt64(id.rawValue)))
        add(
            named: name,
            virtual(controller, id: id, at: position),
            .own(own, application),
            drift: drift
        )
        perform(on: id) { host, now, actions in application.start(host: host, at: now, into: &actions) }
        return id
    }

    /// Puts a controller on the air whose host is elsewhere: its packets go to `sink`, the host's come by
    /// `receive(hci:for:)`.
    public func addController(
        named name: String,
        configuration: ControllerConfiguration? = nil,
        at position: Position = .origin,
        drift: ClockDrift = .none,
        toHost sink: @escaping (_ packet: [UInt8]) -> Void
    ) -> DeviceID {
        let id = nextID
        add(named: name, virtual(configuration, id: id, at: position), .external(sink), drift: drift)
        return id
    }

    /// Adds a host whose controller is elsewhere, so that it is not on this air at all.
    public func addHost(
        named name: String,
        configuration: HostConfiguration? = nil,
        application: any HostApplication,
        toController sink: @escaping (_ packet: [UInt8]) -> Void
    ) -> DeviceID {
        let id = nextID
        let host = Host(configuration: configuration ?? HostConfiguration(seed: seed, device: UInt64(id.rawValue)))
        add(named: name, .external(sink), .own(host, application), drift: .none)
        perform(on: id) { host, now, actions in application.start(host: host, at: now, into: &actions) }
        return id
    }

    /// Takes a device out of the world, in the middle of whatever it was doing; its peers find out by silence.
    public func remove(_ id: DeviceID) {
        guard let device = self.device(id) else { return }
        if case .virtual(_, let radio) = device.controllerSide {
            breakOffTransmission(of: device)
            medium.removeRadio(radio)
        }
        devices[Int(id.rawValue)] = nil
    }

    /// The devices there are, in the order of their arrival.
    public var deviceIDs: [DeviceID] { devices.compactMap { $0?.id } }

    public func name(of id: DeviceID) -> String? { device(id)?.name }

    /// The public address of a device's controller; nil for one whose controller is elsewhere.
    public func publicAddress(of id: DeviceID) -> DeviceAddress? {
        guard case .virtual(let controller, _) = device(id)?.controllerSide else { return nil }
        return controller.configuration.publicAddress
    }

    /// An address for the device that would arrive next: the world's seed decides it.
    public func defaultAddress(of number: UInt32) -> DeviceAddress {
        var stream = SeededRandom(seed: seed, device: UInt64(number), purpose: "public address")
        // B1:0E is nobody's prefix; bit 1 of the first octet is set, as in addresses that no registry gave out.
        return DeviceAddress(value: 0xB20E << 32 | stream.next(below: 1 << 32), kind: .public)
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

    // MARK: Space

    public func position(of id: DeviceID) -> Position? {
        radio(of: id).map { medium.position(of: $0) }
    }

    public func move(_ id: DeviceID, to position: Position) {
        if let radio = radio(of: id) { medium.move(radio, to: position) }
    }

    /// The share of frames lost from one device to another, over and above what physics takes.
    public func setLoss(_ share: Ratio, from transmitter: DeviceID, to receiver: DeviceID) {
        if let from = radio(of: transmitter), let to = radio(of: receiver) { medium.setLoss(share, from: from, to: to) }
    }

    /// The same between any two devices without a share of their own.
    public func setLossEverywhere(_ share: Ratio) { medium.setLossEverywhere(share) }

    /// How loudly one device hears another that sends with 0 dBm, in dBm.
    public func strength(from transmitter: DeviceID, at receiver: DeviceID) -> Int? {
        guard let from = radio(of: transmitter), let to = radio(of: receiver) else { return nil }
        return medium.strength(of: SignalStrength(dBm: 0), from: from, at: to)
    }

    // MARK: Time

    /// When something happens next; nil if nothing ever does unless it is told to.
    public var nextEventInstant: Instant? { queue.nextInstant }

    /// Runs for so long.
    public func run(for span: TimeSpan) { run(until: now + span) }

    /// Runs until the given instant, everything that happens at it included.
    public func run(until end: Instant) {
        while let (instant, event) = queue.popFirst(notAfter: end) {
            now = instant
            handle(event)
        }
        now = max(now, end)
    }

    /// Runs until the condition holds, which is looked at after every event, but no longer than `limit`.
    ///
    /// False if the limit came first.
    @discardableResult
    public func run(for limit: TimeSpan, until condition: () -> Bool) -> Bool {
        let end = now + limit
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

    // MARK: The air

    private func endTransmission(_ id: TransmissionID) {
        deliveries.removeAll(keepingCapacity: true)
        let transmission = medium.end(id, into: &deliveries)
        // A frame that was broken off is no news to its sender.
        if let sender = device(radios[Int(transmission.radio.rawValue)]), sender.transmission == id {
            sender.transmission = nil
            withController(of: transmission.radio) { controller, now, actions in
                controller.transmitted(at: now, into: &actions)
            }
        }
        // Receivers may transmit in turn, but nobody's frame can end before this call does.
        for index in deliveries.indices {
            let delivery = deliveries[index]
            digest.absorb(UInt64(delivery.receiver.rawValue) << 1 | (delivery.isDamaged ? 1 : 0))
            tap?.received(delivery, transmission, by: radios[Int(delivery.receiver.rawValue)])
            let drift = device(radios[Int(delivery.receiver.rawValue)])?.drift ?? .none
            withController(of: delivery.receiver) { controller, now, actions in
                controller.received(delivery.reception.seen(through: drift), at: now, into: &actions)
            }
        }
    }

    private func withController(
        of radio: RadioID,
        _ call: (Controller, Instant, inout ControllerActions) -> Void
    ) {
        guard let device = device(radios[Int(radio.rawValue)]), let controller = device.controller else { return }
        call(controller, device.drift.local(from: now), &device.controllerActions)
        settle(device)
    }

    private func carryOut(_ order: RadioOrder, radio: RadioID, of device: Device) {
        // A device that was removed while it was busy has no radio any more.
        guard devices[Int(device.id.rawValue)] != nil else { return }
        breakOffTransmission(of: device)
        switch order {
        case .stop:
            medium.stopListening(radio)
        case .transmit(let channel, let phy, let power, let frame):
            let transmission = Transmission(
                radio: radio,
                channel: channel,
                phy: phy,
                power: device.transmitPower ?? power,
                syncWord: AirFrame.accessAddress(of: frame).rawValue,
                start: now,
                end: now + AirTime.span(ofFrame: frame, phy: phy),
                frame: frame
            )
            transmissionCount += 1
            digest.absorb(UInt64(bitPattern: now.nanoseconds))
            digest.absorb(UInt64(radio.rawValue) << 8 | UInt64(channel.index))
            digest.absorb(frame)
            tap?.transmitted(transmission, by: device.id)
            let id = medium.begin(transmission)
            device.transmission = id
            queue.schedule(.transmissionEnd(number: id.number), at: transmission.end)
        case .listen(let channel, let phy, let accessAddress, let since, let until):
            let end = device.drift.world(from: until)
            let generation = medium.listen(
                radio,
                on: channel,
                phy: phy,
                syncWord: accessAddress.rawValue,
                from: device.drift.world(from: since),
                until: end
            )
            queue.schedule(.listeningEnd(radio, generation: generation), at: end)
        }
    }

    private func breakOffTransmission(of device: Device) {
        guard let transmission = device.transmission else { return }
        device.transmission = nil
        medium.breakOff(transmission, at: now)
    }

    // MARK: Inside a device

    /// Passes packets to and fro between a device's two sides until both are content, then sees when it is due next.
    private func settle(_ device: Device) {
        repeat {
            drainController(device)
            drainHost(device)
        } while !device.controllerActions.packets.isEmpty || !device.controllerActions.radio.isEmpty
            || !device.hostActions.packets.isEmpty || !device.hostActions.events.isEmpty
        let deadline = device.nextDeadline
        guard deadline < device.appointments.last ?? .distantFuture else { return }
        let instant = max(deadline, now)
        device.appointments.append(instant)
        queue.schedule(.appointment(device.id), at: instant)
    }

    private func drainController(_ device: Device) {
        guard !device.controllerActions.packets.isEmpty || !device.controllerActions.radio.isEmpty else { return }
        var actions = ControllerActions()
        swap(&actions, &device.controllerActions)
        if case .virtual(_, let radio) = device.controllerSide {
            for order in actions.radio { carryOut(order, radio: radio, of: device) }
        }
        for packet in actions.packets { toHost(packet, of: device) }
        actions.packets.removeAll(keepingCapacity: true)
        actions.radio.removeAll(keepingCapacity: true)
        if device.controllerActions.packets.isEmpty, device.controllerActions.radio.isEmpty {
            swap(&actions, &device.controllerActions)
        }
    }

    private func drainHost(_ device: Device) {
        guard !device.hostActions.packets.isEmpty || !device.hostActions.events.isEmpty else { return }
        var actions = HostActions()
        swap(&actions, &device.hostActions)
        for packet in actions.packets { toController(packet, of: device) }
        if let host = device.host, let application = device.application {
            for event in actions.events {
                application.handle(event, host: host, at: now, into: &device.hostActions)
            }
        }
        actions.packets.removeAll(keepingCapacity: true)
        actions.events.removeAll(keepingCapacity: true)
        if device.hostActions.packets.isEmpty, device.hostActions.events.isEmpty {
            swap(&actions, &device.hostActions)
        }
    }

    private func toHost(_ packet: [UInt8], of device: Device) {
        tap?.hci(packet, fromHost: false, of: device.id, at: now)
        if let host = device.host {
            host.receive(hci: packet, at: now, into: &device.hostActions)
        } else if case .external(let sink) = device.hostSide {
            sink(packet)
        }
    }

    private func toController(_ packet: [UInt8], of device: Device) {
        tap?.hci(packet, fromHost: true, of: device.id, at: now)
        if let controller = device.controller {
            controller.receive(hci: packet, at: device.drift.local(from: now), into: &device.controllerActions)
        } else if case .external(let sink) = device.controllerSide {
            sink(packet)
        }
    }

    // MARK: Help

    private var nextID: DeviceID { DeviceID(rawValue: UInt32(devices.count)) }

    private func device(_ id: DeviceID) -> Device? {
        let index = Int(id.rawValue)
        return index < devices.count ? devices[index] : nil
    }

    private func radio(of id: DeviceID) -> RadioID? {
        guard case .virtual(_, let radio) = device(id)?.controllerSide else { return nil }
        return radio
    }

    private func virtual(
        _ configuration: ControllerConfiguration?,
        id: DeviceID,
        at position: Position
    ) -> Device.ControllerSide {
        let configuration = configuration ?? ControllerConfiguration(publicAddress: defaultAddress(of: id.rawValue))
        let controller = Controller(configuration: configuration, seed: seed, device: UInt64(id.rawValue))
        let radio = medium.addRadio(at: position)
        radios.append(id)
        return .virtual(controller, radio)
    }

    private func add(
        named name: String,
        _ controllerSide: Device.ControllerSide,
        _ hostSide: Device.HostSide,
        drift: ClockDrift
    ) {
        let device = Device(
            id: nextID,
            name: name,
            controllerSide: controllerSide,
            hostSide: hostSide,
            drift: drift
        )
        devices.append(device)
        settle(device)
    }
}
