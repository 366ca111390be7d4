import CoreBluetoothMock

// What the app's tests simulate, as global constants.

extension CBMCharacteristicMock {
    static let lamp = CBMCharacteristicMock(type: .lamp, properties: [.read, .write])
    static let toggle = CBMCharacteristicMock(
        type: .toggle,
        properties: [.notify, .read],
        descriptors: CBMClientCharacteristicConfigurationDescriptorMock()
    )
}

extension CBMServiceMock {
    static let lampService = CBMServiceMock(type: .lampService, primary: true, characteristics: .lamp, .toggle)
}

private class LampDelegate: CBMPeripheralSpecDelegate {
    private var isOn = false

    func reset() { isOn = false }

    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveReadRequestFor characteristic: CBMCharacteristicMock
    ) -> Result<Data, Error> {
        return .success(Data([isOn ? 1 : 0]))
    }

    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveWriteRequestFor characteristic: CBMCharacteristicMock,
        data: Data
    ) -> Result<Void, Error> {
        isOn = data == Data([1])
        // Whoever turns it on sees the switch move.
        if isOn { peripheral.simulateValueUpdate(data, for: .toggle) }
        return .success(())
    }
}

let lamp =
    CBMPeripheralSpec
    .simulatePeripheral(proximity: .near)
    .advertising(
        advertisementData: [
            CBMAdvertisementDataLocalNameKey: "Lamp",
            CBMAdvertisementDataServiceUUIDsKey: [CBUUID.lampService],
            CBMAdvertisementDataIsConnectable: true as NSNumber,
            CBMAdvertisementDataServiceDataKey: [CBUUID(string: "FEAA"): Data(base64Encoded: "AQI=")],
        ],
        withInterval: 0.250,
        alsoWhenConnected: false
    )
    .connectable(
        name: "Lamp",
        services: [.lampService],
        delegate: LampDelegate(),
        connectionInterval: 0.150,
        mtu: 23
    )
    .build()
