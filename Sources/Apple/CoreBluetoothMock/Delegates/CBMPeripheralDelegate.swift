public import CoreBluetooth

/// Hears what becomes of what was asked of a peripheral. Every method can be left out.
public protocol CBMPeripheralDelegate: AnyObject {
    /// The name of the peripheral has changed.
    func peripheralDidUpdateName(_ peripheral: any CBMPeripheral)

    /// Services are gone or have changed; discover them again.
    func peripheral(_ peripheral: any CBMPeripheral, didModifyServices invalidatedServices: [CBMService])

    /// The signal strength of the connection, in dBm.
    func peripheral(_ peripheral: any CBMPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?)

    /// Services were discovered; they are in `services`.
    func peripheral(_ peripheral: any CBMPeripheral, didDiscoverServices error: (any Error)?)

    /// Included services were discovered; they are in `includedServices`.
    func peripheral(
        _ peripheral: any CBMPeripheral,
        didDiscoverIncludedServicesFor service: CBMService,
        error: (any Error)?
    )

    /// Characteristics were discovered; they are in `characteristics`.
    func peripheral(
        _ peripheral: any CBMPeripheral,
        didDiscoverCharacteristicsFor service: CBMService,
        error: (any Error)?
    )

    /// Descriptors were discovered; they are in `descriptors`.
    func peripheral(
        _ peripheral: any CBMPeripheral,
        didDiscoverDescriptorsFor characteristic: CBMCharacteristic,
        error: (any Error)?
    )

    /// Notifications or indications were turned on or off, or could not be.
    func peripheral(
        _ peripheral: any CBMPeripheral,
        didUpdateNotificationStateFor characteristic: CBMCharacteristic,
        error: (any Error)?
    )

    /// A value was read, or was sent by the peripheral; it is in `value`.
    func peripheral(
        _ peripheral: any CBMPeripheral,
        didUpdateValueFor characteristic: CBMCharacteristic,
        error: (any Error)?
    )

    /// A descriptor was read; its value is in `value`.
    func peripheral(_ peripheral: any CBMPeripheral, didUpdateValueFor descriptor: CBMDescriptor, error: (any Error)?)

    /// A write with response was answered.
    func peripheral(
        _ peripheral: any CBMPeripheral,
        didWriteValueFor characteristic: CBMCharacteristic,
        error: (any Error)?
    )

    /// A write to a descriptor was answered.
    func peripheral(_ peripheral: any CBMPeripheral, didWriteValueFor descriptor: CBMDescriptor, error: (any Error)?)

    /// There is room again for writes without response.
    func peripheralIsReady(toSendWriteWithoutResponse peripheral: any CBMPeripheral)

    /// An L2CAP channel is open, or could not be opened.
    func peripheral(_ peripheral: any CBMPeripheral, didOpen channel: CBML2CAPChannel?, error: (any Error)?)
}

extension CBMPeripheralDelegate {
    public func peripheralDidUpdateName(_ peripheral: any CBMPeripheral) {}

    public func peripheral(_ peripheral: any CBMPeripheral, didModifyServices invalidatedServices: [CBMService]) {}

    public func peripheral(_ peripheral: any CBMPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {}

    public func peripheral(_ peripheral: any CBMPeripheral, didDiscoverServices error: (any Error)?) {}

    public func peripheral(
        _ peripheral: any CBMPeripheral,
        didDiscoverIncludedServicesFor service: CBMService,
        error: (any Error)?
    ) {}

    public func peripheral(
        _ peripheral: any CBMPeripheral,
        didDiscoverCharacteristicsFor service: CBMService,
        error: (any Error)?
    ) {}

    public func peripheral(
        _ peripheral: any CBMPeripheral,
        didDiscoverDescriptorsFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) {}

    public func peripheral(
        _ peripheral: any CBMPeripheral,
        didUpdateNotificationStateFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) {}

    public func peripheral(
        _ peripheral: any CBMPeripheral,
        didUpdateValueFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) {}

    public func peripheral(
        _ peripheral: any CBMPeripheral,
        didUpdateValueFor descriptor: CBMDescriptor,
        error: (any Error)?
    ) {}

    public func peripheral(
        _ peripheral: any CBMPeripheral,
        didWriteValueFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) {}

    public func peripheral(
        _ peripheral: any CBMPeripheral,
        didWriteValueFor descriptor: CBMDescriptor,
        error: (any Error)?
    ) {}

    public func peripheralIsReady(toSendWriteWithoutResponse peripheral: any CBMPeripheral) {}

    public func peripheral(_ peripheral: any CBMPeripheral, didOpen channel: CBML2CAPChannel?, error: (any Error)?) {}
}
