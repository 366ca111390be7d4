import BluethroatTesting
import CoreBluetoothMock

/// A button and an LED, as a specification of the original's users: a delegate that answers, and what it was asked.
final class BlinkyDelegate: CBMPeripheralSpecDelegate {
    var isOn = false
    var asked: [String] = []
    var refusesConnections = false
    /// What happens while the device is asked whether it takes a connection.
    var onConnection: (() -> Void)?
    var discoveryError: (any Error)?
    var readError: (any Error)?
    var writeError: (any Error)?
    var notifyError: (any Error)?
    var commands: [Data] = []
    /// What happens while the device is asked to write.
    var onWrite: (() -> Void)?

    func reset() {
        asked.append("reset")
        isOn = false
    }

    func peripheralDidReceiveConnectionRequest(_ peripheral: CBMPeripheralSpec) -> Result<Void, any Error> {
        asked.append("connection")
        onConnection?()
        return refusesConnections ? .failure(CBMError(.encryptionTimedOut)) : .success(())
    }

    func peripheral(_ peripheral: CBMPeripheralSpec, didDisconnect error: (any Error)?) {
        asked.append("disconnected \((error as? CBMError)?.code.rawValue ?? -1)")
    }

    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveServiceDiscoveryRequest serviceUUIDs: [CBMUUID]?
    ) -> Result<Void, any Error> {
        asked.append("services")
        return discoveryError.map { .failure($0) } ?? .success(())
    }

    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveReadRequestFor characteristic: CBMCharacteristicMock
    ) -> Result<Data, any Error> {
        asked.append("read \(characteristic.uuid.uuidString)")
        return readError.map { .failure($0) } ?? .success(Data([isOn ? 1 : 0]))
    }

    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveReadRequestFor descriptor: CBMDescriptorMock
    ) -> Result<Data, any Error> {
        asked.append("read \(descriptor.uuid.uuidString)")
        return .success(Data("a lamp".utf8))
    }

    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveWriteRequestFor characteristic: CBMCharacteristicMock,
        data: Data
    ) -> Result<Void, any Error> {
        asked.append("write \(characteristic.uuid.uuidString)")
        onWrite?()
        if let writeError { return .failure(writeError) }
        isOn = data == Data([1])
        return .success(())
    }

    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveWriteCommandFor characteristic: CBMCharacteristicMock,
        data: Data
    ) {
        commands.append(data)
    }

    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didReceiveSetNotifyRequest enabled: Bool,
        for characteristic: CBMCharacteristicMock
    ) -> Result<Void, any Error> {
        notifyError.map { .failure($0) } ?? .success(())
    }

    func peripheral(
        _ peripheral: CBMPeripheralSpec,
        didUpdateNotificationStateFor characteristic: CBMCharacteristicMock,
        error: (any Error)?
    ) {
        asked.append("notifying \(characteristic.isNotifying)")
    }
}

/// The device, with objects of its own for each test.
struct Blinky {
    static let service = CBMUUID(string: "00001523-1212-EFDE-1523-785FEABCD123")
    static let buttonID = CBMUUID(string: "00001524-1212-EFDE-1523-785FEABCD123")
    static let ledID = CBMUUID(string: "00001525-1212-EFDE-1523-785FEABCD123")

    let delegate = BlinkyDelegate()
    let button = CBMCharacteristicMock(
        type: Blinky.buttonID,
        properties: [.notify, .read],
        descriptors: CBMClientCharacteristicConfigurationDescriptorMock()
    )
    let led = CBMCharacteristicMock(
        type: Blinky.ledID,
        properties: [.read, .write, .writeWithoutResponse],
        descriptors: CBMDescriptorMock(type: CBMUUID(string: "2901"))
    )
    let lamp: CBMServiceMock
    let spec: CBMPeripheralSpec
    let identifier: UUID

    init(
        identifier: UUID = UUID(),
        proximity: CBMProximity = .immediate,
        isKnown: Bool = false,
        isConnected: Bool = false,
        mtu: Int = 23,
        connectionInterval: TimeInterval = 0.045,
        supervisionTimeout: TimeInterval = 4
    ) {
        self.identifier = identifier
        lamp = CBMServiceMock(type: Blinky.service, primary: true, characteristics: button, led)
        var builder = CBMPeripheralSpec.simulatePeripheral(identifier: identifier, proximity: proximity)
            .advertising(
                advertisementData: [
                    CBMAdvertisementDataLocalNameKey: "nRF Blinky",
                    CBMAdvertisementDataServiceUUIDsKey: [Blinky.service],
                    CBMAdvertisementDataIsConnectable: true as NSNumber,
                ],
                withInterval: 0.250
            )
        builder =
            isConnected
            ? builder.connected(name: "nRF Lamp", services: [lamp], delegate: delegate, mtu: mtu)
            : builder.connectable(
                name: "nRF Lamp",
                services: [lamp],
                delegate: delegate,
                connectionInterval: connectionInterval,
                supervisionTimeout: supervisionTimeout,
                mtu: mtu
            )
        spec = (isKnown ? builder.allowForRetrieval() : builder).build()
    }
}

