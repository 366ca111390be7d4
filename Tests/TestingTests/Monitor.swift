import CoreBluetooth

/// A central as apps have it: finds a heart rate sensor, connects, subscribes, and comes back when it was lost.
final class Monitor: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private(set) var states: [CBManagerState] = []
    private(set) var values: [Data] = []
    private(set) var rssi: [Int] = []
    private(set) var names: [String?] = []
    private(set) var peripheral: CBPeripheral?
    private(set) var disconnections: [(any Error)?] = []
    private(set) var characteristics: [CBCharacteristic] = []
    private(set) var writeErrors: [(any Error)?] = []
    private(set) var readErrors: [any Error] = []
    private(set) var invalidated: [CBUUID] = []
    private var manager: CBCentralManager!
    private let service: CBUUID

    init(_ service: String = "180D") {
        self.service = CBUUID(string: service)
        super.init()
        manager = CBCentralManager(delegate: self, queue: nil)
    }

    var isConnected: Bool { peripheral?.state == .connected }

    func characteristic(_ uuid: String) -> CBCharacteristic? {
        characteristics.first { $0.uuid == CBUUID(string: uuid) }
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        states.append(central.state)
        if central.state == .poweredOn { central.scanForPeripherals(withServices: [service]) }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi: NSNumber
    ) {
        self.rssi.append(rssi.intValue)
        names.append(peripheral.name)
        self.peripheral = peripheral
        peripheral.delegate = self
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices(nil)
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        disconnections.append(error)
        central.connect(peripheral)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        characteristics = []
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        characteristics += service.characteristics ?? []
        for characteristic in service.characteristics ?? [] where characteristic.properties.contains(.notify) {
            peripheral.setNotifyValue(true, for: characteristic)
        }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if let error { readErrors.append(error) } else { values.append(characteristic.value ?? Data()) }
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: (any Error)?)
    {
        writeErrors.append(error)
    }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        invalidated += invalidatedServices.map(\.uuid)
    }
}
