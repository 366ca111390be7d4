import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime

/// An application that switches its host on and keeps what it hears.
final class Recorder: HostApplication {
    private(set) var events: [(instant: Instant, event: HostEvent)] = []
    var services: [ServiceDefinition] = []

    init(services: [ServiceDefinition] = []) { self.services = services }

    func start(host: Host, at now: Instant, into actions: inout HostActions) {
        if !services.isEmpty { _ = try? host.addServices(services, at: now, into: &actions) }
        host.powerOn(at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: Host, at now: Instant, into actions: inout HostActions) {
        events.append((now, event))
    }

    var nextDeadline: Instant? { nil }
    func expire(host: Host, at now: Instant, into actions: inout HostActions) {}

    /// The last event that `pick` finds something in.
    func last<Value>(_ pick: (HostEvent) -> Value?) -> Value? {
        for (_, event) in events.reversed() {
            if let value = pick(event) { return value }
        }
        return nil
    }

    func count(_ pick: (HostEvent) -> Bool) -> Int { events.count { pick($0.event) } }

    var connection: ConnectionDescription? {
        last { if case .connected(let description) = $0 { description } else { nil } }
    }

    var disconnection: ControllerError? {
        last { if case .disconnected(_, let reason) = $0 { reason } else { nil } }
    }

    var results: [ProcedureResult] {
        events.compactMap { if case .client(.procedureCompleted(_, _, let result)) = $0.event { result } else { nil } }
    }

    var notifications: [[UInt8]] {
        events.compactMap {
            if case .client(.notificationReceived(_, _, let value, _)) = $0.event { value } else { nil }
        }
    }

    func forget() { events.removeAll() }
}

/// Two devices in a world, one of them with a few services.
struct WorldPair {
    let world: World
    let central = Recorder()
    let peripheral: Recorder
    let centralID: DeviceID
    let peripheralID: DeviceID

    static let services: [ServiceDefinition] = [
        ServiceDefinition(
            0x180A,
            characteristics: [
                CharacteristicDefinition(0x2A29, properties: [.read], value: (0..<300).map { UInt8($0 & 0xFF) })
            ]
        ),
        ServiceDefinition(
            0xFFE0,
            characteristics: [
                CharacteristicDefinition(0xFFE1, properties: [.read, .notify, .indicate], value: [0]),
                CharacteristicDefinition(0xFFE2, properties: [.write, .writeWithoutResponse]),
            ]
        ),
    ]

    init(
        seed: UInt64 = 7,
        distance: Double = 1,
        drift: (central: ClockDrift, peripheral: ClockDrift) = (.none, .none)
    ) {
        world = World(seed: seed)
        peripheral = Recorder(services: Self.services)
        centralID = world.addDevice(named: "central", drift: drift.central, application: central)
        peripheralID = world.addDevice(
            named: "peripheral",
            at: .metres(x: distance),
            drift: drift.peripheral,
            application: peripheral
        )
    }

    var peripheralAddress: DeviceAddress { world.publicAddress(of: peripheralID)! }

    /// Lets the peripheral advertise and the central connect to it.
    @discardableResult
    func connect(
        _ parameters: ConnectParameters = ConnectParameters(),
        within limit: TimeSpan = .seconds(5)
    ) throws -> (central: ConnectionID, peripheral: ConnectionID)? {
        try world.perform(on: peripheralID) { host, now, actions throws(OrderError) in
            let parameters = AdvertisingParameters(interval: AdvertisingInterval(steps: 160)!)
            let name = AdvertisingData([.completeLocalName("Keyfobdemo")])
            try host.startAdvertising(parameters, scanResponse: name, at: now, into: &actions)
        }
        try world.perform(on: centralID) { host, now, actions throws(OrderError) in
            try host.connect(to: peripheralAddress, parameters, at: now, into: &actions)
        }
        let done = world.run(for: limit) { central.connection != nil && peripheral.connection != nil }
        guard done, let first = central.connection, let second = peripheral.connection else { return nil }
        return (first.id, second.id)
    }
}
