// In the manner of a project that was begun with Xcode 26: whatever says nothing else is on the main actor, conformances
// too.
import CoreBluetooth
import Foundation

final class PulseReader: NSObject, CBCentralManagerDelegate, CBPeripheralDelegate {
    private(set) var pulses: [UInt8] = []
    private(set) var log: [String] = []
    private var central: CBCentralManager!
    private var strap: CBPeripheral?

    static let service = CBUUID(string: "180D")
    private static let measurement = CBUUID(string: "2A37")

    override init() {
        super.init()
        central = CBCentralManager(delegate: self, queue: .main)
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
        guard strap == nil else { return }
        strap = peripheral
        peripheral.delegate = self
        central.connect(peripheral)
    }

    func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        log.append("connected")
        peripheral.discoverServices([Self.service])
    }

    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        peripheral.services?.forEach { peripheral.discoverCharacteristics([Self.measurement], for: $0) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        service.characteristics?.forEach { peripheral.setNotifyValue(true, for: $0) }
    }

    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        if let value = characteristic.value, value.count > 1 { pulses.append(value[1]) }
    }
}

final class PulseGiver: NSObject, CBPeripheralManagerDelegate {
    private lazy var manager = CBPeripheralManager(delegate: self, queue: nil)
    private let measurement = CBMutableCharacteristic(
        type: CBUUID(string: "2A37"),
        properties: .notify,
        value: nil,
        permissions: []
    )

    func begin() { _ = manager.state }

    func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard peripheral.state == .poweredOn else { return }
        let service = CBMutableService(type: PulseReader.service, primary: true)
        service.characteristics = [measurement]
        peripheral.add(service)
    }

    func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
        peripheral.startAdvertising([CBAdvertisementDataServiceUUIDsKey: [service.uuid]])
    }

    func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) {
        _ = peripheral.updateValue(Data([0, 72]), for: measurement, onSubscribedCentrals: [central])
    }
}
