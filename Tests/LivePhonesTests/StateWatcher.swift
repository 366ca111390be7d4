import CoreBluetooth

/// An app that notes the states of its manager, and what its manager finds.
final class StateWatcher: NSObject, CBCentralManagerDelegate, Sendable {
    let listener = Listener()

    func centralManagerDidUpdateState(_ central: CBCentralManager) {
        listener.note("state \(central.state.rawValue)")
        if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
    }

    func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        listener.note("discovered \(peripheral.name ?? "somebody")")
    }
}
