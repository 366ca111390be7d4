import BluethroatTesting
import CoreBluetoothMock
import Foundation
import Testing

/// What is simulated counts at once, as in the original; packets follow.
@Suite("What holds as soon as it is simulated", .air)
struct AtOnceTests {
    let air = Air.current
    let blinky = Blinky()

    init() {
        CBMCentralManagerMock.simulatePeripherals([blinky.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
    }

    private func waitingApp() throws -> BlinkyApp {
        let app = BlinkyApp()
        app.isConnecting = false
        try air.run(until: app.heard.count == 1)
        return app
    }

    @Test("A manager says at once that Bluetooth is off, and takes no commands; what it had is over")
    func powerOff() throws {
        let app = BlinkyApp()
        try air.run(until: app.isReady)
        CBMCentralManagerMock.simulatePowerOff()
        #expect(app.manager.state == .poweredOff && !app.manager.isScanning)
        #expect(app.peripheral?.state == .disconnected && !blinky.spec.isConnected)
        #expect(app.manager.retrievePeripherals(withIdentifiers: [blinky.identifier]).isEmpty)
        app.manager.scanForPeripherals(withServices: nil)
        #expect(!app.manager.isScanning && app.states == [.poweredOn])
        try air.run(until: app.states == [.poweredOn, .poweredOff])
        #expect(Air.current.misuse.count == 1 && Air.current.misuse[0].contains("in the powered on state"))
    }

    @Test("What is asked of a manager that is off, without a connection, or of another manager's peripheral is misuse")
    func misuse() throws {
        let app = try waitingApp(), other = try waitingApp()
        let peripheral = try #require(app.peripheral)
        let sentences = ["in the connected state", "does not know", "does not know", "in the powered on state"]
        peripheral.discoverServices(nil)
        other.manager.connect(peripheral)
        other.manager.cancelPeripheralConnection(peripheral)
        CBMCentralManagerMock.simulatePowerOff()
        app.manager.scanForPeripherals(withServices: nil)
        air.run(for: .seconds(1))
        let misuse = air.misuse
        #expect(misuse.count == sentences.count && zip(misuse, sentences).allSatisfy { $0.contains($1) }, "\(misuse)")
        #expect(app.connectionCount + other.connectionCount == 0)
    }

    @Test("A manager says at once that Bluetooth is on, and what is asked of it is done when the phone is")
    func powerOn() throws {
        let app = try waitingApp()
        CBMCentralManagerMock.simulatePowerOff()
        try air.run(until: app.states.last == .poweredOff)
        CBMCentralManagerMock.simulatePowerOn()
        #expect(app.manager.state == .poweredOn)
        let peripheral = try #require(app.manager.retrievePeripherals(withIdentifiers: [blinky.identifier]).first)
        app.manager.connect(peripheral)
        app.manager.scanForPeripherals(withServices: [CBMUUID(string: "180F")])
        #expect(app.manager.isScanning)
        try air.run(until: app.connectionCount == 1)
        #expect(Air.current.misuse.isEmpty)
    }

    @Test("Off and on again at once: the app hears of both, and the state is on each time")
    func offAndOn() throws {
        let app = try waitingApp()
        CBMCentralManagerMock.simulatePowerOff()
        CBMCentralManagerMock.simulatePowerOn()
        #expect(app.manager.state == .poweredOn)
        air.run(for: .seconds(2))
        #expect(app.manager.state == .poweredOn && app.manager.isScanning)
    }

    @Test("Another app's connection counts at once, is retrieved, and hides the device from scans")
    func otherConnection() throws {
        let app = BlinkyApp()
        app.isConnecting = false
        blinky.spec.simulateConnection()
        #expect(blinky.spec.isConnected)
        try air.run(until: app.states == [.poweredOn])
        let found = app.manager.retrieveConnectedPeripherals(withServices: [Blinky.service])
        #expect(found.map(\.identifier) == [blinky.identifier] && found.first?.name != "")
        air.run(for: .seconds(3))
        #expect(app.heard.isEmpty && blinky.delegate.asked.contains("connection"))
        blinky.spec.simulateDisconnection()
        #expect(!blinky.spec.isConnected)
        #expect(app.manager.retrieveConnectedPeripherals(withServices: [Blinky.service]).isEmpty)
        air.run(for: .seconds(1))
        #expect(!blinky.spec.isConnected)
        // A new scan finds it.
        app.manager.scanForPeripherals(withServices: [Blinky.service])
        try air.run(until: app.heard.count == 1)
    }

    @Test("A connection that was simulated and ended at once is not made")
    func noConnection() throws {
        _ = try waitingApp()
        blinky.spec.simulateConnection()
        blinky.spec.simulateDisconnection()
        #expect(!blinky.spec.isConnected)
        air.run(for: .seconds(3))
        #expect(!blinky.spec.isConnected)
    }

    @Test("A device is not connected from when it disconnects, is reset or is out of range")
    func ends() throws {
        let app = BlinkyApp()
        try air.run(until: app.isReady)
        let spec = blinky.spec
        let simulations: [() -> Void] = [
            { spec.simulateDisconnection() }, { spec.simulateReset() }, { spec.simulateProximityChange(.outOfRange) },
        ]
        for (number, end) in simulations.enumerated() {
            #expect(spec.isConnected)
            end()
            #expect(!spec.isConnected)
            try air.run(until: app.ends.count == number + 1)
            spec.simulateProximityChange(.near)
            app.manager.connect(try #require(app.peripheral))
            try air.run(until: app.isReady && spec.isConnected)
        }
    }

    @Test("One that is connected from the beginning is so before there is a simulation of it")
    func connectedFromTheBeginning() {
        #expect(Blinky(isConnected: true).spec.isConnected && !blinky.spec.isConnected)
    }

    @Test("isScanning and state can be observed")
    func observation() throws {
        let app = BlinkyApp()
        let manager = try #require(app.manager as? CBMCentralManagerMock)
        let scans = Seen<Bool>(), states = Seen<CBMPeripheralState>()
        let scanning = manager.observe(\.isScanning, options: .new) { _, change in
            change.newValue.map { scans.values.append($0) }
        }
        try air.run(until: app.peripheral != nil)
        let peripheral = try #require(app.peripheral as? CBMPeripheralMock)
        let state = peripheral.observe(\.state, options: .new) { _, change in
            change.newValue.map { states.values.append($0) }
        }
        try air.run(until: app.isReady)
        CBMCentralManagerMock.simulatePowerOff()
        #expect(states.values.last == .disconnected && states.values.contains(.connected) && scans.values.first == true)
        withExtendedLifetime((scanning, state)) {}
    }
}

/// Properties of all classes of the module that CoreBluetooth's own observers can look at.
@Suite("What can be observed")
struct ObservationTests {
    private final class OwnManager: CBMCentralManager, @unchecked Sendable {}

    @Test("A manager without Bluetooth, and one that an app has made from it, never scan, and say so")
    func managersWithoutBluetooth() {
        for manager in [CBMCentralManager(true), OwnManager(true)] {
            let scans = Seen<Bool>()
            let observation = manager.observe(\.isScanning, options: [.initial, .new]) { _, change in
                change.newValue.map { scans.values.append($0) }
            }
            manager.scanForPeripherals(withServices: nil)
            #expect(scans.values == [false])
            observation.invalidate()
        }
    }

    @Test("The state of a preview is observed as it is connected and let go", .air)
    func previews() {
        let preview = CBMPeripheralPreview(Blinky().spec)
        let manager = CBMCentralManagerFactory.instance(forceMock: true)
        let states = Seen<CBMPeripheralState>()
        let observation = preview.observe(\.state, options: .new) { _, change in
            change.newValue.map { states.values.append($0) }
        }
        manager.connect(preview)
        manager.cancelPeripheralConnection(preview)
        #expect(states.values == [.connected, .disconnected])
        observation.invalidate()
    }
}

/// What an observer has seen; on one thread.
final class Seen<Value>: @unchecked Sendable {
    var values: [Value] = []
}
