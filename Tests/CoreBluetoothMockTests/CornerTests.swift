import BluethroatTesting
import CoreBluetooth
import Foundation
import Testing

@testable import CoreBluetoothMock

/// Calls at moments at which tests of the original make them, and which its documentation does not speak of.
@Suite("Calls at unusual moments", .air)
struct CornerTests {
    let air = Air.current
    let blinky = Blinky()

    init() {
        CBMCentralManagerMock.simulatePeripherals([blinky.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
    }

    // MARK: The state

    @Test("An initial state that comes when there is a manager is another state: off ends all, and on begins anew")
    func initialStateLater() throws {
        let app = try air.settledApp()
        CBMCentralManagerMock.simulateInitialState(.poweredOff)
        #expect(app.manager.state == .poweredOff && app.peripheral?.state == .disconnected)
        #expect(!blinky.spec.isConnected)
        try air.run(until: app.states == [.poweredOn, .poweredOff])
        air.run(for: .seconds(10))
        #expect(app.connectionCount == 1)
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        try air.run(until: app.states == [.poweredOn, .poweredOff, .poweredOn])
        // The app scans as it did at the beginning.
        try air.run(until: app.connectionCount == 2)
    }

    // MARK: The peripherals

    @Test("Peripherals that are simulated again, without an end between, stay as they are, connections and all")
    func samePeripherals() throws {
        let app = try air.settledApp()
        for _ in 0..<3 { CBMCentralManagerMock.simulatePeripherals([blinky.spec]) }
        CBMCentralManagerMock.simulatePeripherals([blinky.spec, blinky.spec])
        air.run(for: .seconds(10))
        #expect(app.ends.isEmpty && app.isReady && blinky.spec.isConnected)
    }

    @Test("What is no longer simulated is silent: a connection to it times out, and it is found anew when it is back")
    func otherPeripherals() throws {
        let app = try air.settledApp()
        let other = Blinky()
        CBMCentralManagerMock.simulatePeripherals([other.spec])
        #expect(!blinky.spec.isConnected)
        try air.run(until: app.ends.count == 1)
        #expect(code(app.ends[0]) == .connectionTimeout)
        CBMCentralManagerMock.simulatePeripherals([blinky.spec])
        // The same identifier is the peripheral that is there now, which can be connected to.
        let again = app.manager.retrievePeripherals(withIdentifiers: [blinky.identifier])
        try #require(again.map(\.identifier) == [blinky.identifier])
        app.peripheral = again[0]
        app.peripheral?.delegate = app
        app.manager.connect(again[0])
        try air.run(until: app.isReady)
        #expect(app.connectionCount == 2 && blinky.spec.isConnected && !other.spec.isConnected)
        app.manager.scanForPeripherals(withServices: [Blinky.service])
        app.manager.cancelPeripheralConnection(again[0])
        let count = app.heard.count
        try air.run(until: app.heard.count > count)
    }

    @Test("One that another app was to connect to is not connected when it is simulated again")
    func awaitedConnection() {
        let app = BlinkyApp()
        app.isConnecting = false
        air.run(for: .seconds(1))
        blinky.spec.simulateConnection()
        #expect(blinky.spec.isConnected)
        CBMCentralManagerMock.simulatePeripherals([])
        #expect(!blinky.spec.isConnected)
        CBMCentralManagerMock.simulatePeripherals([blinky.spec])
        air.run(for: .seconds(5))
        #expect(!blinky.spec.isConnected)
    }

    @Test("Two specifications with one identifier are two devices: both are heard, and the first is retrieved")
    func sameIdentifier() throws {
        let twin = Blinky(identifier: blinky.identifier)
        CBMCentralManagerMock.simulatePeripherals([blinky.spec, twin.spec])
        let app = BlinkyApp()
        app.isConnecting = false
        try air.run(until: app.heard.count == 2)
        let found = app.manager.retrievePeripherals(withIdentifiers: [blinky.identifier])
        #expect(found.map(\.identifier) == [blinky.identifier])
        app.manager.connect(try #require(found.first))
        try air.run(until: blinky.spec.isConnected)
        #expect(!twin.spec.isConnected)
    }

    @Test("A characteristic that a service has twice is found twice, and sends from the first place")
    func sameCharacteristicTwice() throws {
        let button = CBMCharacteristicMock(
            type: Blinky.buttonID,
            properties: [.notify, .read],
            descriptors: CBMClientCharacteristicConfigurationDescriptorMock()
        )
        let service = CBMServiceMock(type: Blinky.service, primary: true, characteristics: button, button)
        let spec = CBMPeripheralSpec.simulatePeripheral()
            .advertising(
                advertisementData: [
                    CBMAdvertisementDataServiceUUIDsKey: [Blinky.service],
                    CBMAdvertisementDataIsConnectable: true as NSNumber,
                ]
            )
            .connectable(name: "Twice", services: [service], delegate: BlinkyDelegate())
            .build()
        CBMCentralManagerMock.simulatePeripherals([spec])
        let app = BlinkyApp()
        try air.run(until: app.button != nil)
        let both = try #require(app.peripheral?.services?.first?.characteristics)
        #expect(both.map(\.uuid) == [Blinky.buttonID, Blinky.buttonID] && both[0] !== both[1])
        for each in both { app.peripheral?.setNotifyValue(true, for: each) }
        try air.run(until: app.notifying == [true, true])
        spec.simulateValueUpdate(Data([7]), for: button)
        try air.run(until: !app.values.isEmpty)
        air.run(for: .seconds(1))
        #expect(app.values == [Data([7])] && both[0].value == Data([7]) && both[1].value == nil)
    }

    // MARK: Signals

    @Test("The strength that is read at once after a change of place is that of the new place")
    func strengthAtOnce() throws {
        CBMCentralManagerMock.simulateRSSIDeviation(.none)
        let app = try air.settledApp()
        for (place, strength) in [(CBMProximity.far, -100), (.near, -70), (.immediate, -40)] {
            blinky.spec.simulateProximityChange(place)
            app.peripheral?.readRSSI()
            let count = app.strengths.count
            try air.run(until: app.strengths.count > count)
            #expect(app.strengths.last == strength)
        }
    }

    @Test("The numbers of the places are the documented ones; 127 is no strength, as in CoreBluetooth")
    func numbers() {
        let places: [CBMProximity] = [.immediate, .near, .far, .outOfRange]
        #expect(places.map(\.RSSI) == [-40, -70, -100, 127])
    }

    // MARK: Connections

    @Test("Who cancels before the device has answered hears of the end that was wished, and of no connection")
    func cancelBeforeAnswer() throws {
        let app = BlinkyApp()
        blinky.delegate.onConnection = {
            guard let peripheral = app.peripheral else { return }
            app.manager.cancelPeripheralConnection(peripheral)
        }
        try air.run(until: !app.ends.isEmpty || !app.failures.isEmpty)
        #expect(app.connectionCount == 0 && app.failures.isEmpty && app.ends.count == 1 && app.ends[0] == nil)
    }

    @Test("A connection is made while a scan goes on, and the scan finds what else there is")
    func connectionDuringScan() throws {
        let other = Blinky()
        CBMCentralManagerMock.simulatePeripherals([blinky.spec, other.spec])
        let app = BlinkyApp()
        app.isConnecting = false
        try air.run(until: app.heard.count == 1)
        let first = try #require(app.peripheral)
        app.manager.connect(first)
        try air.run(until: app.connectionCount == 1 && app.heard.count == 2)
        #expect(app.manager.isScanning && first.state == .connected)
        #expect(app.peripheral?.identifier != first.identifier)
        app.manager.connect(try #require(app.peripheral))
        try air.run(until: app.connectionCount == 2)
        #expect(blinky.spec.isConnected && other.spec.isConnected && app.manager.isScanning)
    }

    @Test("A reset in the middle of a discovery ends it: the app hears of the end, and nothing else")
    func resetDuringDiscovery() throws {
        let app = BlinkyApp()
        try air.run(until: app.connectionCount == 1)
        // The services are asked for, and the answer is on its way.
        #expect(app.led == nil)
        blinky.spec.simulateReset()
        try air.run(until: app.ends.count == 1)
        #expect(code(app.ends[0]) == .connectionTimeout && app.led == nil && app.errors.isEmpty)
        app.manager.connect(try #require(app.peripheral))
        try air.run(until: app.isReady)
        app.peripheral?.readValue(for: try #require(app.led))
        try air.run(until: app.values == [Data([0])])
    }

    @Test("What was found of a service that is gone is no longer asked for, which is misuse; what replaces it is found")
    func servicesGone() throws {
        let app = try air.settledApp()
        let led = try #require(app.led)
        let level = CBMCharacteristicMock(type: CBMUUID(string: "2A19"), properties: .read)
        let battery = CBMServiceMock(type: CBMUUID(string: "180F"), primary: true, characteristics: level)
        blinky.spec.simulateServiceChange(newName: "nRF Lamp", newServices: [battery])
        try air.run(until: app.invalidated.count == 1)
        app.peripheral?.readValue(for: led)
        air.run(for: .seconds(2))
        #expect(app.values.isEmpty && app.errors.isEmpty && air.misuse.count == 1)
        app.peripheral?.discoverServices([CBMUUID(string: "180F")])
        try air.run(until: app.peripheral?.services?.first?.characteristics?.count == 1)
        let found = try #require(app.peripheral?.services?.first)
        #expect([battery].find(mockOf: found) === battery && [blinky.lamp].find(mockOf: found) == nil)
    }

    @Test("Two managers share a connection: it ends for one that cancels, and for the device when nobody has it")
    func twoManagers() throws {
        let first = try air.settledApp()
        let second = BlinkyApp()
        second.isConnecting = false
        try air.run(until: second.states == [.poweredOn])
        let shared = try #require(
            second.manager.retrieveConnectedPeripherals(withServices: [Blinky.service]).first
        )
        #expect(shared.identifier == blinky.identifier && shared.state == .disconnected)
        second.peripheral = shared
        shared.delegate = second
        second.manager.connect(shared)
        try air.run(until: second.isReady)
        first.manager.cancelPeripheralConnection(try #require(first.peripheral))
        try air.run(until: first.ends.count == 1)
        air.run(for: .seconds(5))
        #expect(blinky.spec.isConnected && second.ends.isEmpty && first.peripheral?.state == .disconnected)
        first.manager.connect(try #require(first.peripheral))
        try air.run(until: first.isReady)
        blinky.spec.simulateDisconnection()
        try air.run(until: first.ends.count == 2 && second.ends.count == 1)
        #expect(!blinky.spec.isConnected)
    }

    @Test("A manager that is released lets go of its connections, and the device is found by another")
    func releasedManager() throws {
        weak var manager: CBMCentralManager?
        do {
            let app = try air.settledApp()
            manager = app.manager
            app.peripheral?.delegate = nil
        }
        #expect(manager == nil)
        try air.run(until: !blinky.spec.isConnected)
        try air.run(until: blinky.delegate.asked.last?.hasPrefix("disconnected") == true)
        let next = try air.settledApp()
        #expect(next.connectionCount == 1)
    }

    @Test("A reset of a specification that is not simulated is one of its delegate, and of nothing else")
    func resetBeforeSimulation() throws {
        let app = try air.settledApp()
        let other = Blinky()
        other.delegate.isOn = true
        other.spec.simulateReset()
        #expect(other.delegate.asked == ["reset"] && !other.delegate.isOn)
        air.run(for: .seconds(6))
        #expect(app.ends.isEmpty && !blinky.delegate.asked.contains("reset"))
    }

    @Test("The main queue is known as such, and not waited for by those who serve it")
    func mainQueue() {
        #expect(DispatchQueue.main.isMain && !DispatchQueue(label: "app", target: .main).isMain)
        let app = BlinkyApp()
        #expect((app.manager as? CBMCentralManagerMock)?.queue.isMain == true)
    }

    // MARK: What tests reach by @testable

    @Test("What stands for an attribute in a specification is found by the one that the app has")
    func specified() throws {
        let app = try air.settledApp()
        app.peripheral?.discoverDescriptors(for: try #require(app.led))
        try air.run(until: app.descriptorValues.count == 1)
        let service = try #require(app.peripheral?.services?.first)
        let led = try #require(app.led), descriptor = try #require(led.descriptors?.first)
        let services = try #require(blinky.spec.services)
        #expect(services.find(mockOf: service) === blinky.lamp)
        #expect(services.find(mockOf: led) === blinky.led)
        #expect(services.find(mockOf: descriptor) === blinky.led.descriptors?.first)
        #expect(services.find(mockOf: blinky.lamp) === blinky.lamp)
        #expect([CBMServiceMock]().find(mockOf: service) == nil && [CBMServiceMock]().find(mockOf: led) == nil)
        #expect(led.optionalService === service && descriptor.optionalCharacteristic === led)
    }

    @Test("A value that a test puts into what the app has found is there until the peripheral's next one")
    func replacedValues() throws {
        let app = try air.settledApp()
        let led = try #require(app.led), button = try #require(app.button), peripheral = try #require(app.peripheral)
        led.value = Data([9])
        #expect(led.value == Data([9]))
        peripheral.readValue(for: led)
        try air.run(until: app.values == [Data([0])])
        #expect(led.value == Data([0]))
        led.value = nil
        #expect(led.value == nil)
        button.isNotifying = true
        #expect(button.isNotifying && app.notifying.isEmpty)
        for isOn in [true, false] { peripheral.setNotifyValue(isOn, for: button) }
        try air.run(until: app.notifying == [true, false])
        #expect(!button.isNotifying)
        peripheral.discoverDescriptors(for: led)
        try air.run(until: app.descriptorValues.count == 1)
        let text = try #require(led.descriptors?.first)
        text.value = "a bell"
        #expect(text.value as? String == "a bell")
        peripheral.readValue(for: text)
        try air.run(until: app.descriptorValues.count == 2)
        #expect(text.value as? Data == Data("a lamp".utf8))
    }

    @Test(
        "A second scan for other services, without an end of the first, reports what was reported; the same again does not"
    )
    func secondScan() throws {
        air.simulate(Blinky())
        let app = BlinkyApp()
        app.isConnecting = false
        try air.run(until: app.heard.count == 1)
        air.run(for: .seconds(2))
        for _ in 0..<2 {
            app.manager.scanForPeripherals(withServices: nil)
            air.run(for: .seconds(2))
            #expect(app.heard.count == 2)
        }
    }

    @Test("Who cancels an attempt is disconnecting until the phone has given it up")
    func cancelledAttempt() throws {
        air.simulate(Blinky())
        let app = BlinkyApp()
        app.isConnecting = false
        try air.run(until: app.heard.count == 1)
        let peripheral = try #require(app.peripheral)
        app.manager.connect(peripheral)
        app.manager.cancelPeripheralConnection(peripheral)
        #expect(peripheral.state == .disconnecting)
        try air.run(until: peripheral.state == .disconnected)
    }

    @Test("A connection is there when the device has answered, however long its connection interval")
    func connectedWhenAnswered() throws {
        air.simulate(Blinky(connectionInterval: 1))
        let app = BlinkyApp()
        try air.run(until: app.peripheral?.state == .connecting)
        let start = air.now
        try air.run(until: app.connectionCount == 1)
        #expect(air.now - start < .seconds(1))
    }

    @Test("What has no notifications is not subscribed to, whatever the delegate would answer")
    func subscriptionWithoutNotifications() throws {
        air.simulate(Blinky())
        let app = try air.settledApp()
        app.peripheral?.setNotifyValue(true, for: try #require(app.led))
        try air.run(until: app.notifying == [false])
        #expect((app.errors.first as? CBMATTError)?.code == .requestNotSupported)
    }
}
