public import CoreBluetooth

/// A delegate of a peripheral whose methods are closures.
open class CBMPeripheralDelegateProxy: NSObject, CBMPeripheralDelegate {
    public var didUpdateName: ((any CBMPeripheral) -> Void)?
    public var didModifyServices: ((any CBMPeripheral, [CBMService]) -> Void)?
    public var didReadRSSI: ((any CBMPeripheral, NSNumber, (any Error)?) -> Void)?
    public var didDiscoverServices: ((any CBMPeripheral, (any Error)?) -> Void)?
    public var didDiscoverIncludedServices: ((any CBMPeripheral, CBMService, (any Error)?) -> Void)?
    public var didDiscoverCharacteristics: ((any CBMPeripheral, CBMService, (any Error)?) -> Void)?
    public var didUpdateCharacteristicValue: ((any CBMPeripheral, CBMCharacteristic, (any Error)?) -> Void)?
    public var didWriteCharacteristicValue: ((any CBMPeripheral, CBMCharacteristic, (any Error)?) -> Void)?
    public var didUpdateNotificationState: ((any CBMPeripheral, CBMCharacteristic, (any Error)?) -> Void)?
    public var didDiscoverDescriptors: ((any CBMPeripheral, CBMCharacteristic, (any Error)?) -> Void)?
    public var didUpdateDescriptorValue: ((any CBMPeripheral, CBMDescriptor, (any Error)?) -> Void)?
    public var didWriteDescriptorValue: ((any CBMPeripheral, CBMDescriptor, (any Error)?) -> Void)?
    public var isReadyToSendWriteWithoutResponse: ((any CBMPeripheral) -> Void)?

    open func peripheralDidUpdateName(_ peripheral: any CBMPeripheral) {
        didUpdateName?(peripheral)
    }

    open func peripheral(
        _ peripheral: any CBMPeripheral,
        didModifyServices invalidatedServices: [CBMService]
    ) {
        didModifyServices?(peripheral, invalidatedServices)
    }

    open func peripheral(
        _ peripheral: any CBMPeripheral,
        didReadRSSI RSSI: NSNumber,
        error: (any Error)?
    ) {
        didReadRSSI?(peripheral, RSSI, error)
    }

    open func peripheral(
        _ peripheral: any CBMPeripheral,
        didDiscoverServices error: (any Error)?
    ) {
        didDiscoverServices?(peripheral, error)
    }

    open func peripheral(
        _ peripheral: any CBMPeripheral,
        didDiscoverIncludedServicesFor service: CBMService,
        error: (any Error)?
    ) {
        didDiscoverIncludedServices?(peripheral, service, error)
    }

    open func peripheral(
        _ peripheral: any CBMPeripheral,
        didDiscoverCharacteristicsFor service: CBMService,
        error: (any Error)?
    ) {
        didDiscoverCharacteristics?(peripheral, service, error)
    }

    open func peripheral(
        _ peripheral: any CBMPeripheral,
        didUpdateValueFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) {
        didUpdateCharacteristicValue?(peripheral, characteristic, error)
    }

    open func peripheral(
        _ peripheral: any CBMPeripheral,
        didWriteValueFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) {
        didWriteCharacteristicValue?(peripheral, characteristic, error)
    }

    open func peripheral(
        _ peripheral: any CBMPeripheral,
        didUpdateNotificationStateFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) {
        didUpdateNotificationState?(peripheral, characteristic, error)
    }

    open func peripheral(
        _ peripheral: any CBMPeripheral,
        didDiscoverDescriptorsFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) {
        didDiscoverDescriptors?(peripheral, characteristic, error)
    }

    open func peripheral(
        _ peripheral: any CBMPeripheral,
        didUpdateValueFor descriptor: CBMDescriptor,
        error: (any Error)?
    ) {
        didUpdateDescriptorValue?(peripheral, descriptor, error)
    }

    open func peripheral(
        _ peripheral: any CBMPeripheral,
        didWriteValueFor descriptor: CBMDescriptor,
        error: (any Error)?
    ) {
        didWriteDescriptorValue?(peripheral, descriptor, error)
    }

    open func peripheralIsReady(
        toSendWriteWithoutResponse peripheral: any CBMPeripheral
    ) {
        isReadyToSendWriteWithoutResponse?(peripheral)
    }

    /// The class below has a closure for it.
    open func peripheral(
        _ peripheral: any CBMPeripheral,
        didOpen channel: CBML2CAPChannel?,
        error: (any Error)?
    ) {}
}

/// The same with a closure for L2CAP channels.
open class CBMPeripheralDelegateProxyWithL2CAPChannel: CBMPeripheralDelegateProxy {
    public var didOpenChannel: ((any CBMPeripheral, CBML2CAPChannel?, (any Error)?) -> Void)?

    open override func peripheral(
        _ peripheral: any CBMPeripheral,
        didOpen channel: CBML2CAPChannel?,
        error: (any Error)?
    ) {
        didOpenChannel?(peripheral, channel, error)
    }
}
