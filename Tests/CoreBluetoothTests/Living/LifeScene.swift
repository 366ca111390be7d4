import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// A phone with an app that makes its managers whenever it is launched, and accessories around it.
struct LifeScene {
    let world: World
    let phone: Phone
    let app: PhoneApp
    let accessories: [Accessory]
    let devices: [DeviceID]

    init(
        seed: UInt64 = 1,
        modes: BackgroundModes = [],
        central: String? = nil,
        publisher: String? = nil,
        authorization: Authorization = .allowedAlways,
        settings: PhoneSettings = PhoneSettings(),
        _ accessories: Accessory...
    ) {
        world = World(seed: seed)
        phone = Phone(named: "phone", in: world, settings: settings)
        app = phone.install(named: "app", backgroundModes: modes, authorization: authorization) { _ in
            LivingApp(central: central, publisher: publisher)
        }
        self.accessories = accessories
        devices = accessories.indices.map { [world] index in
            world.addDevice(named: "accessory \(index)", at: .metres(x: 1), application: accessories[index])
        }
        app.launch()
        world.run(for: .seconds(1))
    }

    /// What the app has made at its latest launch.
    var live: LivingApp {
        get throws { try #require(app.root(as: LivingApp.self)) }
    }

    func run(_ span: TimeSpan) { world.run(for: span) }

    /// Runs until the app has heard something.
    func wait(for what: String, within limit: TimeSpan = .seconds(60)) throws {
        world.run(for: .zero)
        try #require(
            world.run(for: limit) { app.root(as: LivingApp.self)?.heard.contains(what) ?? false },
            "not heard: \(what), but \(app.root(as: LivingApp.self)?.heard ?? [])"
        )
    }

    /// Finds the only accessory.
    func find(_ services: [CBUUID]? = nil) throws -> CBPeripheral {
        try live.central.scanForPeripherals(withServices: services)
        try wait(for: "discovered")
        try live.central.stopScan()
        return try #require(try live.peripheral)
    }

    /// Connects to the only accessory and finds what it has.
    func connect(_ options: [String: Any]? = nil) throws -> CBPeripheral {
        let peripheral = try find()
        try live.central.connect(peripheral, options: options)
        try wait(for: "connected")
        peripheral.discoverServices([CBUUID(string: "FFE0")])
        try wait(for: "characteristics")
        return peripheral
    }

    /// Connects and asks to be sent the value.
    func subscribe(_ options: [String: Any]? = nil) throws -> CBPeripheral {
        let peripheral = try connect(options)
        peripheral.setNotifyValue(true, for: try #require(try live.characteristic("FFE1")))
        try wait(for: "notifying true")
        return peripheral
    }

    /// An accessory sends its value to whoever wants it.
    func notify(_ value: [UInt8], from index: Int = 0) {
        world.perform(on: devices[index]) { host, now, actions in
            guard let handle = host.database.valueHandle(of: 0xFFE1) else { return }
            host.notify(value, handle: handle, at: now, into: &actions)
        }
    }

    /// An accessory ends its connection.
    func drop(_ index: Int = 0) throws {
        try world.perform(on: devices[index]) { host, now, actions in
            try host.disconnect(try #require(accessories[index].connection), at: now, into: &actions)
        }
    }
}

/// Something that notifies a value.
func sender(isOnAir: Bool = true) -> Accessory {
    Accessory(
        [
            ServiceDefinition(
                0xFFE0,
                characteristics: [
                    CharacteristicDefinition(
                        0xFFE1,
                        properties: [.read, .notify],
                        value: [1],
                        descriptors: [DescriptorDefinition(.clientConfiguration())]
                    )
                ]
            )
        ],
        data: [
            .flags([.generalDiscoverable, .brEDRNotSupported]), .uuids(.completeUUIDs16, [0xFFE0]),
        ],
        isOnAir: isOnAir
    )
}
