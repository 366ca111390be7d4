public import CoreBluetooth

/// What CoreBluetooth says.
extension CentralManager: CBCentralManagerDelegate {
    public func centralManagerDidUpdateState(_ central: CBCentralManager) {
        let state = ManagerState(central.state)
        if state != .poweredOn { endEverything() }
        if state.isBelowOff { forgetSystem() }
        let (changes, peripherals) = details.withLock { details in
            (details.changes.become(state), details.objects.compactMap(\.object))
        }
        if state == .poweredOn { for peripheral in peripherals { peripheral.connectIfWanted() } }
        changes?.success(state)
    }

    public func centralManager(_ central: CBCentralManager, willRestoreState dict: [String: Any]) {
        restore(dict[CBCentralManagerRestoredStatePeripheralsKey] as? [CBPeripheral])
    }

    public func centralManager(
        _ central: CBCentralManager,
        didDiscover peripheral: CBPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        discovered(peripheral, advertisementData, strength: RSSI.intValue)
    }

    public func centralManager(_ central: CBCentralManager, didConnect peripheral: CBPeripheral) {
        object(for: peripheral)?.connected()
    }

    public func centralManager(
        _ central: CBCentralManager,
        didFailToConnect peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        object(for: peripheral)?.disconnected(error)
    }

    public func centralManager(
        _ central: CBCentralManager,
        didDisconnectPeripheral peripheral: CBPeripheral,
        error: (any Error)?
    ) {
        object(for: peripheral)?.disconnected(error)
    }
}
