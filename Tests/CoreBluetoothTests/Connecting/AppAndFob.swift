import BluethroatBluetoothValues
import BluethroatHost
import BluethroatKeyFob
import BluethroatLinkLayer
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// An app on a phone, and TI's key fob a metre away.
struct AppAndFob {
    let world: World
    let phone: Phone
    let app: CentralApp
    let fob: KeyFobDevice
    let fobID: DeviceID

    init(seed: UInt64 = 1, options: KeyFobOptions = KeyFobOptions(), advertises: Bool = true) {
        world = World(seed: seed)
        phone = Phone(named: "phone", in: world)
        app = CentralApp(phone.addApp().environment)
        var options = options
        options.advertisesAtStart = advertises
        fob = KeyFobDevice(options: options)
        fobID = Self.add(fob, to: world, seed: seed, number: 0)
        run(.seconds(2))
    }

    static func add(_ fob: KeyFobDevice, to world: World, seed: UInt64, number: Int) -> DeviceID {
        world.addDevice(
            named: "fob \(number)",
            controller: ControllerConfiguration(publicAddress: KeyFobDevice.address(number: number)),
            host: KeyFobDevice.hostConfiguration(
                seed: seed,
                device: UInt64(number) + 100,
                pairing: fob.options.pairing
            ),
            at: .metres(x: 1),
            application: fob
        )
    }

    func run(_ span: TimeSpan) { world.run(for: span) }

    /// Runs until the app has heard something so often.
    func wait(for what: String, times: Int = 1, within limit: TimeSpan = .seconds(20)) throws {
        world.run(for: .zero)
        try #require(
            world.run(for: limit) { app.count(what) >= times },
            "not heard: \(what), but \(app.heard)"
        )
    }

    func touch(_ body: (KeyFobDevice, BluetoothHost, Instant, inout HostActions) -> Void) {
        world.perform(on: fobID) { host, now, actions in body(fob, host, now, &actions) }
    }

    func moveFob(metres: Double) { world.move(fobID, to: .metres(x: metres)) }

    /// The app scans, connects and knows all services and characteristics.
    static func connected(
        seed: UInt64 = 1,
        options: KeyFobOptions = KeyFobOptions(),
        connecting: [String: Any]? = nil
    ) throws -> Self {
        let it = Self(seed: seed, options: options)
        it.app.options = connecting
        it.app.manager.scanForPeripherals(withServices: nil)
        try it.wait(for: "discovered")
        it.app.manager.stopScan()
        let peripheral = try #require(it.app.peripheral)
        it.app.manager.connect(peripheral, options: connecting)
        try it.wait(for: "connected")
        peripheral.discoverServices(nil)
        try it.wait(for: "characteristics", times: 7)
        return it
    }
}
