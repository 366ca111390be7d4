import BluethroatTesting
import CoreBluetooth
import CoreBluetoothMock
import Foundation
import Testing

/// Which simulation a call concerns, and what a manager finds in it.
@Suite("A simulation", .air)
struct SimulationTests {
    let air = Air.current

    @Test("Each air has a simulation of its own, with its own state of one specification")
    func sideBySide() throws {
        let blinky = Blinky()
        CBMCentralManagerMock.simulatePeripherals([blinky.spec])
        blinky.spec.simulateProximityChange(.far)
        withAir { other in
            #expect(blinky.spec.proximity == .immediate)
            CBMCentralManagerMock.simulateInitialState(.poweredOn)
            let app = BlinkyApp()
            other.run(for: .seconds(2))
            #expect(app.states == [.poweredOn] && app.heard.isEmpty)
        }
        #expect(blinky.spec.proximity == .far)
        let app = BlinkyApp()
        air.run(for: .seconds(2))
        // Off, unless somebody said otherwise.
        #expect(app.states == [.poweredOff] && app.heard.isEmpty)
    }

    @Test("The same seed gives the same packets")
    func determinism() throws {
        func digest(_ seed: UInt64) throws -> String {
            try withAir(seed: seed) { air in
                let blinky = Blinky(identifier: UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
                CBMCentralManagerMock.simulatePeripherals([blinky.spec])
                CBMCentralManagerMock.simulateInitialState(.poweredOn)
                let app = BlinkyApp()
                try air.run(until: app.isReady)
                return "\(air.digest) \(app.heard.map(\.strength)) \(air.now)"
            }
        }
        #expect(try digest(3) == digest(3))
        #expect(try digest(3) != digest(4))
    }

    @Test("States that a phone does not keep by itself are told, and take no commands")
    func states() throws {
        for state in [CBMManagerState.unsupported, .resetting] {
            try withAir { air in
                CBMCentralManagerMock.simulateInitialState(state)
                let app = BlinkyApp()
                try air.run(until: app.states == [state])
                app.manager.scanForPeripherals(withServices: nil)
                #expect(!app.manager.isScanning && app.manager.state == state)
                CBMCentralManagerMock.simulatePowerOn()
                try air.run(until: app.states.last == .poweredOn)
                #expect(app.states == [state, .poweredOn])
            }
        }
    }

    @Test("An app that may not use Bluetooth is unauthorized")
    func authorization() throws {
        #expect(CBMCentralManagerMock.authorization == .allowedAlways)
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        let app = BlinkyApp()
        try air.run(until: app.states == [.poweredOn])
        CBMCentralManagerMock.simulateAuthorization(.denied)
        #expect(CBMCentralManagerMock.authorization == .denied && app.manager.authorization == .denied)
        try air.run(until: app.states == [.poweredOn, .unauthorized])
    }

    @Test("What the phone has met before is retrieved without a scan, and connected to when it is there")
    func retrieval() throws {
        let known = Blinky(isKnown: true), unknown = Blinky()
        CBMCentralManagerMock.simulatePeripherals([known.spec, unknown.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        let app = BlinkyApp()
        app.isConnecting = false
        #expect(app.manager.retrievePeripherals(withIdentifiers: [known.identifier]).isEmpty)
        try air.run(until: app.states == [.poweredOn])
        app.manager.stopScan()
        let both = [unknown.identifier, known.identifier]
        let found = app.manager.retrievePeripherals(withIdentifiers: both)
        #expect(found.map(\.identifier) == [known.identifier])
        unknown.spec.simulateCaching()
        #expect(app.manager.retrievePeripherals(withIdentifiers: both).map(\.identifier) == both)
        let peripheral = try #require(found.first)
        peripheral.delegate = app
        app.manager.connect(peripheral)
        try air.run(until: peripheral.state == .connected && app.led != nil)
        #expect(peripheral.name == "nRF Lamp" || peripheral.name == "nRF Blinky")
    }

    @Test("Another app's connection is there to be retrieved, and the device's other apps share it")
    func otherApp() throws {
        let blinky = Blinky(isConnected: true), later = Blinky()
        CBMCentralManagerMock.simulatePeripherals([blinky.spec, later.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        let app = BlinkyApp()
        app.isConnecting = false
        try air.run(until: blinky.spec.isConnected && !app.states.isEmpty)
        try air.run(
            until: app.manager.retrieveConnectedPeripherals(withServices: [Blinky.service]).map(\.identifier)
                == [blinky.identifier]
        )
        later.spec.simulateConnection()
        try air.run(until: later.spec.isConnected)
        let peripheral = try #require(
            app.manager.retrieveConnectedPeripherals(withServices: [Blinky.service]).first {
                $0.identifier == blinky.identifier
            }
        )
        peripheral.delegate = app
        app.manager.connect(peripheral)
        try air.run(until: app.led != nil)
        // The device was asked once: it is one connection.
        #expect(blinky.delegate.asked.filter { $0 == "connection" }.count == 1)
        blinky.spec.simulateDisconnection()
        try air.run(until: app.ends.count == 1 && !blinky.spec.isConnected)
    }

    @Test("A connected peripheral is retrieved by a service when the app has found that service")
    func connectedRetrieval() throws {
        let blinky = Blinky()
        CBMCentralManagerMock.simulatePeripherals([blinky.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        let app = BlinkyApp()
        func retrieved() -> [UUID] {
            app.manager.retrieveConnectedPeripherals(withServices: [Blinky.service]).map(\.identifier)
        }
        try air.run(until: app.connectionCount == 1)
        #expect(retrieved().isEmpty)
        try air.run(until: app.isReady)
        #expect(retrieved() == [blinky.identifier])
        #expect(app.manager.retrieveConnectedPeripherals(withServices: [CBMUUID(string: "180D")]).isEmpty)
    }

    @Test("A device without a delegate takes no connections, and says so; an attempt waits")
    func withoutDelegate() throws {
        let data: [String: Any] = [
            CBMAdvertisementDataServiceUUIDsKey: [Blinky.service], CBMAdvertisementDataIsConnectable: true as NSNumber,
        ]
        let spec = CBMPeripheralSpec.simulatePeripheral().advertising(advertisementData: data)
            .connectable(name: "deaf", services: [], delegate: nil).build()
        CBMCentralManagerMock.simulatePeripherals([spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        let app = BlinkyApp()
        try air.run(until: app.heard.count == 1)
        #expect((app.heard[0].data[CBMAdvertisementDataIsConnectable] as? NSNumber)?.boolValue == false)
        air.run(for: .seconds(20))
        #expect(app.connectionCount == 0 && app.failures.isEmpty && app.peripheral?.state == .connecting)
    }

    @Test("The specification's longest packet is what a write without response holds")
    func maximumPacket() throws {
        let blinky = Blinky(mtu: 185)
        CBMCentralManagerMock.simulatePeripherals([blinky.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        let app = BlinkyApp()
        try air.run(until: app.isReady)
        #expect(app.peripheral?.maximumWriteValueLength(for: .withoutResponse) == 182)
    }

    @Test("After the simulation is torn down its managers know nothing, and new ones begin anew")
    func tearDown() throws {
        let blinky = Blinky()
        CBMCentralManagerMock.simulatePeripherals([blinky.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        let old = BlinkyApp()
        try air.run(until: old.isReady)
        CBMCentralManagerMock.tearDownSimulation()
        try air.run(until: old.states == [.poweredOn, .unknown])
        CBMCentralManagerMock.simulatePeripherals([blinky.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        #expect(!blinky.spec.isKnown && !blinky.spec.isConnected)
        let new = BlinkyApp()
        try air.run(until: new.isReady)
        #expect(new.states == [.poweredOn] && old.states.count == 2)
    }

    @Test("A manager with a restore identifier is given what the test has for it")
    func restoration() throws {
        let blinky = Blinky()
        CBMCentralManagerMock.simulatePeripherals([blinky.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
        CBMCentralManagerMock.simulateStateRestoration = { identifier in
            identifier == "lamps" ? [CBMCentralManagerRestoredStatePeripheralsKey: [blinky.spec]] : nil
        }
        let delegate = CBMCentralManagerDelegateProxy()
        var restored: [UUID] = []
        delegate.willRestoreState = { _, state in
            let peripherals = state[CBMCentralManagerRestoredStatePeripheralsKey] as? [any CBMPeripheral]
            restored = peripherals?.map(\.identifier) ?? []
        }
        let manager = CBMCentralManagerMock(
            delegate: delegate,
            queue: nil,
            options: [CBMCentralManagerOptionRestoreIdentifierKey: "lamps"]
        )
        #expect(restored == [blinky.identifier])
        var isOn = false
        delegate.didUpdateState = { isOn = $0.state == .poweredOn }
        try air.run(until: isOn)
        #expect(manager.retrievePeripherals(withIdentifiers: restored).count == 1)
    }

    @Test("Apps that use CoreBluetooth itself meet the simulated peripherals, too")
    func sameAir() throws {
        let blinky = Blinky()
        CBMCentralManagerMock.simulatePeripherals([blinky.spec])
        final class Delegate: NSObject, CBCentralManagerDelegate {
            var names: [String?] = []

            func centralManagerDidUpdateState(_ central: CBCentralManager) {
                if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
            }

            func centralManager(
                _ central: CBCentralManager,
                didDiscover peripheral: CBPeripheral,
                advertisementData: [String: Any],
                rssi: NSNumber
            ) { names.append(peripheral.name) }
        }
        let delegate = Delegate()
        let manager = CBCentralManager(delegate: delegate, queue: nil)
        try air.run(until: delegate.names == ["nRF Blinky"])
        #expect(manager.isScanning)
    }
}
