public import BluethroatBluetoothValues
public import BluethroatHost
public import BluethroatLinkLayer
public import BluethroatRadioMedium
public import BluethroatSimulation
public import BluethroatVirtualTime

/// A world for people: its devices have names and can be moved about, centrals can be asked for, and the air is logged.
///
/// One thread owns it, as it owns the world.
public final class Workbench {
    /// What a device is to those who look on.
    public enum DeviceRole {
        case keyFob(any WorkbenchFob)
        case central(WorkbenchCentral)
        /// A phone with apps on it.
        case phone(any WorkbenchPhone)
        /// A controller whose host is somewhere else.
        case client
        /// Any other device with a host of its own.
        case device
    }

    /// A device and its role.
    public struct DeviceEntry {
        public let id: DeviceID
        public let name: String
        public let role: DeviceRole
    }

    public let world: World
    public let air = AirLog()
    public let hci = HCILog()
    public private(set) var entries: [DeviceEntry] = []
    /// Counts those who come, go and are moved.
    public private(set) var changeCount = 0
    /// Another tap, called before the log.
    public var recorder: (any WorldTap)?

    /// How far each power carries, by dBm: the same wherever the sender is.
    private var ranges: [Int8: Double] = [:]
    /// Those who are shown what has changed.
    public private(set) var observers: [any Observer] = []

    public init(seed: UInt64) {
        world = World(seed: seed)
        world.tap = self
    }

    // MARK: Observers

    public func add(_ observer: any Observer) { observers.append(observer) }

    /// The workbench's owner calls this after each run of the world, and after each order.
    public func ran() {
        for observer in observers { observer.look(at: self) }
    }

    /// When an observer wants to look again, even if nothing happens.
    public var nextLook: Instant? { observers.compactMap(\.nextLook).min() }

    // MARK: Who is there

    public subscript(id: DeviceID) -> DeviceEntry? { entries.first { $0.id == id } }

    /// Gives a device of the world a role.
    public func register(_ id: DeviceID, as role: DeviceRole, named name: String) {
        entries.append(DeviceEntry(id: id, name: name, role: role))
        changeCount += 1
    }

    /// A name that no device has yet: `key fob`, `key fob 2` …
    public func freeName(_ name: String) -> String {
        let taken = Set(entries.map(\.name))
        guard taken.contains(name) else { return name }
        var number = 2
        while taken.contains("\(name) \(number)") { number += 1 }
        return "\(name) \(number)"
    }

    /// Takes a device out of the world; its peers find out by silence. A central takes its keys along, and so nobody keeps a
    /// bond with it.
    public func remove(_ id: DeviceID) {
        let central = central(id)
        central?.abandon(at: world.now)
        entries.removeAll { $0.id == id }
        world.remove(id)
        changeCount += 1
        guard let identity = central?.identity else { return }
        for entry in entries {
            world.perform(on: entry.id) { host, now, actions in
                // A store that fails keeps a bond that nobody can use.
                try? host.removeBond(identity, at: now, into: &actions)
            }
        }
    }

    /// Whether a central that was added here has this identity address.
    public func hasCentral(identity: DeviceAddress) -> Bool {
        entries.contains { entry in
            if case .central(let central) = entry.role { central.identity == identity } else { false }
        }
    }

    public func move(_ id: DeviceID, to position: Position) {
        world.move(id, to: position)
        changeCount += 1
    }

    // MARK: Centrals

    /// A central of its own for one user.
    public func addCentral(
        controller: ControllerConfiguration? = nil,
        host: HostConfiguration? = nil
    ) -> DeviceID {
        let central = WorkbenchCentral()
        let name = freeName("central")
        var configuration = host ?? HostConfiguration(seed: world.seed, device: UInt64(world.nextID.rawValue))
        configuration.pairing.inputOutput = .keyboardDisplay
        let id = world.addDevice(named: name, controller: controller, host: configuration, application: central)
        register(id, as: .central(central), named: name)
        return id
    }

    /// Has a central end its connections, and takes it out of the world a second later, when its peers have heard of it.
    public func retire(_ id: DeviceID) {
        guard let central = central(id), !central.isRetiring else { return }
        central.isRetiring = true
        _ = order(id) { central, host, now, actions in
            central.scan(false, host: host, at: now, into: &actions)
            for link in central.links { try? host.disconnect(link.id, at: now, into: &actions) }
        }
        world.schedule(at: world.now + .seconds(1)) { [weak self] _ in
            guard let self, self.central(id) === central else { return }
            remove(id)
        }
    }

    public func central(_ id: DeviceID) -> WorkbenchCentral? {
        if case .central(let central)? = self[id]?.role { central } else { nil }
    }

    /// Gives a central an order.
    public func order<Answer, Failure: Error>(
        _ id: DeviceID,
        _ body: (WorkbenchCentral, Host, Instant, inout HostActions) throws(Failure) -> Answer
    ) throws(Failure) -> Answer? {
        guard let central = central(id) else { return nil }
        return try world.perform(on: id) { host, now, actions throws(Failure) in
            try body(central, host, now, &actions)
        }
    }

    // MARK: Key fobs

    public func fob(_ id: DeviceID) -> (any WorkbenchFob)? {
        if case .keyFob(let fob)? = self[id]?.role { fob } else { nil }
    }

    // MARK: Phones

    public func phone(_ id: DeviceID) -> (any WorkbenchPhone)? {
        if case .phone(let phone)? = self[id]?.role { phone } else { nil }
    }

    // MARK: What can be seen of devices

    /// How far away a receiver without obstacles can be to hear the device, in metres; nil where its radio is
    /// elsewhere.
    public func range(of id: DeviceID) -> Double? {
        guard let place = world.position(of: id) else { return nil }
        let power = SignalStrength(dBm: fob(id)?.transmitPower ?? 0)
        if let known = ranges[power.dBm] { return known }
        let sensitivity = Propagation().sensitivity
        var (near, far) = (0.1, 10_000.0)
        while far - near > 0.5 {
            let middle = (near + far) / 2
            let there = Position.metres(
                x: Double(place.x) / 1000 + middle,
                y: Double(place.y) / 1000,
                z: Double(place.z) / 1000
            )
            if world.strength(of: power, from: id, at: there) < sensitivity { far = middle } else { near = middle }
        }
        ranges[power.dBm] = near
        return near
    }
}

/// An object that is notified after a workbench has changed.
public protocol Observer: AnyObject {
    func look(at workbench: Workbench)

    /// When it wants to look again at the latest; nil if it is content.
    var nextLook: Instant? { get }
}

/// The log of the air receives everything, and so does the recorder.
extension Workbench: WorldTap {
    public func transmitted(_ transmission: Transmission, by device: DeviceID) {
        recorder?.transmitted(transmission, by: device)
        air.transmitted(transmission, by: device)
    }

    public func received(_ delivery: Delivery, _ transmission: Transmission, by device: DeviceID) {
        recorder?.received(delivery, transmission, by: device)
        air.received(delivery, transmission, by: device)
    }

    public func hci(_ packet: [UInt8], fromHost: Bool, of device: DeviceID, at now: Instant) {
        recorder?.hci(packet, fromHost: fromHost, of: device, at: now)
        hci.add(packet, fromHost: fromHost, of: device, at: now)
    }

    public func left(_ device: DeviceID) {
        recorder?.left(device)
        hci.forget(device)
    }
}
