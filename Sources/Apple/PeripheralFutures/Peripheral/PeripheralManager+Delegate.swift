public import CoreBluetooth

// What CoreBluetooth says.
extension PeripheralManager: CBPeripheralManagerDelegate {
    /// The system may call before the initialiser of its manager has returned.
    private func isMine(_ manager: CBPeripheralManager) -> Bool {
        details.withLock { state in
            if state.manager == nil { state.manager = manager }
            return state.manager === manager
        }
    }

    public func peripheralManagerDidUpdateState(_ peripheral: CBPeripheralManager) {
        guard isMine(peripheral) else { return }
        let new = ManagerState(peripheral.state)
        let (changes, services) = details.withLock { state in
            (state.changes.become(new), state.services)
        }
        // There is no event that centrals are gone.
        if new != .poweredOn { for service in services { service.forgetCentrals() } }
        if new.isBelowOff {
            forgetSystem()
            failAdditions(PeripheralManagerNotPoweredOn(state: new))
        }
        if new == .poweredOn {
            for published in takeWithdrawn() { peripheral.remove(published) }
            // What was updated before, as services were restored, has waited.
            for service in services { for characteristic in service.characteristics { characteristic.readyToUpdate() } }
        }
        changes?.success(new)
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, willRestoreState dict: [String: Any]) {
        if isMine(peripheral) { restore(dict) }
    }

    public func peripheralManagerDidStartAdvertising(_ peripheral: CBPeripheralManager, error: (any Error)?) {
        if isMine(peripheral) { advertisingStarted(error) }
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didAdd service: CBService, error: (any Error)?) {
        if isMine(peripheral) { added(service, error) }
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) {
        if isMine(peripheral) { self.characteristic(of: characteristic)?.subscribed(central) }
    }

    public func peripheralManager(
        _ peripheral: CBPeripheralManager,
        central: CBCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        if isMine(peripheral) { self.characteristic(of: characteristic)?.unsubscribed(central) }
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveRead request: CBATTRequest) {
        if isMine(peripheral) { received(read: request) }
    }

    public func peripheralManager(_ peripheral: CBPeripheralManager, didReceiveWrite requests: [CBATTRequest]) {
        if isMine(peripheral) { received(writes: requests) }
    }

    public func peripheralManagerIsReady(toUpdateSubscribers peripheral: CBPeripheralManager) {
        guard isMine(peripheral) else { return }
        for characteristic in characteristics { characteristic.readyToUpdate() }
    }
}
