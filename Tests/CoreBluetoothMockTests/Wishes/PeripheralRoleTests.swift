import BluethroatTesting
import CoreBluetooth
import CoreBluetoothMock
import Testing

/// An app that is a peripheral: it counts, and says so to whoever subscribes.
final class CounterApp: NSObject, CBMPeripheralManagerDelegate {
    static let service = CBMUUID(string: "8B00")
    static let countID = CBMUUID(string: "8B01")

    private(set) var manager: CBMPeripheralManager!
    let count = CBMMutableCharacteristic(
        type: CounterApp.countID,
        properties: [.read, .write, .notify],
        value: nil,
        permissions: [.readable, .writeable]
    )
    var states: [CBMManagerState] = []
    var number: UInt8 = 1
    var subscribers = 0
    var psm: CBML2CAPPSM = 0
    var channel: CBML2CAPChannel?

    init(queue: DispatchQueue? = nil) {
        super.init()
        manager = CBMPeripheralManagerFactory.instance(delegate: self, queue: queue, forceMock: true)
    }

    func peripheralManagerDidUpdateState(_ peripheral: CBMPeripheralManager) {
        CBMManagerState(rawValue: peripheral.state.rawValue).map { states.append($0) }
        guard peripheral.state == .poweredOn else { return }
        let service = CBMMutableService(type: CounterApp.service, primary: true)
        service.characteristics = [count]
        peripheral.add(service)
        peripheral.publishL2CAPChannel(withEncryption: false)
        peripheral.startAdvertising([
            CBMAdvertisementDataLocalNameKey: "Counter", CBMAdvertisementDataServiceUUIDsKey: [CounterApp.service],
        ])
    }

    func peripheralManager(_ peripheral: CBMPeripheralManager, didReceiveRead request: CBMATTRequest) {
        request.value = Data([number])
        peripheral.respond(to: request, withResult: .success)
    }

    func peripheralManager(_ peripheral: CBMPeripheralManager, didReceiveWrite requests: [CBMATTRequest]) {
        guard let new = requests.first?.value?.first, new < 100 else {
            return peripheral.respond(to: requests[0], withResult: .unlikelyError)
        }
        number = new
        peripheral.respond(to: requests[0], withResult: .success)
    }

    func peripheralManager(
        _ peripheral: CBMPeripheralManager,
        central: CBMCentral,
        didSubscribeTo characteristic: CBCharacteristic
    ) {
        subscribers += 1
    }

    func peripheralManager(
        _ peripheral: CBMPeripheralManager,
        central: CBMCentral,
        didUnsubscribeFrom characteristic: CBCharacteristic
    ) {
        subscribers -= 1
    }

    func peripheralManager(
        _ peripheral: CBMPeripheralManager,
        didPublishL2CAPChannel PSM: CBML2CAPPSM,
        error: (any Error)?
    ) {
        psm = PSM
    }

    func peripheralManager(_ peripheral: CBMPeripheralManager, didOpen channel: CBML2CAPChannel?, error: (any Error)?) {
        self.channel = channel
    }
}

@Suite("An app as a peripheral", .air)
struct PeripheralRoleTests {
    let air = Air.current
    private let central = CBMCentralSpec()

    private func connectedApp() throws -> CounterApp {
        CBMPeripheralManagerFactory.simulateCentrals([central])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        let app = CounterApp()
        central.simulateConnection()
        try air.run(until: central.isConnected)
        return app
    }

    @Test("A central near by hears what the app advertises")
    func advertisement() throws {
        CBMPeripheralManagerFactory.simulateCentrals([central])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        let app = CounterApp()
        central.simulateScan(forServices: [CounterApp.service])
        try air.run(until: !central.advertisements.isEmpty)
        let data = try #require(central.advertisements.first)
        #expect(data[CBMAdvertisementDataServiceUUIDsKey] as? [CBMUUID] == [CounterApp.service])
        #expect(app.states == [.poweredOn])
    }

