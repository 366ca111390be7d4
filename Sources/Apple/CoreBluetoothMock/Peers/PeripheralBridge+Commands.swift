import CoreBluetooth

/// What an app asks, with its own objects for attributes. Those of a specification, or of nobody, are found on no peripheral:
/// such a command has no effect.
extension PeripheralBridge {
    func discoverIncludedServices(_ uuids: [CBMUUID]?, for service: CBMService) {
        guard let service = service.found as? CBService else { return }
        peripheral.discoverIncludedServices(uuids, for: service)
    }

    func discoverCharacteristics(_ uuids: [CBMUUID]?, for service: CBMService) {
        guard let service = service.found as? CBService else { return }
        peripheral.discoverCharacteristics(uuids, for: service)
    }

    func discoverDescriptors(for characteristic: CBMCharacteristic) {
        guard let characteristic = characteristic.found as? CBCharacteristic else { return }
        peripheral.discoverDescriptors(for: characteristic)
    }

    func readValue(for characteristic: CBMCharacteristic) {
        guard let characteristic = characteristic.found as? CBCharacteristic else { return }
        peripheral.readValue(for: characteristic)
    }

    func readValue(for descriptor: CBMDescriptor) {
        guard let descriptor = descriptor.found as? CBDescriptor else { return }
        peripheral.readValue(for: descriptor)
    }

    func writeValue(_ data: Data, for characteristic: CBMCharacteristic, type: CBMCharacteristicWriteType) {
        guard let characteristic = characteristic.found as? CBCharacteristic else { return }
        peripheral.writeValue(data, for: characteristic, type: type)
    }

    /// Client configurations are left to `setNotifyValue`: `refuse` is called for one, with what the app is to hear. On Apple's
    /// systems writing one stops the process.
    func writeValue(_ data: Data, for descriptor: CBMDescriptor, orRefuse refuse: (any Error) -> Void) {
        guard !descriptor.isClientConfiguration else {
            MockLog.warn(
                "a client configuration is written with setNotifyValue; on Apple's systems writeValue stops the app"
            )
            return refuse(CBMATTError(.writeNotPermitted))
        }
        guard let descriptor = descriptor.found as? CBDescriptor else { return }
        peripheral.writeValue(data, for: descriptor)
    }

    func setNotifyValue(_ enabled: Bool, for characteristic: CBMCharacteristic) {
        guard let found = characteristic as? FoundCharacteristic else { return }
        found.notificationStateIsOrdered()
        peripheral.setNotifyValue(enabled, for: found.characteristic)
    }
}
