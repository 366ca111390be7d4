import CoreBluetoothMock

// A doorbell, as users of the original describe the devices of their tests.

extension CBMUUID {
    static let doorbell = CBMUUID(string: "7B7B0000-1212-EFDE-1523-785FEABCD123")
    static let bell = CBMUUID(string: "7B7B0001-1212-EFDE-1523-785FEABCD123")
    static let volume = CBMUUID(string: "7B7B0002-1212-EFDE-1523-785FEABCD123")
}

class DoorbellDelegate: CBMPeripheralSpecDelegate {
    var volume: UInt8 = 3
    var commands = [Data]()

    func reset() { volume = 3 }

    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveReadRequestFor characteristic: CBMCharacteristicMock
    ) -> Result<Data, Error> {
        return characteristic.uuid == .volume ? .success(Data([volume])) : .success(Data([0]))
    }

    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveWriteRequestFor characteristic: CBMCharacteristicMock,
        data: Data
    ) -> Result<Void, Error> {
        guard let new = data.first, new <= 10 else { return .failure(CBMATTError(.invalidAttributeValueLength)) }
        volume = new
        return .success(())
    }

    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveWriteCommandFor characteristic: CBMCharacteristicMock,
        data: Data
    ) {
        commands.append(data)
    }
}

/// New objects for each test.
struct Doorbell {
    let delegate = DoorbellDelegate()
    let bell = CBMCharacteristicMock(
        type: .bell,
        properties: [.notify, .read],
        descriptors: CBMClientCharacteristicConfigurationDescriptorMock()
    )
    let volume = CBMCharacteristicMock(type: .volume, properties: [.read, .write, .writeWithoutResponse])
    let service: CBMServiceMock
    let spec: CBMPeripheralSpec

    init(proximity: CBMProximity = .near, isConnected: Bool = false) {
        service = CBMServiceMock(type: .doorbell, primary: true, characteristics: bell, volume)
        let builder = CBMPeripheralSpec.simulatePeripheral(proximity: proximity)
            .advertising(
                advertisementData: [
                    CBMAdvertisementDataLocalNameKey: "Doorbell",
                    CBMAdvertisementDataServiceUUIDsKey: [CBMUUID.doorbell],
                    CBMAdvertisementDataIsConnectable: true as NSNumber,
                ],
                withInterval: 0.100
            )
        spec =
            isConnected
            ? builder.connected(name: "Doorbell", services: [service], delegate: delegate).build()
            : builder.connectable(name: "Doorbell", services: [service], delegate: delegate).build()
    }
}

/// An app's class for it.
class DoorbellRemote: NSObject, CBMCentralManagerDelegate, CBMPeripheralDelegate {
    let manager: CBMCentralManager
    var peripheral: CBMPeripheral?
    var bell: CBMCharacteristic?
    var volume: CBMCharacteristic?
    var onOn: (() -> Void)?
    var onFound: (() -> Void)?
    var onReady: (() -> Void)?
    var onRing: ((Data?) -> Void)?
    var onVolume: ((Data?, Error?) -> Void)?
    var onCanSend: (() -> Void)?
    var onWritten: ((Error?) -> Void)?
    var onGone: ((Error?) -> Void)?
    var onChange: (([CBMService]) -> Void)?
    var connects = true

    init(queue: DispatchQueue? = nil) {
        // On a queue of its own the manager would tell its state before it has a delegate.
        queue?.suspend()
        manager = CBMCentralManagerFactory.instance(delegate: nil, queue: queue, forceMock: true)
        super.init()
        manager.delegate = self
        queue?.resume()
    }

    func centralManagerDidUpdateState(_ central: CBMCentralManager) {
        guard central.state == .poweredOn else { return }
        onOn?()
        central.scanForPeripherals(withServices: [.doorbell])
    }

    func centralManager(
        _ central: CBMCentralManager,
        didDiscover peripheral: CBMPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        self.peripheral = peripheral
        onFound?()
        guard connects else { return }
        peripheral.delegate = self
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBMCentralManager, didConnect peripheral: CBMPeripheral) {
        peripheral.discoverServices([.doorbell])
    }

    func centralManager(
        _ central: CBMCentralManager,
        didDisconnectPeripheral peripheral: CBMPeripheral,
        error: Error?
    ) {
        onGone?(error)
    }

    func peripheral(_ peripheral: CBMPeripheral, didDiscoverServices error: Error?) {
        guard let service = peripheral.services?.first else { return }
        peripheral.discoverCharacteristics(nil, for: service)
    }

    func peripheral(_ peripheral: CBMPeripheral, didDiscoverCharacteristicsFor service: CBMService, error: Error?) {
        bell = service.characteristics?.first { $0.uuid == .bell }
        volume = service.characteristics?.first { $0.uuid == .volume }
        if let bell = bell { peripheral.setNotifyValue(true, for: bell) }
    }

    func peripheral(
        _ peripheral: CBMPeripheral,
        didUpdateNotificationStateFor characteristic: CBMCharacteristic,
        error: Error?
    ) {
        onReady?()
    }

    func peripheral(
        _ peripheral: CBMPeripheral,
        didUpdateValueFor characteristic: CBMCharacteristic,
        error: Error?
    ) {
        if characteristic.uuid == .bell {
            onRing?(characteristic.value)
        } else {
            onVolume?(characteristic.value, error)
        }
    }

    func peripheral(_ peripheral: CBMPeripheral, didWriteValueFor characteristic: CBMCharacteristic, error: Error?) {
        onWritten?(error)
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBMPeripheral) { onCanSend?() }

    func peripheral(_ peripheral: CBMPeripheral, didModifyServices invalidatedServices: [CBMService]) {
        onChange?(invalidatedServices)
    }
}
