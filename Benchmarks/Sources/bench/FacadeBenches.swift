import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth

/// What CoreBluetooth costs on top of the host.
enum FacadeBenches {
    static var all: [Bench] {
        [
            Bench("facadeNotification", "us more", isBetterLow: true, target: .below(5)) { effort in
                try notificationCost(effort)
            },
            Bench("appSuite", "s", isBetterLow: true, target: .below(10)) { effort in try suite(effort) },
        ]
    }

    /// What the processor spends more on a notification of 20 bytes where an app sends it and an app hears it, in
    /// microseconds. Whatever clock was asked for, it is the processor's.
    static func notificationCost(_ effort: Effort) throws -> Double {
        let effort = Effort(seconds: effort.seconds, clock: .processor)
        let plain = try ValueBenches.notifyingPair(20, le2M: true)
        let below = try plain.rate(effort) { plain.central.count }
        let world = World(seed: 1)
        let sender = NotifyingApp(on: Phone(named: "sender", in: world))
        let listener = ListeningApp(on: Phone(named: "listener", in: world, at: .metres(x: 1)))
        guard world.run(for: .seconds(30), until: { listener.count > 0 }) else { throw BenchError("nothing heard") }
        sender.manager.stopAdvertising()
        let above = effort.bestRate {
            world.run(for: .seconds(1))
        } count: {
            Double(listener.count)
        }
        return (1 / above - 1 / below) * 1e6
    }

    /// Twenty tests of an app, one after the other, each of ten minutes: it finds a sensor, connects, subscribes, hears
    /// a value each second, and leaves. How long all of them take.
    static func suite(_ effort: Effort) throws -> Double {
        let begin = effort.clock.now
        for seed in 1...20 as ClosedRange<UInt64> {
            let world = World(seed: seed)
            let sensor = Sensor()
            world.addDevice(named: "sensor", at: .metres(x: 2), application: sensor)
            let app = ListeningApp(on: Phone(named: "phone", in: world))
            world.run(for: .seconds(590))
            app.leave()
            world.run(for: .seconds(10))
            guard app.count >= 580, app.hasLeft else { throw BenchError("seed \(seed): \(app.count) values heard") }
        }
        return effort.clock.now - begin
    }
}

/// A peripheral's app that has notifications without end.
private final class NotifyingApp: NSObject, CBPeripheralManagerDelegate {
    private(set) var manager: CBPeripheralManager!
    private let characteristic = CBMutableCharacteristic(
        type: CBUUID(string: "FFF2"),
        properties: .notify,
        value: nil,
        permissions: .readable
    )
    private let value = Data(repeating: 0x5A, count: 20)

    init(on phone: Phone) {
        super.init()
        let app = phone.addApp()
        manager = CBPeripheralManager(delegate: self, queue: nil, environment: app.environment)
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        let service = CBMutableService(type: CBUUID(string: "FFF0"), primary: true)
        service.characteristics = [characteristic]
        peripheral.add(service)
        peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [service.uuid]])
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) { fill() }

    func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) { fill() }

    private func fill() { while manager.updateValue(value, for: characteristic, onSubscribedCentrals: nil) {} }
}

/// A central's app that counts the notifications it hears.
private final class ListeningApp: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private var manager: CBCentralManager!
    private var peripheral: CBPeripheral?
    private(set) var count = 0
    private(set) var hasLeft = false

    init(on phone: Phone) {
        super.init()
        let app = phone.addApp()
        manager = CBCentralManager(delegate: self, queue: nil, environment: app.environment)
    }

    func leave() { if let peripheral { manager.cancelPeripheralConnection(peripheral) } }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn else { return }
        central.scanForPeripherals(withServices: [CBUUID(string: "FFF0")])
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        central.stopScan()
        self.peripheral = peripheral
        peripheral.delegate = self
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([CBUUID(string: "FFF0")])
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) { hasLeft = error == nil }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        for characteristic in service.characteristics ?? [] where characteristic.properties.contains(.notify) {
            peripheral.setNotifyValue(true, for: characteristic)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { if error == nil { count += 1 } }
}

/// A device that notifies a value each second.
private final class Sensor: HostApplication {
    private var connection: ConnectionID?
    private var handle: AttributeHandle?
    private(set) var nextDeadline: Instant?

    func start(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        let value = CharacteristicDefinition(0xFFF2, properties: .notify)
        let added = try? host.addServices(
            [ServiceDefinition(0xFFF0, characteristics: [value])],
            at: now,
            into: &actions
        )
        handle = added?.first?.characteristics.first?.value
        host.powerOn(at: now, into: &actions)
    }

    func handle(_ event: HostEvent, host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        switch event {
        case .poweredOn, .disconnected:
            nextDeadline = nil
            let data = AdvertisingData([.flags([.generalDiscoverable]), .uuids(.completeUUIDs16, [0xFFF0])])
            try? host.startAdvertising(
                AdvertisingParameters(interval: AdvertisingInterval(steps: 160)!),
                data: data,
                at: now,
                into: &actions
            )
        case .connected: nextDeadline = now + .seconds(1)
        default: break
        }
    }

    func expire(host: BluetoothHost, at now: Instant, into actions: inout HostActions) {
        guard let deadline = nextDeadline, deadline <= now, let handle else { return }
        nextDeadline = deadline + .seconds(1)
        _ = host.notify([72], handle: handle, to: nil, at: now, into: &actions)
    }
}
