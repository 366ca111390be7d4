import CoreBluetoothMock

/// An app as they are written for phones: it turns on the first lamp that it finds, and hears of its switch.
final class LampApp: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private(set) var isLit = false
    private(set) var switches: [Bool] = []
    private(set) var ends: [CBMError.Code?] = []
    private(set) var name: String?

    private let manager: CBCentralManager
    private var peripheral: CBPeripheral!
    private var lamp: CBCharacteristic?
    private var toggle: CBCharacteristic?

    override init() {
        manager = CBCentralManagerFactory.instance(forceMock: true)
        super.init()
        manager.delegate = self
    }

    func turn(on isOn: Bool) {
        guard let lamp = lamp, peripheral.state == .connected else { return }
        peripheral.writeValue(Data([isOn ? 1 : 0]), for: lamp, type: .withResponse)
    }

    override func isEqual(_ object: Any?) -> Bool {
        if let other = object as? CBPeripheral { return other.identifier == peripheral.identifier }
        return object as? LampApp === self
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        guard central.state == CBManagerState.poweredOn else { return }
        central.scanForPeripherals(withServices: [.lampService], options: nil)
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        name = advertisementData[CBMAdvertisementDataLocalNameKey] as? String
        self.peripheral = peripheral
        peripheral.delegate = self
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        peripheral.discoverServices([.lampService])
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: Error?
    ) {
        ends.append((error as? CBError)?.code)
        central.connect(peripheral)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
        guard error == nil, let service = peripheral.services?.first else { return }
        peripheral.discoverCharacteristics([.lamp, .toggle], for: service)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: Error?) {
        for characteristic in service.characteristics ?? [] {
            assert(characteristic.service == service)
            if characteristic.uuid == .lamp { lamp = characteristic } else { toggle = characteristic }
        }
        if let toggle = toggle { peripheral.setNotifyValue(true, for: toggle) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: Error?
    ) {
        if error == nil, characteristic == toggle { turn(on: true) }
    }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor characteristic: CBCharacteristic, error: Error?) {
        if let lamp = lamp, characteristic == lamp { peripheral.readValue(for: lamp) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: Error?
    ) {
        guard let value = characteristic.value, error == nil else { return }
        if characteristic == lamp { isLit = value == Data([1]) } else { switches.append(value == Data([1])) }
    }
}

extension CBUUID {
    static let lampService = CBUUID(string: "5A5A0000-1212-EFDE-1523-785FEABCD123")
    static let lamp = CBUUID(string: "5A5A0001-1212-EFDE-1523-785FEABCD123")
    static let toggle = CBUUID(string: "5A5A0002-1212-EFDE-1523-785FEABCD123")
}
