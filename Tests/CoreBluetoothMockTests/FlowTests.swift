import BluethroatTesting
import CoreBluetoothMock
import Foundation
import Testing

/// The main flow of an app, in virtual time.
@Suite("An app on a simulated phone", .air)
struct FlowTests {
    let air = Air.current
    let blinky = Blinky()

    init() {
        CBMCentralManagerMock.simulatePeripherals([blinky.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
    }

    @Test("The state is unknown until the delegate's first call, which says that Bluetooth is on")
    func state() throws {
        let app = BlinkyApp()
        #expect(app.manager.state == .unknown)
        try air.run(until: !app.states.isEmpty)
        #expect(app.states == [.poweredOn] && app.manager.isScanning)
    }

    @Test("A scan finds what is advertised, under the identifier of the specification")
    func scan() throws {
        let app = BlinkyApp()
        app.isConnecting = false
        #expect(!blinky.spec.isKnown)
        try air.run(until: !app.heard.isEmpty)
        let (name, _, data) = app.heard[0]
        #expect(name == "nRF Blinky" && app.peripheral?.identifier == blinky.identifier)
        #expect(data[CBMAdvertisementDataLocalNameKey] as? String == "nRF Blinky")
        #expect(data[CBMAdvertisementDataServiceUUIDsKey] as? [CBMUUID] == [Blinky.service])
        #expect((data[CBMAdvertisementDataIsConnectable] as? NSNumber)?.boolValue == true)
        air.run(for: .seconds(2))
        // Once for each scan that does not ask for more.
        #expect(app.heard.count == 1 && blinky.spec.isKnown)
    }

    @Test("Connected, an app finds the services of the specification, and no others")
    func discovery() throws {
        let app = try air.readyApp()
        #expect(app.connectionCount == 1 && blinky.spec.isConnected)
        #expect(app.peripheral?.services?.map(\.uuid) == [Blinky.service])
        let service = try #require(app.peripheral?.services?.first)
        #expect(service.isPrimary && service.peripheral === app.peripheral)
        #expect(service.characteristics?.map(\.uuid) == [Blinky.buttonID, Blinky.ledID])
        #expect(service.characteristics?.first?.service === service)
        #expect(blinky.delegate.asked == ["connection", "services"])
        // The device says what it is called.
        try air.run(until: app.peripheral?.name == "nRF Lamp")
    }

    @Test("Services are all that is found where all are asked for, too")
    func allServices() throws {
        let app = try air.readyApp()
        app.peripheral?.discoverServices(nil)
        try air.run(until: blinky.delegate.asked.filter { $0 == "services" }.count == 2)
        air.run(for: .seconds(1))
        #expect(app.peripheral?.services?.map(\.uuid) == [Blinky.service])
    }

    @Test("Reads and writes come to the delegate, and its answers to the app")
    func readsAndWrites() throws {
        let app = try air.readyApp()
        let led = try #require(app.led), peripheral = try #require(app.peripheral)
        peripheral.readValue(for: led)
        try air.run(until: app.values == [Data([0])])
        peripheral.writeValue(Data([1]), for: led, type: .withResponse)
        peripheral.readValue(for: led)
        try air.run(until: app.values == [Data([0]), Data([1])])
        #expect(app.writeCount == 1 && blinky.delegate.isOn && led.value == Data([1]))
    }

    @Test("Writes without response come as commands, and the app hears when more can be sent")
    func commands() throws {
        let app = try air.readyApp()
        let led = try #require(app.led), peripheral = try #require(app.peripheral)
        #expect(peripheral.canSendWriteWithoutResponse)
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 20)
        for number in 0..<3 { peripheral.writeValue(Data([UInt8(number)]), for: led, type: .withoutResponse) }
        try air.run(until: blinky.delegate.commands.count == 3 && app.readyCount > 0)
        #expect(blinky.delegate.commands == [Data([0]), Data([1]), Data([2])])
    }

    @Test("Descriptors of the specification are found, and read from the delegate")
    func descriptors() throws {
        let app = try air.readyApp()
        let led = try #require(app.led)
        app.peripheral?.discoverDescriptors(for: led)
        try air.run(until: !app.descriptorValues.isEmpty)
        #expect(led.descriptors?.map(\.uuid.uuidString) == ["2901"])
        #expect(app.descriptorValues.first as? Data == Data("a lamp".utf8))
    }

    @Test("A value update is a notification for those who have subscribed, and nothing for others")
    func notifications() throws {
        let app = try air.readyApp()
        let button = try #require(app.button)
        blinky.spec.simulateValueUpdate(Data([9]), for: blinky.button)
        air.run(for: .seconds(1))
        #expect(app.values.isEmpty)
        app.peripheral?.setNotifyValue(true, for: button)
        try air.run(until: app.notifying == [true])
        #expect(blinky.button.isNotifying && blinky.delegate.asked.last == "notifying true")
        blinky.spec.simulateValueUpdate(Data([1]), for: blinky.button)
        blinky.spec.simulateValueUpdate(Data([0]), for: blinky.button)
        try air.run(until: app.values == [Data([1]), Data([0])])
        // One of another device has no effect.
        blinky.spec.simulateValueUpdate(Data([5]), for: Blinky().button)
        app.peripheral?.setNotifyValue(false, for: button)
        try air.run(until: app.notifying == [true, false])
        blinky.spec.simulateValueUpdate(Data([1]), for: blinky.button)
        air.run(for: .seconds(1))
        #expect(app.values.count == 2 && !blinky.button.isNotifying)
    }

    @Test("An app that cancels gets no error, and the device's delegate none")
    func cancel() throws {
        let app = try air.readyApp()
        app.manager.cancelPeripheralConnection(try #require(app.peripheral))
        try air.run(until: app.ends.count == 1)
        #expect(app.ends[0] == nil && app.peripheral?.services == nil && app.peripheral?.state == .disconnected)
        try air.run(until: blinky.delegate.asked.last == "disconnected -1")
        #expect(!blinky.spec.isConnected)
    }

    @Test("Bluetooth that is switched off is off for the app, and what it had is over")
    func power() throws {
        let app = try air.readyApp()
        CBMCentralManagerMock.simulatePowerOff()
        try air.run(until: app.states == [.poweredOn, .poweredOff])
        #expect(app.peripheral?.state == .disconnected && !app.manager.isScanning)
        CBMCentralManagerMock.simulatePowerOn()
        try air.run(until: app.connectionCount == 2, within: .seconds(20))
        #expect(app.states == [.poweredOn, .poweredOff, .poweredOn])
    }
}
