import CoreBluetooth

/// An app that keeps what it is told, and does nothing by itself. It imports CoreBluetooth only.
final class CentralApp: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    var manager: CBCentralManager!
    var heard: [String] = []
    var peripherals: [CBPeripheral] = []
    var advertisements: [[String: Any]] = []
    var strengths: [NSNumber] = []
    var errors: [(any Error)?] = []
    var values: [(CBUUID, Data)] = []
    /// What else is to happen when a peripheral is found.
    var connectsAtOnce = false
    var options: [String: Any]?
    var onReady: ((CBPeripheral) -> Void)?

    convenience init(_ environment: BluetoothEnvironment) {
        self.init()
        manager = CBCentralManager(delegate: self, queue: nil, options: nil, environment: environment)
    }

    var peripheral: CBPeripheral? { peripherals.first }

    func count(_ what: String) -> Int { heard.count { $0 == what } }

    func service(_ uuid: String) -> CBService? { peripheral?.services?.first { $0.uuid == CBUUID(string: uuid) } }

    func characteristic(_ uuid: String) -> CBCharacteristic? {
        peripheral?.services?.flatMap { $0.characteristics ?? [] }.first { $0.uuid == CBUUID(string: uuid) }
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) { heard.append("state \(central.state.rawValue)") }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        heard.append("discovered")
        advertisements.append(advertisementData)
        strengths.append(RSSI)
        if !peripherals.contains(peripheral) { peripherals.append(peripheral) }
        if connectsAtOnce { central.connect(peripheral, options: options) }
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        heard.append("connected")
        peripheral.delegate = self
    }

    func centralManager(_ central: CBCentralManager, didFailToConnect peripheral: CBPeripheral, error: (any Error)?) {
        heard.append("failed")
        errors.append(error)
    }

    func centralManager(
        _ central: CBCentralManager,
        connectionEventDidOccur event: CBConnectionEvent,
        for peripheral: CBPeripheral
    ) {
        heard.append(event == .peerConnected ? "peer connected" : "peer disconnected")
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime,
        isReconnecting: Bool,
        error: (any Error)?
    ) {
        heard.append(isReconnecting ? "reconnecting" : "disconnected")
        errors.append(error)
    }

    func centralManager(_ central: CBCentralManager, didUpdateANCSAuthorizationFor peripheral: CBPeripheral) {
        heard.append("ancs \(peripheral.ancsAuthorized)")
    }

    func peripheralDidUpdateName(_ peripheral: CBPeripheral) { heard.append("name \(peripheral.name ?? "nil")") }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        note("services", error)
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverIncludedServicesFor service: CBService, error: (any Error)?)
    {
        note("included", error)
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) { note("characteristics", error) }

    func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { note("descriptors", error) }

    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        heard.append("modified \(invalidatedServices.map(\.uuid.uuidString))")
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        note("value", error)
        if error == nil, let value = characteristic.value { values.append((characteristic.uuid, value)) }
    }

    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?) {
        note("descriptor \(descriptor.value ?? "nil")", error)
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didWriteValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { note("written", error) }

    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?) {
        note("descriptor written", error)
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) { note("notifying \(characteristic.isNotifying)", error) }

    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        note("strength", error)
        strengths.append(RSSI)
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        heard.append("ready")
        onReady?(peripheral)
    }

    private func note(_ what: String, _ error: (any Error)?) {
        heard.append(error == nil ? what : "\(what) failed")
        if let error { errors.append(error) }
    }
}
