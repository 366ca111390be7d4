import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// An app on a phone, and accessories around it.
struct AppScene {
    let world: World
    let phone: Phone
    let app: CentralApp
    let accessories: [Accessory]
    let devices: [DeviceID]
    /// What each accessory keeps of those it has bonded with.
    let bonds: [MemoryBondStore]

    init(seed: UInt64 = 1, settings: PhoneSettings = PhoneSettings(), _ accessories: Accessory...) {
        world = World(seed: seed)
        phone = Phone(named: "phone", in: world, settings: settings)
        app = CentralApp(phone.addApp().environment)
        self.accessories = accessories
        let bonds = accessories.map { _ in MemoryBondStore() }
        self.bonds = bonds
        devices = accessories.indices.map { [world] index in
            world.addDevice(
                named: "accessory \(index)",
                bonds: bonds[index],
                at: .metres(x: 1),
                application: accessories[index]
            )
        }
        run(.seconds(1))
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

    /// Does something to an accessory.
    func touch(_ index: Int = 0, _ body: (BluetoothHost, Instant, inout HostActions) throws -> Void) rethrows {
        _ = try world.perform(on: devices[index], body)
    }

    func comeOnAir(_ index: Int = 0) {
        touch(index) { accessories[index].advertise(host: $0, at: $1, into: &$2) }
    }

    func leave(_ index: Int = 0) { world.move(devices[index], to: .metres(x: 100_000)) }

    /// Has the phone's controller say something: an HCI packet in the form of H4.
    func controllerSays(_ packet: [UInt8]) {
        world.perform(on: phone.device) { host, now, actions in host.receive(hci: packet, at: now, into: &actions) }
        run(.zero)
    }

    func comeBack(_ index: Int = 0) { world.move(devices[index], to: .metres(x: 1)) }

    /// Scans until all accessories are known.
    func scan() throws {
        app.manager.scanForPeripherals(withServices: nil)
        try wait(for: "discovered", times: accessories.count)
        app.manager.stopScan()
    }

    /// The only accessory, connected and with all characteristics known.
    func connect(_ options: [String: Any]? = nil) throws -> CBPeripheral {
        try scan()
        let peripheral = try #require(app.peripheral)
        app.manager.connect(peripheral, options: options)
        try wait(for: "connected")
        peripheral.discoverServices(nil)
        try wait(for: "services")
        try wait(for: "characteristics", times: peripheral.services?.count ?? 0)
        return peripheral
    }
}
