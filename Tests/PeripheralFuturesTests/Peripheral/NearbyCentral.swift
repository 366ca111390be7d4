import BluethroatTesting
import CoreBluetooth

/// An app on another phone that knows nothing of futures: it finds whoever advertises, connects, and asks.
final class NearbyCentral: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    let air: Air
    private var manager: CBCentralManager!
    private(set) var peripheral: CBPeripheral?
    private(set) var advertisement: [String: Any]?
    private(set) var isReady = false
    private(set) var disconnections = 0
    private var wanted = 0
    private(set) var notifications: [String: [Data]] = [:]
    private var answers: [(any Error)?] = []
    private var scans = false
    private var reading: CBCharacteristic?

    init(_ name: String = "central", settings: PhoneSettings = PhoneSettings(), in air: Air = .current) {
        self.air = air
        super.init()
        air.addPhone(named: name, settings: settings).addApp().run {
            manager = CBCentralManager(delegate: self, queue: nil)
        }
    }

    /// Finds the phone that advertises, connects, and finds all that it has.
    func connect() throws {
        scans = true
        try air.run(until: manager.state == .poweredOn)
        manager.scanForPeripherals(withServices: nil)
        try air.run(within: .seconds(20), "connected and everything found", until: { isReady })
        manager.stopScan()
    }

    func disconnect() throws {
        if let peripheral { manager.cancelPeripheralConnection(peripheral) }
        try air.run(until: disconnections > 0)
        air.run(for: .seconds(1))
    }

    /// What is advertised within two seconds; nil for nothing.
    func scan() throws -> [String: Any]? {
        try air.run(until: manager.state == .poweredOn)
        advertisement = nil
        scans = false
        manager.scanForPeripherals(withServices: nil, options: [CBCentralManagerScanOptionAllowDuplicatesKey: true])
        air.run(for: .seconds(2))
        manager.stopScan()
        air.run(for: .milliseconds(100))
        return advertisement
    }

    func characteristic(_ uuid: String) throws -> CBCharacteristic {
        let all = (peripheral?.services ?? []).flatMap { $0.characteristics ?? [] }
        guard let found = all.first(where: { $0.uuid == CBUUID(string: uuid) }) else { throw Missing(uuid: uuid) }
        return found
    }

    struct Missing: Error { var uuid: String }

    func read(_ uuid: String) throws -> Data {
        let characteristic = try characteristic(uuid)
        reading = characteristic
        defer { reading = nil }
        try answer { peripheral?.readValue(for: characteristic) }
        return characteristic.value ?? Data()
    }

    func write(_ bytes: [UInt8], to uuid: String) throws {
        let characteristic = try characteristic(uuid)
        try answer { peripheral?.writeValue(Data(bytes), for: characteristic, type: .withResponse) }
    }

    /// What a write or a read is refused with.
    func refusal(of order: () throws -> Void) throws -> CBATTError.Code? {
        do { try order() } catch let error as CBATTError { return error.code }
        return nil
    }

    func subscribe(_ uuid: String, _ isOn: Bool = true) throws {
        let characteristic = try characteristic(uuid)
        try answer { peripheral?.setNotifyValue(isOn, for: characteristic) }
    }

    func received(_ uuid: String) -> [[UInt8]] { (notifications[uuid] ?? []).map(Array.init) }

    private func answer(_ order: () -> Void) throws {
        let count = answers.count
        order()
        try air.run(until: answers.count > count)
        if let error = answers[count] { throw error }
    }

    // MARK: What it hears

    func centralManagerDidUpdateState(_ central: CBCentralManager) {}

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        advertisement = advertisementData
        guard scans, self.peripheral == nil else { return }
        self.peripheral = peripheral
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.delegate = self
        peripheral.discoverServices(nil)
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        disconnections += 1
        isReady = false
        self.peripheral = nil
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        wanted = peripheral.services?.count ?? 0
        if wanted == 0 { isReady = true }
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        wanted -= 1
        if wanted == 0 { isReady = true }
    }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        isReady = false
        peripheral.discoverServices(nil)
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if characteristic.isNotifying, characteristic !== reading {
            notifications[characteristic.uuid.uuidString, default: []].append(characteristic.value ?? Data())
        } else {
            answers.append(error)
        }
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
        answers.append(error)
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { answers.append(error) }
}
