import BluethroatHost
import BluethroatPhones
public import BluethroatSimulation
import BluethroatVirtualTime
public import CoreBluetooth

/// A peripheral that a test describes and plays: services, what it advertises, what happens to it.
///
///     let lock = SimulatedPeripheral(named: "Door", services: [
///         SimulatedService("FFE0", characteristics: [
///             SimulatedCharacteristic("FFE1", [.write, .notify], security: .encrypted)
///         ])
///     ])
///     air.add(lock, at: .near)
///     …
///     #expect(lock.writes(to: "FFE1") == [Data([1])])
///     lock.send([2], of: "FFE1")
public class SimulatedPeripheral: AirDevice {
    public let name: String
    let machine: PeripheralMachine
    let pairing: SimulatedPairing
    let limits: PacketLimits
    private var id: DeviceID?
    private var home: (any PeripheralHome)?
    /// What stands before `machine` on the air, and lets go wrong what a test wants to.
    var faulty: FaultyApplication?

    /// - Parameters:
    ///   - name: its name, in advertisements and in its Generic Access service.
    ///   - advertising: nil advertises the peripheral's name and its primary services.
    ///   - services: what it serves.
    ///   - pairing: what it can do when it pairs.
    ///   - maximumMTU: the longest ATT packet that it takes and offers, 23 to 517 bytes. At 23 a write without response and
    ///     a notification have 20 bytes, at 185 they have 182.
    ///   - maximumDataLength: the longest Link Layer packet, 27 to 251 bytes of payload.
    ///   - controllerBuffers: how many packets its controller holds, 1 to 255.
    ///
    /// A size out of its range stops the process.
    public init(
        named name: String,
        advertising: SimulatedAdvertisement? = nil,
        services: [SimulatedService] = [],
        pairing: SimulatedPairing = .justWorks,
        maximumMTU: Int = 517,
        maximumDataLength: Int = 251,
        controllerBuffers: Int = 12
    ) {
        self.name = name
        self.pairing = pairing
        limits = PacketLimits(
            maximumMTU: maximumMTU,
            maximumDataLength: maximumDataLength,
            controllerBuffers: controllerBuffers
        )
        let usual = SimulatedAdvertisement(services: services.filter(\.isPrimary).map(\.uuid))
        machine = PeripheralMachine(name: name, services, advertising ?? usual)
    }

    public var device: DeviceID {
        guard let id else { preconditionFailure("\(name) is not on the air; Air.add puts it there") }
        return id
    }

    /// Called when the peripheral has been put on the air.
    func arrive(in home: some PeripheralHome, as device: DeviceID) {
        precondition(id == nil, "\(name) is on the air already")
        id = device
        self.home = home
        machine.peripheral = self
    }

    /// The host that it has as the next device of a world.
    func host(in world: World) -> HostConfiguration {
        var host = limits.host(nil, in: world)
        host.pairing = pairing.settings
        return host
    }

    /// Whether it is on the air of a test, not on one in real time.
    var isOnTestsAir: Bool { home is TestHome }

    /// The instant that it is where the peripheral is.
    var present: Instant { home?.world?.now ?? .zero }

    /// Does something where the peripheral is, on the only thread that touches it.
    func enter<Answer>(_ action: @escaping () -> Answer) -> Answer { home?.enter(action) ?? action() }

    /// Does something when so much time has passed there, if the peripheral is still on the air then.
    func after(_ span: Duration, _ action: @escaping () -> Void) {
        home?.after(span) { [weak self] in
            guard let self, let id, home?.world?.name(of: id) != nil else { return }
            action()
        }
    }

    /// Called when the peripheral has been taken off the air.
    func leave() { machine.leave() }

    /// Called when a central subscribes to a characteristic or unsubscribes.
    func subscriptionsChanged(of uuid: CBUUID) {}

    // MARK: What it is asked

    /// Whether a central is connected.
    public var isConnected: Bool { enter { !self.machine.connections.isEmpty } }

    /// How often a central has connected so far.
    public var connectionCount: Int { enter { self.machine.connectionCount } }

    public var isAdvertising: Bool { enter { self.machine.isAdvertising } }

    /// How many are subscribed to notifications or indications of a characteristic.
    public func subscriberCount(of uuid: some UUIDConvertible) -> Int {
        enter { self.machine.slot(uuid).subscribers.count }
    }

    /// Everything that was written to a characteristic, refused or not.
    public func writes(to uuid: some UUIDConvertible) -> [Data] { enter { self.machine.slot(uuid).writes } }

    /// How often a characteristic was read; a long read counts as one for each part.
    public func readCount(of uuid: some UUIDConvertible) -> Int { enter { self.machine.slot(uuid).readCount } }