    @Test("A central finds what the app has published, reads, writes, and is sent updates")
    func values() throws {
        let app = try connectedApp()
        #expect(central.services[CounterApp.service] == [CounterApp.countID])
        central.simulateRead(of: CounterApp.countID)
        central.simulateWrite(Data([42]), to: CounterApp.countID)
        central.simulateRead(of: CounterApp.countID)
        try air.run(until: central.values(of: CounterApp.countID).count == 2)
        #expect(central.values(of: CounterApp.countID) == [Data([1]), Data([42])] && central.writeCount == 1)
        central.simulateSubscription(to: CounterApp.countID)
        try air.run(until: app.subscribers == 1)
        #expect(app.manager.updateValue(Data([43]), for: app.count, onSubscribedCentrals: nil))
        try air.run(until: central.values(of: CounterApp.countID).last == Data([43]))
        central.simulateSubscription(to: CounterApp.countID, isOn: false)
        try air.run(until: app.subscribers == 0)
    }

    @Test("What the app refuses, and what is not there, are errors of the central")
    func errors() throws {
        let app = try connectedApp()
        central.simulateWrite(Data([200]), to: CounterApp.countID)
        try air.run(until: central.errors.count == 1)
        #expect((central.errors[0] as? CBMATTError)?.code == .unlikelyError && app.number == 1)
        central.simulateRead(of: CBMUUID(string: "8B02"))
        try air.run(until: central.errors.count == 2)
        #expect((central.errors[1] as? CBMATTError)?.code == .attributeNotFound)
    }

    @Test("What was asked before the connection is done when it is there; a central that goes is heard to go")
    func connection() throws {
        CBMPeripheralManagerFactory.simulateCentrals([central])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        let app = CounterApp()
        central.simulateSubscription(to: CounterApp.countID)
        central.simulateConnection()
        try air.run(until: app.subscribers == 1)
        central.simulateDisconnection()
        try air.run(until: app.subscribers == 0 && !central.isConnected)
        // Another time.
        central.simulateConnection()
        try air.run(until: central.isConnected)
    }

    @Test("A central opens an L2CAP channel of the app")
    func channel() throws {
        let app = try connectedApp()
        try air.run(until: app.psm != 0)
        central.simulateL2CAPChannel(psm: app.psm)
        try air.run(until: app.channel != nil && central.l2capChannels.count == 1)
        let input = try #require(app.channel?.inputStream)
        input.open()
        let output = try #require(central.l2capChannels.first?.outputStream)
        try air.run(until: output.hasSpaceAvailable)
        #expect(output.write([5], maxLength: 1) == 1)
        try air.run(until: input.hasBytesAvailable)
    }

    @Test("Bluetooth that is switched off ends what the app had published")
    func power() throws {
        let app = try connectedApp()
        CBMCentralManagerMock.simulatePowerOff()
        try air.run(until: app.states.last == .poweredOff && !central.isConnected)
    }

    @Test("Centrals that are simulated no more are gone, and so is the app's advertisement with the simulation")
    func leaving() throws {
        let app = try connectedApp()
        central.simulateSubscription(to: CounterApp.countID)
        try air.run(until: app.subscribers == 1)
        CBMPeripheralManagerFactory.simulateCentrals([])
        // Without a word: the supervision timeout tells.
        try air.run(until: app.subscribers == 0)
        #expect(!central.isConnected)
        CBMCentralManagerMock.tearDownSimulation()
        #expect(app.manager.delegate == nil)
    }
}

@Suite("Connection events", .air)
struct ConnectionEventTests {
    @Test("An app hears when another app connects to a peripheral with the service, and when that ends")
    func events() throws {
        let air = Air.current
        let thermometer = Thermometer()
        CBMCentralManagerMock.simulatePeripherals([thermometer.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        let app = ThermometerApp(connects: false)
        try air.run(until: app.manager.state == .poweredOn)
        thermometer.spec.simulateConnection()
        try air.run(until: app.events == [.peerConnected])
        #expect(app.peripheral?.identifier == thermometer.spec.identifier)
        thermometer.spec.simulateDisconnection()
        try air.run(until: app.events == [.peerConnected, .peerDisconnected])
    }
}
