public import CoreBluetooth

/// What CoreBluetooth says.
extension Peripheral: CBPeripheralDelegate {
    public func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        readStrength(RSSI.intValue, error)
    }

    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        discoveredServices(error)
    }

    public func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        modifiedServices(invalidatedServices)
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        self.service(for: service)?.discoveredCharacteristics(error)
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        self.characteristic(for: characteristic)?.changedNotifying(error)
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        self.characteristic(for: characteristic)?.updated(error)
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didWriteValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        self.characteristic(for: characteristic)?.wrote(error)
    }

    public func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) { sendUnsent() }

    // MARK: Writes without response

    /// Sends a value now, or as soon as there is room for it.
    func send(_ value: Data, to characteristic: CBCharacteristic) {
        details.withLock { $0.unsent.append((characteristic, value)) }
        sendUnsent()
    }

    private func sendUnsent() {
        while isConnected, cbPeripheral.canSendWriteWithoutResponse {
            let next: (CBCharacteristic, Data)? = details.withLock { state in
                state.unsent.isEmpty ? nil : state.unsent.removeFirst()
            }
            guard let (characteristic, value) = next else { return }
            cbPeripheral.writeValue(value, for: characteristic, type: .withoutResponse)
        }
    }
}
