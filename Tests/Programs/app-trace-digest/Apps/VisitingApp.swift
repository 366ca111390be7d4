import CoreBluetooth

/// An app that looks for a service, connects to the first device that has it, reads, subscribes and writes, and keeps count.
final class VisitingApp: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private(set) var manager: CBCentralManager!
    private(set) var peripheral: CBPeripheral?
    private(set) var discoveries = 0
    private(set) var connections = 0
    private(set) var disconnections = 0
    private(set) var values = 0
    private(set) var written = 0
    private(set) var failures = 0
    private(set) var restorations = 0
    private(set) var isReady = false
    private let service: CBUUID?
    /// Connects to the first device that is discovered.
    var connects = true

    /// - Parameter identifier: the restore identifier; nil for an app that is not restored.
    init(lookingFor service: String?, restoredAs identifier: String? = nil) {
        self.service = service.map { CBUUID(string: $0) }
        super.init()
        let options = identifier.map { [CBCentralManagerOptionRestoreIdentifierKey: $0] }
        manager = CBCentralManager(delegate: self, queue: nil, options: options)
    }

    var isConnected: Bool { peripheral?.state == .connected }

    func characteristic(_ uuid: String) -> CBCharacteristic? {
        (peripheral?.services ?? []).flatMap { $0.characteristics ?? [] }.first { $0.uuid == CBUUID(string: uuid) }
    }

    func read(_ uuid: String) { if let it = characteristic(uuid) { peripheral?.readValue(for: it) } }

    func subscribe(_ uuid: String) { if let it = characteristic(uuid) { peripheral?.setNotifyValue(true, for: it) } }

    func write(_ value: [UInt8], _ uuid: String, _ type: CBCharacteristicWriteType = .withResponse) {
        if let it = characteristic(uuid) { peripheral?.writeValue(Data(value), for: it, type: type) }
    }

    func leave() { if let peripheral { manager.cancelPeripheralConnection(peripheral) } }

    func comeBack() { if let peripheral { manager.connect(peripheral) } }

    // MARK: CBCentralManagerDelegate

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == .poweredOn, peripheral == nil else { return }
        central.scanForPeripherals(withServices: service.map { [$0] })
    }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        restorations += 1
        peripheral = (dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral])?.first
        peripheral?.delegate = self
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        discoveries += 1
        guard connects, self.peripheral == nil else { return }
        self.peripheral = peripheral
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        connections += 1
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
    }

    // MARK: CBPeripheralDelegate

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        isReady = peripheral.services?.isEmpty ?? true
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        isReady = (peripheral.services ?? []).allSatisfy { $0.characteristics != nil }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { if error == nil { values += 1 } else { failures += 1 } }

    func peripheral(
        _ peripheral: CBPeripheral,
        didWriteValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { if error == nil { written += 1 } else { failures += 1 } }
}
