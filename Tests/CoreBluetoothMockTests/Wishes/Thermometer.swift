import BluethroatTesting
import CoreBluetoothMock

/// A thermometer with everything that the original's specifications cannot have: descriptors with values, a value for bonded
/// phones only, an L2CAP channel.
final class Thermometer: CBMPeripheralSpecDelegate {
    static let service = CBMUUID(string: "1809")
    static let temperatureID = CBMUUID(string: "2A1C")
    static let ownerID = CBMUUID(string: "8A00")
    static let psm: CBML2CAPPSM = 0x80

    let name = CBMUserDescriptionDescriptorMock("inside", isWritable: true)
    let broadcasts = CBMServerCharacteristicConfigurationDescriptorMock()
    let format = CBMPresentationFormatDescriptorMock(format: 0x0E, exponent: -1, unit: 0x272F)
    let custom = CBMDescriptorMock(type: CBMUUID(string: "8A01"), value: Data([1, 2]), isWritable: true)
    let fixed = CBMDescriptorMock(type: CBMUUID(string: "8A02"), value: Data([9]))
    let temperature: CBMCharacteristicMock
    let owner: CBMCharacteristicMock
    private(set) var spec: CBMPeripheralSpec!
    var channels: [CBML2CAPChannelMock] = []
    var closedCount = 0
    var asked = 0

    init(pairing: CBMPairing = .justWorks, security: CBMSecurity = .none, channelSecurity: CBMSecurity = .none) {
        temperature = CBMCharacteristicMock(
            type: Thermometer.temperatureID,
            properties: [.read, .notify, .broadcast],
            descriptors: CBMExtendedPropertiesDescriptorMock(writableAuxiliaries: true),
            name,
            broadcasts,
            format,
            custom,
            fixed,
            CBMClientCharacteristicConfigurationDescriptorMock()
        )
        owner = CBMCharacteristicMock(
            type: Thermometer.ownerID,
            properties: [.read, .write, .notify],
            security: security
        )
        let service = CBMServiceMock(type: Thermometer.service, primary: true, characteristics: temperature, owner)
        spec = CBMPeripheralSpec.simulatePeripheral(proximity: .near)
            .advertising(
                advertisementData: [
                    CBMAdvertisementDataServiceUUIDsKey: [Thermometer.service],
                    CBMAdvertisementDataIsConnectable: true as NSNumber,
                ]
            )
            .connectable(name: "Thermometer", services: [service], delegate: self)
            .pairing(pairing)
            .l2capChannel(psm: Thermometer.psm, security: channelSecurity)
            .build()
    }

    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveReadRequestFor characteristic: CBMCharacteristicMock
    ) -> Result<Data, any Error> { .success(Data([21])) }

    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveWriteRequestFor characteristic: CBMCharacteristicMock,
        data: Data
    ) -> Result<Void, any Error> { .success(()) }

    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveReadRequestFor descriptor: CBMDescriptorMock
    ) -> Result<Data, any Error> {
        asked += 1
        return .success(Data())
    }

    func peripheral(_ peripheral: CBMPeripheralSpec, didOpen channel: CBML2CAPChannelMock) { channels.append(channel) }

    func peripheral(_ peripheral: CBMPeripheralSpec, didClose channel: CBML2CAPChannelMock) { closedCount += 1 }
}

/// An app that connects to the thermometer, finds everything, and keeps what it hears.
final class ThermometerApp: CBMCentralManagerDelegate, CBMPeripheralDelegate {
    let manager = CBMCentralManagerFactory.instance(forceMock: true)
    var peripheral: (any CBMPeripheral)?
    var characteristics: [CBMUUID: CBMCharacteristic] = [:]
    var descriptors: [CBMUUID: CBMDescriptor] = [:]
    var values: [Data?] = []
    var readCount = 0
    var writeCount = 0
    var errors: [any Error] = []
    var ends: [(any Error)?] = []
    var channel: CBML2CAPChannel?
    var events: [CBMConnectionEvent] = []
    var notifying = 0
    let connects: Bool

    init(connects: Bool = true) {
        self.connects = connects
        manager.delegate = self
    }

    var isReady: Bool { descriptors.count >= 7 && peripheral?.state == .connected }

    func owner() throws -> CBMCharacteristic {
        guard let owner = characteristics[Thermometer.ownerID] else { throw CBMError(.unknown) }
        return owner
    }

    func centralManagerDidUpdateState(_ central: CBMCentralManager) {
        guard central.state == .poweredOn else { return }
        if connects {
            central.scanForPeripherals(withServices: [Thermometer.service])
        } else {
            central.registerForConnectionEvents(options: [.serviceUUIDs: [Thermometer.service]])
        }
    }

    func centralManager(
        _ central: CBMCentralManager,
        didDiscover peripheral: any CBMPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        self.peripheral = peripheral
        peripheral.delegate = self
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBMCentralManager, didConnect peripheral: any CBMPeripheral) {
        peripheral.discoverServices(nil)
    }

    func centralManager(
        _ central: CBMCentralManager,
        didDisconnectPeripheral peripheral: any CBMPeripheral,
        error: (any Error)?
    ) {
        characteristics = [:]
        descriptors = [:]
        ends.append(error)
    }

    func centralManager(
        _ central: CBMCentralManager,
        connectionEventDidOccur event: CBMConnectionEvent,
        for peripheral: any CBMPeripheral
    ) {
        self.peripheral = peripheral
        events.append(event)
    }

    func peripheral(_ peripheral: any CBMPeripheral, didDiscoverServices error: (any Error)?) {
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(
        _ peripheral: any CBMPeripheral,
        didDiscoverCharacteristicsFor service: CBMService,
        error: (any Error)?
    ) {
        for characteristic in service.characteristics ?? [] {
            characteristics[characteristic.uuid] = characteristic
            if characteristic.uuid == Thermometer.temperatureID { peripheral.discoverDescriptors(for: characteristic) }
        }
    }

    func peripheral(
        _ peripheral: any CBMPeripheral,
        didDiscoverDescriptorsFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) {
        for descriptor in characteristic.descriptors ?? [] { descriptors[descriptor.uuid] = descriptor }
    }

    func peripheral(
        _ peripheral: any CBMPeripheral,
        didUpdateValueFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) {
        if let error { errors.append(error) } else { values.append(characteristic.value) }
    }

    func peripheral(
        _ peripheral: any CBMPeripheral,
        didUpdateNotificationStateFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) {
        if let error { errors.append(error) } else { notifying += 1 }
    }

    func peripheral(_ peripheral: any CBMPeripheral, didUpdateValueFor descriptor: CBMDescriptor, error: (any Error)?) {
        if let error { errors.append(error) } else { readCount += 1 }
    }

    func peripheral(_ peripheral: any CBMPeripheral, didWriteValueFor descriptor: CBMDescriptor, error: (any Error)?) {
        if let error { errors.append(error) } else { writeCount += 1 }
    }

    func peripheral(
        _ peripheral: any CBMPeripheral,
        didWriteValueFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) {
        if let error { errors.append(error) } else { writeCount += 1 }
    }

    func peripheral(_ peripheral: any CBMPeripheral, didOpen channel: CBML2CAPChannel?, error: (any Error)?) {
        self.channel = channel
        if let error { errors.append(error) }
    }
}

extension Air {
    /// An app that is connected to this thermometer, the only device around, and has found everything.
    func readyApp(_ thermometer: Thermometer) throws -> ThermometerApp {
        CBMCentralManagerMock.simulatePeripherals([thermometer.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        let app = ThermometerApp()
        try run(until: app.isReady)
        return app
    }
}
