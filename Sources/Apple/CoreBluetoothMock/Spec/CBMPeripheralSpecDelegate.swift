public import CoreBluetooth

/// How a simulated peripheral answers. Every method can be left out.
///
/// They are called where the device is: in virtual time on the thread of the test, in real time on that of the air, one after
/// the other.
public protocol CBMPeripheralSpecDelegate {
    /// The device was reset: what it keeps in memory is as at the beginning.
    func reset()

    /// A central has connected, and no other was before. With a failure the device ends the connection at once, and the app hears
    /// that it could not be made, with this error.
    func peripheralDidReceiveConnectionRequest(_ peripheral: CBMPeripheralSpec) -> Result<Void, any Error>

    /// The last connection has ended; the error is nil if the central wanted it.
    func peripheral(_ peripheral: CBMPeripheralSpec, didDisconnect error: (any Error)?)

    /// An app looks for services. With a failure it hears that, and nothing is sent.
    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveServiceDiscoveryRequest serviceUUIDs: [CBMUUID]?
    ) -> Result<Void, any Error>

    /// An app looks for included services. With a failure it hears that, and nothing is sent.
    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveIncludedServiceDiscoveryRequest serviceUUIDs: [CBMUUID]?,
        for service: CBMServiceMock
    ) -> Result<Void, any Error>

    /// An app looks for characteristics. With a failure it hears that, and nothing is sent.
    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveCharacteristicsDiscoveryRequest characteristicUUIDs: [CBMUUID]?,
        for service: CBMServiceMock
    ) -> Result<Void, any Error>

    /// An app looks for descriptors. With a failure it hears that, and nothing is sent.
    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveDescriptorsDiscoveryRequestFor characteristic: CBMCharacteristicMock
    ) -> Result<Void, any Error>

    /// A central reads a value. A `CBMATTError` is sent as it is, any other error as "unlikely error"; the app gets the one that
    /// is answered here.
    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveReadRequestFor characteristic: CBMCharacteristicMock
    ) -> Result<Data, any Error>

    /// A central reads a descriptor, other than a client configuration.
    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveReadRequestFor descriptor: CBMDescriptorMock
    ) -> Result<Data, any Error>

    /// A central writes a value and waits for the answer. Prepared writes come as the one value that they make.
    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveWriteRequestFor characteristic: CBMCharacteristicMock,
        data: Data
    ) -> Result<Void, any Error>

    /// A central has written a value without a response.
    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveWriteCommandFor characteristic: CBMCharacteristicMock,
        data: Data
    )

    /// A central writes a descriptor, other than a client configuration.
    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveWriteRequestFor descriptor: CBMDescriptorMock,
        data: Data
    ) -> Result<Void, any Error>

    /// An app wants to be sent a value, or no longer. With a failure it hears that, and nothing is sent.
    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveSetNotifyRequest enabled: Bool,
        for characteristic: CBMCharacteristicMock
    ) -> Result<Void, any Error>

    /// A central has subscribed or unsubscribed, or could not. Values can be sent from here on.
    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didUpdateNotificationStateFor characteristic: CBMCharacteristicMock,
        error: (any Error)?
    )

    // MARK: What the original has not

    /// An app has opened an L2CAP channel to the peripheral. Nothing has come on it yet.
    func peripheral(_ peripheral: CBMPeripheralSpec, didOpen channel: CBML2CAPChannelMock)

    /// A channel is closed: by either side, or with the connection.
    func peripheral(_ peripheral: CBMPeripheralSpec, didClose channel: CBML2CAPChannelMock)
}

extension CBMPeripheralSpecDelegate {
    public func reset() {}

    public func peripheralDidReceiveConnectionRequest(
        _ peripheral: CBMPeripheralSpec
    ) -> Result<Void, any Error> { .success(()) }

    public func peripheral(_ peripheral: CBMPeripheralSpec, didDisconnect error: (any Error)?) {}

    public func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveServiceDiscoveryRequest serviceUUIDs: [CBMUUID]?
    ) -> Result<Void, any Error> { .success(()) }

    public func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveIncludedServiceDiscoveryRequest serviceUUIDs: [CBMUUID]?,
        for service: CBMServiceMock
    ) -> Result<Void, any Error> { .success(()) }

    public func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveCharacteristicsDiscoveryRequest characteristicUUIDs: [CBMUUID]?,
        for service: CBMServiceMock
    ) -> Result<Void, any Error> { .success(()) }

    public func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveDescriptorsDiscoveryRequestFor characteristic: CBMCharacteristicMock
    ) -> Result<Void, any Error> { .success(()) }

    public func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveReadRequestFor characteristic: CBMCharacteristicMock
    ) -> Result<Data, any Error> { .failure(CBMATTError(.readNotPermitted)) }

    public func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveReadRequestFor descriptor: CBMDescriptorMock
    ) -> Result<Data, any Error> { .failure(CBMATTError(.readNotPermitted)) }

    public func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveWriteRequestFor characteristic: CBMCharacteristicMock,
        data: Data
    ) -> Result<Void, any Error> { .failure(CBMATTError(.writeNotPermitted)) }

    public func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveWriteCommandFor characteristic: CBMCharacteristicMock,
        data: Data
    ) {}

    public func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveWriteRequestFor descriptor: CBMDescriptorMock,
        data: Data
    ) -> Result<Void, any Error> { .failure(CBMATTError(.writeNotPermitted)) }

    public func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveSetNotifyRequest enabled: Bool,
        for characteristic: CBMCharacteristicMock
    ) -> Result<Void, any Error> {
        characteristic.canBeSubscribedTo ? .success(()) : .failure(CBMError(.invalidHandle))
    }

    public func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didUpdateNotificationStateFor characteristic: CBMCharacteristicMock,
        error: (any Error)?
    ) {}

    public func peripheral(_ peripheral: CBMPeripheralSpec, didOpen channel: CBML2CAPChannelMock) {}

    public func peripheral(_ peripheral: CBMPeripheralSpec, didClose channel: CBML2CAPChannelMock) {}
}

extension CBMCharacteristic {
    var canBeSubscribedTo: Bool {
        !properties.isDisjoint(with: [.notify, .indicate, .notifyEncryptionRequired, .indicateEncryptionRequired])
    }
}
