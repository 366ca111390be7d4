import BluethroatBluetoothValues
import BluethroatHost
import BluethroatLinkLayer
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import SceneRecords

/// A world with applications in it, and a stream of random numbers for what the scene decides.
final class SceneWorld {
    let world: World
    var random: SeededRandom
    private(set) var applications: [SceneApplication] = []

    init(seed: UInt64, loss percent: Int32 = 0) {
        world = World(seed: seed)
        random = SeededRandom(seed: seed, purpose: "recorded scene")
        world.setLossEverywhere(.percent(percent))
    }

    var record: SceneRecord { SceneRecord(world) }

    // MARK: Devices

    /// A device with a host of its own; its clock drifts by up to 40 ppm.
    func add(
        _ name: String,
        metres x: Double = 0,
        advertising: AdvertisingParameters? = nil,
        listens: Bool = false,
        controller change: (inout ControllerConfiguration) -> Void = { _ in },
        host changeHost: (inout HostConfiguration) -> Void = { _ in }
    ) -> SceneApplication {
        let number = world.nextID.rawValue
        var controller = ControllerConfiguration(publicAddress: world.defaultAddress(of: number))
        change(&controller)
        var host = HostConfiguration(seed: world.seed, device: UInt64(number))
        changeHost(&host)
        let device = SceneApplication(id: world.nextID, address: controller.publicAddress)
        device.advertising = advertising
        device.listens = listens
        world.addDevice(
            named: name,
            controller: controller,
            host: host,
            at: .metres(x: x),
            drift: ClockDrift(partsPerMillion: Int64(random.next(below: 81)) - 40) ?? .none,
            application: device
        )
        applications.append(device)
        return device
    }

    /// A central that does nothing by itself, and a peripheral a metre away that advertises every 50 ms; each sees the
    /// other's screen.
    func addPair(
        listens: Bool = false,
        advertising: AdvertisingParameters? = .every(milliseconds: 50),
        controller change: (Int, inout ControllerConfiguration) -> Void = { _, _ in },
        host changeHost: (Int, inout HostConfiguration) -> Void = { _, _ in }
    ) -> (central: SceneApplication, peripheral: SceneApplication) {
        let central = add("central", controller: { change(0, &$0) }, host: { changeHost(0, &$0) })
        let peripheral = add(
            "peripheral",
            metres: 1,
            advertising: advertising,
            listens: listens,
            controller: { change(1, &$0) },
            host: { changeHost(1, &$0) }
        )
        central.other = peripheral
        peripheral.other = central
        return (central, peripheral)
    }

    // MARK: Orders

    /// Gives a device's host an order.
    @discardableResult
    func order<Result>(
        _ device: SceneApplication,
        _ body: (Host, Instant, inout HostActions) throws -> Result
    ) throws -> Result {
        guard let result = try world.perform(on: device.id, body) else { throw SceneFailure("a device has no host") }
        return result
    }

    /// The same for the first connection of a device.
    @discardableResult
    func onLink<Result>(
        of device: SceneApplication,
        _ body: (Host, ConnectionID, Instant, inout HostActions) throws -> Result
    ) throws -> Result {
        guard let link = device.link?.id else { throw SceneFailure("no connection to give an order for") }
        return try order(device) { try body($0, link, $1, &$2) }
    }

    // MARK: Time

    func run(milliseconds count: Int64) { world.run(for: .milliseconds(count)) }

    /// Runs until something has happened that the scene is for.
    func expect(_ what: String, within limit: TimeSpan = .seconds(12), _ condition: () -> Bool) throws {
        try world.expect(what, within: limit, condition)
    }

    /// Connects a central to a peripheral, or to an address that it shows.
    func connect(
        _ central: SceneApplication,
        to peripheral: SceneApplication,
        at address: DeviceAddress? = nil,
        intervalSteps: UInt16 = 24,
        timeoutSteps: UInt16 = 300
    ) throws {
        let range = ConnectionParameterRange(
            minimumSteps: intervalSteps,
            maximumSteps: intervalSteps,
            latencyEvents: 0,
            timeoutSteps: timeoutSteps
        )
        guard let range else { throw SceneFailure("no connection parameters of that kind") }
        let before = (central.connections, peripheral.connections)
        try order(central) {
            let parameters = ConnectParameters(connection: range, untilAnswered: true)
            try $0.connect(to: address ?? peripheral.address, parameters, at: $1, into: &$2)
        }
        try expect("connected") { central.connections > before.0 && peripheral.connections > before.1 }
    }

    /// Ends the first connection of a device; both must notice.
    func disconnect(_ device: SceneApplication, from other: SceneApplication) throws {
        try onLink(of: device) { try $0.disconnect($1, at: $2, into: &$3) }
        try expect("disconnected") { device.links.isEmpty && other.links.isEmpty }
    }

    /// Runs a GATT procedure on the first connection of a device to its end.
    @discardableResult
    func result(
        of device: SceneApplication,
        _ body: (Host, ConnectionID, Instant, inout HostActions) throws -> ProcedureID
    ) throws -> ProcedureResult {
        let before = device.values.results.count
        try onLink(of: device, body)
        try expect("a procedure ended", within: .seconds(30)) { device.values.results.count > before }
        return device.values.results[before]
    }
}

extension AdvertisingParameters {
    /// At this interval, which must be at least 20 ms.
    static func every(milliseconds: UInt16, _ kind: Kind = .connectable, as own: OwnAddress = .usual) -> Self {
        var parameters = Self(kind, interval: AdvertisingInterval(steps: milliseconds * 8 / 5)!)
        parameters.ownAddress = own
        return parameters
    }
}
