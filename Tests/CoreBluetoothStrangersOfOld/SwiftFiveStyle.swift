// In the manner of a tutorial from before concurrency: implicitly unwrapped properties, a shared instance, closures.
import CoreBluetooth
import Foundation

public class BLEManager: NSObject {
    public static let shared = BLEManager()
    static var counter = 0

    var centralManager: CBCentralManager!
    var peripheral: CBPeripheral?
    var writeCharacteristic: CBCharacteristic!
    var onValue: ((Data) -> Void)?
    let serviceUUID = CBUUID(string: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
    var known: [CBPeripheral: Date] = [:]
    var seen: Set<CBUUID> = []

    public override init() {
        super.init()
        centralManager = CBCentralManager(
            delegate: self,
            queue: DispatchQueue(label: "ble", qos: .userInitiated, attributes: .concurrent),
            options: [
                CBCentralManagerOptionShowPowerAlertKey: NSNumber(value: true),
                CBCentralManagerOptionRestoreIdentifierKey: "restore.me",
            ]
        )
    }

    func send(_ text: String) {
        guard let peripheral = peripheral, let data = text.data(using: .utf8) else { return }
        let length = peripheral.maximumWriteValueLength(for: .withoutResponse)
        var offset = 0
        while offset < data.count, peripheral.canSendWriteWithoutResponse {
            let chunk = data.subdata(in: offset..<min(offset + length, data.count))
            peripheral.writeValue(chunk, for: writeCharacteristic, type: .withoutResponse)
            offset += chunk.count
        }
    }
}

extension BLEManager: CBCentralManagerDelegate {
    public func centralManagerDidUpdateState(_ central: CBCentralManager) {
        if #available(iOS 13.1, *) {
            switch CBManager.authorization {
            case .allowedAlways: NSLog("%@ allowed", central)
            case .denied, .restricted: return
            case .notDetermined: break
            @unknown default: fatalError()
            }
        }
        guard central.state == .poweredOn else { return }
        let connected = central.retrieveConnectedPeripherals(withServices: [serviceUUID])
        if let first = connected.first {
            connect(first)
        } else {
            central.scanForPeripherals(withServices: nil)
        }
    }

    func connect(_ peripheral: CBPeripheral) {
        self.peripheral = peripheral
        peripheral.delegate = self
        centralManager.connect(peripheral)
    }

    public func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        known[peripheral] = Date()
        let services = advertisementData[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID]
        let data = advertisementData[CBAdvertisementDataServiceDataKey] as? [CBUUID: Data]
        let raw = advertisementData["kCBAdvDataManufacturerData"] as? Data
        let connectable = (advertisementData[CBAdvertisementDataIsConnectable] as? NSNumber)?.boolValue ?? false
        seen.formUnion(services ?? [])
        if connectable, RSSI.intValue > -80, data?[serviceUUID] != nil || raw != nil { connect(peripheral) }
    }

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        central.stopScan()
        peripheral.discoverServices([serviceUUID])
    }

    public func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        timestamp: CFAbsoluteTime,
        isReconnecting: Bool,
        error: Error?
    ) {
        if let error = error as NSError?, error.domain == CBErrorDomain,
            error.code == CBError.connectionTimeout.rawValue
        {
            centralManager.connect(peripheral, options: nil)
        }
    }
}

extension BLEManager: CBPeripheralDelegate {
    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: Error?) {
        guard let services = peripheral.services else { return }
        for service in services { peripheral.discoverCharacteristics(nil, for: service) }
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverCharacteristicsFor service: CBService,
        error: Error?
    ) {
        service.characteristics?.forEach { characteristic in
            if characteristic.properties.contains(.notify) { peripheral.setNotifyValue(true, for: characteristic) }
            if characteristic.properties.isDisjoint(with: [.write, .writeWithoutResponse]) { return }
            writeCharacteristic = characteristic
        }
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: Error?
    ) {
        guard let value = characteristic.value else { return }
        DispatchQueue.main.async { [onValue] in onValue?(value) }
    }

    public func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        if invalidatedServices.contains(where: { $0.uuid == serviceUUID }) {
            peripheral.discoverServices([serviceUUID])
        }
    }
}

func careless(_ manager: CBPeripheralManager, _ characteristic: CBMutableCharacteristic) {
    manager.updateValue(Data(), for: characteristic, onSubscribedCentrals: nil)
}

/// A forwarding subclass with an override that has a method a base class left out.
open class BaseDelegate: NSObject, CBPeripheralDelegate {
    open func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: Error?) {}
}

final class DerivedDelegate: BaseDelegate {
    var last: NSNumber?

    override func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: Error?) { last = RSSI }
}