    public func value(of uuid: some UUIDConvertible) -> Data { enter { self.machine.slot(uuid).definition.value } }

    // MARK: What it does

    /// Changes what is read. Nothing is notified.
    public func setValue(_ value: some Collection<UInt8>, of uuid: some UUIDConvertible) {
        enter { self.machine.change(uuid) { $0.definition.value = Data(value) } }
    }

    /// Changes the value and sends it to those who subscribed; what does not fit into their queues follows later.
    public func send(_ value: some Collection<UInt8>, of uuid: some UUIDConvertible) {
        perform { [machine] host, now, actions in
            machine.change(uuid) { $0.definition.value = Data(value) }
            machine.send(Array(value), of: uuid.bluetoothUUID, host: host, at: now, into: &actions)
        }
    }

    /// Ends all connections. The reason that the centrals get is that the user of this device did it.
    public func disconnect() {
        perform { [machine] host, now, actions in
            for connection in machine.connections { try? host.disconnect(connection, at: now, into: &actions) }
        }
    }

    public func startAdvertising() {
        perform { [machine] host, now, actions in machine.startAdvertising(host: host, at: now, into: &actions) }
    }

    /// Ceases to advertise, also after the next disconnection.
    public func stopAdvertising() {
        perform { [machine] host, now, actions in machine.stopAdvertising(host: host, at: now, into: &actions) }
    }

    /// Advertises something else from now on.
    public func advertise(_ advertisement: SimulatedAdvertisement) {
        perform { [machine] host, now, actions in
            machine.advertisement = advertisement
            machine.restartAdvertising(host: host, at: now, into: &actions)
        }
    }

    /// Adds a service; centrals that asked for it are notified.
    public func addService(_ service: SimulatedService) {
        perform { [machine] host, now, actions in machine.add([service], host: host, at: now, into: &actions) }
    }

    /// Removes a service; centrals that asked for it are notified.
    public func removeService(_ uuid: some UUIDConvertible) {
        perform { [machine] host, now, actions in
            machine.removeService(uuid.bluetoothUUID, host: host, at: now, into: &actions)
        }
    }

    /// Switches it off, as if by its button: connections end without a word.
    public func switchOff() {
        perform { [machine] host, now, actions in machine.switchOff(host: host, at: now, into: &actions) }
    }

    /// Switches it on again. Bonds are still there.
    public func switchOn() {
        perform { [machine] host, now, actions in machine.switchOn(host: host, at: now, into: &actions) }
    }

    /// Forgets all bonds, as after a factory reset.
    public func forgetBonds() {
        perform { host, now, actions in
            for bond in host.bonds { try? host.removeBond(bond.peer, at: now, into: &actions) }
        }
    }

    /// What it asks its central for on connections that begin from now on; nil takes the central's parameters.
    public var connectionParameters: SimulatedConnectionParameters? {
        get { enter { self.machine.connectionParameters } }
        set { enter { self.machine.connectionParameters = newValue } }
    }

    // MARK: How it misbehaves

    /// How long it takes to answer reads and writes; nil never answers, upon which a client gives up after 30 s.
    public var responseDelay: Duration? {
        get { enter { self.machine.responseDelay } }
        set { enter { self.machine.responseDelay = newValue } }
    }

    /// Refuses all reads and writes of a characteristic from now on; nil refuses no more.
    public func refuse(_ uuid: some UUIDConvertible, with code: CBATTError.Code?) {
        let refusal = code.map { ATTError(rawValue: UInt8(truncatingIfNeeded: $0.rawValue)) }
        enter { self.machine.change(uuid) { $0.refusal = refusal } }
    }

    func perform(_ body: @escaping (BluetoothHost, Instant, inout HostActions) -> Void) {
        let device = device
        enter { self.home?.world?.perform(on: device) { host, now, actions in body(host, now, &actions) } }
    }
}

extension Air {
    /// Puts a peripheral on the air; it advertises at once.
    @discardableResult
    public func add<Peripheral: SimulatedPeripheral>(_ peripheral: Peripheral, at place: Place = .near) -> Peripheral {
        let id = world.nextID
        peripherals.append(peripheral)
        peripheral.arrive(in: TestHome(air: self), as: id)
        world.addDevice(
            named: peripheral.name,
            controller: peripheral.limits.controller(in: world),
            host: peripheral.host(in: world),
            at: place.position,
            application: faults.stand(before: peripheral.machine, of: peripheral.name, in: world)
        )
        peripheral.faulty = faults.applications[id]
        deviceArrived()
        return peripheral
    }
}
