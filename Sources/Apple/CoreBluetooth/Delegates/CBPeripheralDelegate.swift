/// Hears what becomes of what was asked of a peripheral. Every method can be left out.
public protocol CBPeripheralDelegate: NSObjectProtocol {
    /// The name of the peripheral has changed.
    func peripheralDidUpdateName(_ peripheral: CBPeripheral)

    /// Services are gone or have changed; discover them again.
    func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService])

    /// The signal strength, as macOS reported it before iOS 8 had the method below. Never called here.
    func peripheralDidUpdateRSSI(_ peripheral: CBPeripheral, error: (any Error)?)

    /// The signal strength of the connection, in dBm.
    func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?)

    /// Services were discovered; they are in `services`.
    func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?)

    /// Included services were discovered; they are in `includedServices`.
    func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverIncludedServicesFor service: CBService,
        error: (any Error)?
    )

    /// Characteristics were discovered; they are in `characteristics`.
    func peripheral(_ peripheral: CBPeripheral, didDiscoverCharacteristicsFor service: CBService, error: (any Error)?)

    /// A value was read, or was sent by the peripheral; it is in `value`.
    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    )

    /// A write with response was answered.
    func peripheral(
        _ peripheral: CBPeripheral,
        didWriteValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    )

    /// Notifications or indications were turned on or off, or could not be.
    func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    )

    /// Descriptors were discovered; they are in `descriptors`.
    func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    )

    /// A descriptor was read; its value is in `value`.
    func peripheral(_ peripheral: CBPeripheral, didUpdateValueFor descriptor: CBDescriptor, error: (any Error)?)

    /// A write to a descriptor was answered.
    func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?)

    /// There is room again for writes without response.
    func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral)

    /// An L2CAP channel is open, or could not be opened.
    func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?)

    /// A channel sounding procedure has a result.
    func peripheral(
        _ peripheral: CBPeripheral,
        didReceive results: CBChannelSoundingProcedureResults?,
        error: (any Error)?
    )

    /// A channel sounding session has ended.
    func peripheral(_ peripheral: CBPeripheral, didCompleteChannelSoundingSession error: (any Error)?)
}

extension CBPeripheralDelegate {
    public func peripheralDidUpdateName(_ peripheral: CBPeripheral) {
        peripheral.optionalCall.isLeftOut()
    }

    public func peripheral(_ peripheral: CBPeripheral, didModifyServices invalidatedServices: [CBService]) {
        peripheral.optionalCall.isLeftOut()
    }

    public func peripheralDidUpdateRSSI(_ peripheral: CBPeripheral, error: (any Error)?) {
        peripheral.optionalCall.isLeftOut()
    }

    public func peripheral(_ peripheral: CBPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        peripheral.optionalCall.isLeftOut()
    }

    public func peripheral(_ peripheral: CBPeripheral, didDiscoverServices error: (any Error)?) {
        peripheral.optionalCall.isLeftOut()
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverIncludedServicesFor service: CBService,
        error: (any Error)?
    ) {
        peripheral.optionalCall.isLeftOut()
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverCharacteristicsFor service: CBService,
        error: (any Error)?
    ) {
        peripheral.optionalCall.isLeftOut()
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        peripheral.optionalCall.isLeftOut()
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didWriteValueFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        peripheral.optionalCall.isLeftOut()
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateNotificationStateFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        peripheral.optionalCall.isLeftOut()
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didDiscoverDescriptorsFor characteristic: CBCharacteristic,
        error: (any Error)?
    ) {
        peripheral.optionalCall.isLeftOut()
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didUpdateValueFor descriptor: CBDescriptor,
        error: (any Error)?
    ) {
        peripheral.optionalCall.isLeftOut()
    }

    public func peripheral(_ peripheral: CBPeripheral, didWriteValueFor descriptor: CBDescriptor, error: (any Error)?) {
        peripheral.optionalCall.isLeftOut()
    }

    public func peripheralIsReady(toSendWriteWithoutResponse peripheral: CBPeripheral) {
        peripheral.optionalCall.isLeftOut()
    }

    public func peripheral(_ peripheral: CBPeripheral, didOpen channel: CBL2CAPChannel?, error: (any Error)?) {
        peripheral.optionalCall.isLeftOut()
    }

    public func peripheral(
        _ peripheral: CBPeripheral,
        didReceive results: CBChannelSoundingProcedureResults?,
        error: (any Error)?
    ) {
        peripheral.optionalCall.isLeftOut()
    }

    public func peripheral(_ peripheral: CBPeripheral, didCompleteChannelSoundingSession error: (any Error)?) {
        peripheral.optionalCall.isLeftOut()
    }
}