/// An app that finds a blinky, connects to it and finds what is on it; and all that it has heard.
final class BlinkyApp: CBMCentralManagerDelegate, CBMPeripheralDelegate {
    let manager: CBMCentralManager
    var isConnecting = true
    var states: [CBMManagerState] = []
    var heard: [(name: String?, strength: Int, data: [String: Any])] = []
    var peripheral: (any CBMPeripheral)?
    var connectionCount = 0
    var failures: [(any Error)?] = []
    var ends: [(any Error)?] = []
    var button: CBMCharacteristic?
    var led: CBMCharacteristic?
    var values: [Data?] = []
    var descriptorValues: [Any?] = []
    var errors: [any Error] = []
    var writeCount = 0
    var readyCount = 0
    var notifying: [Bool] = []
    var strengths: [Int] = []
    var names: [String?] = []
    var invalidated: [[CBMUUID]] = []
    var onWritten: (() -> Void)?

    init() {
        manager = CBMCentralManagerFactory.instance(forceMock: true)
        manager.delegate = self
    }

    var isReady: Bool { led != nil && peripheral?.state == .connected }

    func centralManagerDidUpdateState(_ central: CBMCentralManager) {
        states.append(central.state)
        if central.state == .poweredOn { central.scanForPeripherals(withServices: [Blinky.service]) }
    }

    func centralManager(
        _ central: CBMCentralManager,
        didDiscover peripheral: any CBMPeripheral,
        advertisementData: [String: Any],
        rssi RSSI: NSNumber
    ) {
        heard.append((peripheral.name, RSSI.intValue, advertisementData))
        self.peripheral = peripheral
        peripheral.delegate = self
        guard isConnecting else { return }
        central.stopScan()
        central.connect(peripheral)
    }

    func centralManager(_ central: CBMCentralManager, didConnect peripheral: any CBMPeripheral) {
        connectionCount += 1
        peripheral.discoverServices([Blinky.service])
    }

    func centralManager(
        _ central: CBMCentralManager,
        didFailToConnect peripheral: any CBMPeripheral,
        error: (any Error)?
    ) {
        failures.append(error)
    }

    func centralManager(
        _ central: CBMCentralManager,
        didDisconnectPeripheral peripheral: any CBMPeripheral,
        error: (any Error)?
    ) {
        led = nil
        button = nil
        ends.append(error)
    }

    func peripheralDidUpdateName(_ peripheral: any CBMPeripheral) { names.append(peripheral.name) }

    func peripheral(_ peripheral: any CBMPeripheral, didModifyServices invalidatedServices: [CBMService]) {
        invalidated.append(invalidatedServices.map(\.uuid))
    }

    func peripheral(_ peripheral: any CBMPeripheral, didReadRSSI RSSI: NSNumber, error: (any Error)?) {
        strengths.append(RSSI.intValue)
    }

    func peripheral(_ peripheral: any CBMPeripheral, didDiscoverServices error: (any Error)?) {
        if let error { errors.append(error) }
        for service in peripheral.services ?? [] { peripheral.discoverCharacteristics(nil, for: service) }
    }

    func peripheral(
        _ peripheral: any CBMPeripheral,
        didDiscoverCharacteristicsFor service: CBMService,
        error: (any Error)?
    ) {
        for characteristic in service.characteristics ?? [] {
            if characteristic.uuid == Blinky.buttonID { button = characteristic }
            if characteristic.uuid == Blinky.ledID { led = characteristic }
        }
    }

    func peripheral(
        _ peripheral: any CBMPeripheral,
        didDiscoverDescriptorsFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) {
        for descriptor in characteristic.descriptors ?? [] { peripheral.readValue(for: descriptor) }
    }

    func peripheral(
        _ peripheral: any CBMPeripheral,
        didUpdateNotificationStateFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) {
        if let error { errors.append(error) }
        notifying.append(characteristic.isNotifying)
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
        didUpdateValueFor descriptor: CBMDescriptor,
        error: (any Error)?
    ) {
        if let error { errors.append(error) } else { descriptorValues.append(descriptor.value) }
    }

    func peripheral(
        _ peripheral: any CBMPeripheral,
        didWriteValueFor characteristic: CBMCharacteristic,
        error: (any Error)?
    ) {
        if let error { errors.append(error) } else { writeCount += 1 }
        onWritten?()
    }

    func peripheralIsReady(toSendWriteWithoutResponse peripheral: any CBMPeripheral) { readyCount += 1 }
}

extension Air {
    /// These are simulated, and Bluetooth is so when the first manager is made.
    func simulate(_ blinkies: Blinky..., state: CBMManagerState = .poweredOn) {
        CBMCentralManagerMock.simulatePeripherals(blinkies.map(\.spec))
        CBMCentralManagerMock.simulateInitialState(state)
    }

    /// An app that has found the LED.
    func readyApp() throws -> BlinkyApp {
        let app = BlinkyApp()
        try run(until: app.isReady)
        return app
    }

    /// An app that has found the LED of a device that has asked for its own interval and timeout since.
    func settledApp() throws -> BlinkyApp {
        let app = try readyApp()
        run(for: .seconds(2))
        return app
    }
}

/// Which error of CoreBluetooth an app was given, if it is one.
func code(_ error: (any Error)?) -> CBMError.Code? { (error as? CBMError)?.code }
