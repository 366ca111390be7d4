import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth

/// Advertisements: frames on the air, with and without a scanner that hears them, and what phones make of them.
enum AdvertisingOperations {
    static var all: [Operation] {
        [
            frames("advertisingFrame.unheard", 10, scanners: 0, step: .seconds(1), steps: (10, 40)),
            frames("advertisingFrame.scanner", 10, scanners: 1, step: .seconds(1), steps: (10, 40)),
            frames("advertisingFrame.room10000", 10_000, scanners: 1, step: .milliseconds(5), steps: (2, 10)),
            frames(
                "advertisingFrame.crowd10000",
                10_000,
                scanners: 1,
                step: .milliseconds(5),
                steps: (2, 10),
                air: .crowd
            ),
            Operation(name: "report.host", unit: "reports", steps: (5, 20)) {
                let world = World(seed: 1)
                try Crowd.add(1, to: world)
                let scanner = Scanner(isActive: false)
                world.addDevice(named: "scanner", at: .metres(x: 5, y: 5), application: scanner)
                return run(world, .seconds(5)) { scanner.reports }
            },
            Operation(name: "report.app", unit: "reports", steps: (5, 20)) {
                let world = World(seed: 1)
                try Crowd.add(1, to: world)
                let phone = Phone(named: "phone", in: world, at: .metres(x: 5, y: 5))
                let app = CountingApp(on: phone)
                return run(world, .seconds(5)) { app.reports }
            },
            Operation(name: "backgroundChange", unit: "changes", steps: (20, 100)) {
                let world = World(seed: 1)
                let app = try ChangingApp(in: world)
                return Operation.Run {
                    app.change()
                    world.run(for: .milliseconds(20))
                } count: {
                    app.changes
                }
            },
        ]
    }

    private static func frames(
        _ name: String,
        _ count: Int,
        scanners: Int,
        step: TimeSpan,
        steps: (short: Int, long: Int),
        air: AirMode = .exact
    ) -> Operation {
        Operation(name: name, unit: "frames", steps: steps) {
            let world = World(seed: 1, air: air)
            try Crowd.add(count, to: world)
            for number in 0..<scanners {
                world.addDevice(
                    named: "scanner \(number)",
                    at: .metres(x: 5, y: 5),
                    application: Scanner(isActive: false)
                )
            }
            return run(world, step) { world.transmissionCount }
        }
    }

    private static func run(_ world: World, _ span: TimeSpan, _ count: @escaping () -> Int) -> Operation.Run {
        Operation.Run {
            world.run(for: span)
        } count: {
            count()
        }
    }
}

/// An app that hears every advertisement.
private final class CountingApp: NSObject, CBCentralManagerDelegate {
    private var manager: CBCentralManager!
    private(set) var reports = 0

    init(on phone: Phone) {
        super.init()
        let app = phone.addApp()
        manager = CBCentralManager(delegate: self, queue: nil, environment: app.environment)
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else { return }
        central.scanForPeripherals(
            withServices: nil,
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: true]
        )
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) { reports += 1 }
}

/// An app in the background that advertises one service, then another.
final class ChangingApp: NSObject, CBPeripheralManagerDelegate {
    private var manager: CBPeripheralManager!
    private(set) var changes = 0
    private static let services = ["A3D5", "A3D6"].map { CBUUID(string: $0) }

    init(in world: World) throws {
        super.init()
        var settings = PhoneSettings()
        settings.suspensionDelay = .seconds(1_000_000)
        let phone = Phone(named: "phone", in: world, settings: settings)
        let app = phone.addApp(backgroundModes: .bluetoothPeripheral)
        manager = CBPeripheralManager(delegate: self, queue: nil, environment: app.environment)
        guard world.run(for: .seconds(5), until: { manager.state == .poweredOn }) else {
            throw BenchError("the phone is not on")
        }
        app.enterBackground()
        world.run(for: .seconds(1))
    }

    func change() {
        manager.stopAdvertising()
        manager.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [Self.services[changes % 2]]])
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {}

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        if error == nil { changes += 1 }
    }
}
