import CoreBluetooth

/// An app with managers of either role or both, which it makes when it is launched. It keeps what it is told, in order.
final class LivingApp: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate, CBPeripheralManagerDelegate {
    private(set) var central: CBCentralManager!
    private(set) var publisher: CBPeripheralManager!
    private(set) var heard: [String] = []
    private(set) var peripherals: [CBPeripheral] = []
    private(set) var advertisements: [[String: Any]] = []
    private(set) var requests: [CBATTRequest] = []
    private(set) var services: [CBMutableService] = []
    private(set) var restored: [String: Any] = [:]
    /// How the restored peripherals stood when the app was shown them.
    private(set) var restoredStates: [CBPeripheralState] = []
    /// Whether each of them had a delegate then.
    private(set) var restoredDelegates: [Bool] = []
    private(set) var errors: [any Error] = []

    /// - Parameters:
    ///   - central: the restore identifier of a central manager, empty for none; nil makes no manager.
    ///   - publisher: the same of a peripheral manager.
    init(central: String? = nil, publisher: String? = nil) {
        super.init()
        if let central {
            let options = central.isEmpty ? nil : [CBCentralManagerOptionRestoreIdentifierKey: central]
            self.central = CBCentralManager(delegate: self, queue: nil, options: options)
        }
        if let publisher {
            let options = publisher.isEmpty ? nil : [CBPeripheralManagerOptionRestoreIdentifierKey: publisher]
            self.publisher = CBPeripheralManager(delegate: self, queue: nil, options: options)
        }
    }

    var peripheral: CBPeripheral? { peripherals.first }

    func count(_ what: String) -> Int { heard.count { $0 == what } }

    func forget() { heard = [] }

    func characteristic(_ uuid: String) -> CBCharacteristic? {
        peripheral?.services?.flatMap { $0.characteristics ?? [] }.first { $0.uuid == CBUUID(string: uuid) }
    }

    // MARK: Central

    func centralManagerDidUpdateState(_ central: CBCentralManager) { heard.append("state \(central.state.rawValue)") }

    func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        heard.append("restored")
        restored = dict
        peripherals = dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral] ?? []
        restoredStates = peripherals.map(\.state)
        restoredDelegates = peripherals.map { $0.delegate != nil }
        for peripheral in peripherals { peripheral.delegate = self }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        heard.append("discovered")
        advertisements.append(advertisementData)
        if !peripherals.contains(peripheral) { peripherals.append(peripheral) }
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        heard.append("connected")
        peripheral.delegate = self
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) { heard.append("disconnected") }

    func centralManager(
        _ central: CBCentralManager,
        connectionEventDidOccur event: CBConnectionEvent,
        for peripheral: CBPeripheral
    ) { heard.append(event == .peerConnected ? "peer connected" : "peer disconnected") }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) { heard.append("characteristics") }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { heard.append("notifying \(characteristic.isNotifying)") }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { heard.append("value \(Array(characteristic.value ?? Data()))") }

    // MARK: Peripheral

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        heard.append("publisher \(peripheral.state.rawValue)")
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
        heard.append("restored publisher")
        restored = dict
        services = dict[CBPeripheralManagerRestoredStateServicesKey] as? [CBMutableService] ?? []
    }

    func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        heard.append("advertising")
        if let error { errors.append(error) }
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) { heard.append("subscribed") }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) { heard.append("unsubscribed") }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        heard.append("read")
        request.value = Data([7])
        peripheral.respond(to: request, withResult: .success)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        heard.append("written \(Array(requests[0].value ?? Data()))")
        peripheral.respond(to: requests[0], withResult: .success)
    }
}
