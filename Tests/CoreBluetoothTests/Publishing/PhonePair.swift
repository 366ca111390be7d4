import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// Two phones: an app on one publishes, an app on the other is connected to it and knows what there is.
struct PhonePair {
    let world: World
    let centralPhone: Phone
    let publisherPhone: Phone
    let app: CentralApp
    let publisher: PublishingApp
    let peripheral: CBPeripheral

    init(seed: UInt64 = 70, _ services: [CBMutableService]) throws {
        let world = World(seed: seed)
        publisherPhone = Phone(named: "publisher", in: world)
        centralPhone = Phone(named: "central", in: world)
        publisher = BluetoothEnvironment.$current.withValue(publisherPhone.addApp().environment) {
            PublishingApp(services, advertising: [:])
        }
        let app = CentralApp(centralPhone.addApp().environment)
        app.connectsAtOnce = true
        world.run(for: .seconds(1))
        app.manager.scanForPeripherals(withServices: nil)
        try #require(world.run(for: .seconds(10)) { app.count("connected") == 1 })
        app.manager.stopScan()
        peripheral = try #require(app.peripheral)
        peripheral.discoverServices(nil)
        // The phone's own two are hidden from apps.
        try #require(world.run(for: .seconds(10)) { app.count("characteristics") == services.count })
        world.run(for: .seconds(1))
        self.world = world
        self.app = app
    }

    func run(_ span: TimeSpan) { world.run(for: span) }

    func wait(for what: String, times: Int = 1, within limit: TimeSpan = .seconds(20)) throws {
        world.run(for: .zero)
        try #require(
            world.run(for: limit) { app.count(what) >= times },
            "not heard: \(what), but \(app.heard)"
        )
    }
}
