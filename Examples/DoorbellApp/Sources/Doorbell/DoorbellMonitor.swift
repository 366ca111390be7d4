import CoreBluetoothMock
import Foundation

/// Finds a doorbell, keeps connected to it, and says when it rings.
class DoorbellMonitor: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    static let service = CBUUID(string: "7B7B0000-1212-EFDE-1523-785FEABCD123")
    static let bell = CBUUID(string: "7B7B0001-1212-EFDE-1523-785FEABCD123")

    var onReady: (() -> Void)?
    var onRing: (() -> Void)?
    var onLost: (() -> Void)?

    private let manager: CBCentralManager
    private var peripheral: CBPeripheral?

    override init() {
        manager = CBCentralManagerFactory.instance(delegate: nil, queue: nil, forceMock: true)
        super.init()
        manager.delegate = self
    }

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if central.state == .poweredOn { central.scanForPeripherals(withServices: [Self.service]) }
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
        peripheral.discoverServices([Self.service])
    }

    func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: Error?
    ) {
        onLost?()
        central.connect(peripheral)
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
        guard let service = peripheral.services?.first else { return }
        peripheral.discoverCharacteristics([Self.bell], for: service)
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverCharacteristicsFor service: CBService,
        error: Error?
    ) {
        guard let bell = service.characteristics?.first else { return }
        peripheral.setNotifyValue(true, for: bell)
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: Error?
    ) {
        if error == nil { onReady?() }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: Error?
    ) {
        if characteristic.value?.first == 1 { onRing?() }
    }
}
