// In the manner of an app's view model: everything on the main actor, with the queue left out.
@preconcurrency import CoreBluetooth

@MainActor
final class ScannerViewModel: NSObject {
    struct Found: Identifiable {
        let peripheral: CBPeripheral
        var id: UUID { peripheral.identifier }
        var name: String
        var rssi: Int
    }

    private(set) var found: [Found] = []
    private(set) var isOn = false
    private var central: CBCentralManager!

    func start(in environment: BluetoothEnvironment) {
        central = CBCentralManager(delegate: self, queue: nil, options: [:], environment: environment)
    }

    func toggle() {
        guard central.state == .poweredOn else { return }
        if central.isScanning {
            central.stopScan()
        } else {
            central.scanForPeripherals(
                withServices: [CBUUID(string: "180D")],
                options: [CBCentralManagerScanOptionAllowDuplicatesKey: true]
            )
        }
    }
}

extension ScannerViewModel: @preconcurrency CBCentralManagerDelegate {
    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        switch central.state {
        case .poweredOn: isOn = true
        case .unknown, .resetting, .unsupported, .unauthorized, .poweredOff: isOn = false
        @unknown default: isOn = false
        }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        let name = advertisementData[CBAdvertisementDataLocalNameKey] as? String ?? peripheral.name ?? "?"
        found.append(Found(peripheral: peripheral, name: name, rssi: RSSI.intValue))
    }
}
