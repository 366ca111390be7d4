import BluethroatTesting
import CoreBluetooth
import CoreBluetoothMock
import Testing

/// What an app finds that the phone had ended and begins anew.
@Suite("Restoration", .air)
struct RestorationTests {
    let air = Air.current

    /// An app that is restored with what the test has for it.
    private final class RestoredApp {
        let delegate = CBMCentralManagerDelegateProxy()
        let peripheralDelegate = CBMPeripheralDelegateProxy()
        private(set) var manager: CBMCentralManagerMock!
        var peripherals: [any CBMPeripheral] = []
        /// What the states of peripherals were, and whether there was a scan, as the app was restored.
        var states: [CBMPeripheralState] = []
        var wasScanning = false
        var keys: [String] = []
        var events: [String] = []
        var heard: [UUID] = []

        init(_ state: [String: Any], orders: @escaping (CBMCentralManager, any CBMPeripheral) -> Void = { _, _ in }) {
            CBMCentralManagerMock.simulateStateRestoration = { $0 == "lamps" ? state : nil }
            delegate.willRestoreState = { [unowned self] manager, state in
                keys = state.keys.sorted()
                wasScanning = manager.isScanning
                peripherals = state[CBMCentralManagerRestoredStatePeripheralsKey] as? [any CBMPeripheral] ?? []
                states = peripherals.map(\.state)
                for peripheral in peripherals {
                    peripheral.delegate = peripheralDelegate
                    orders(manager, peripheral)
                }
            }
            delegate.didUpdateState = { [unowned self] in events.append("state \($0.state.rawValue)") }
            delegate.didConnect = { [unowned self] _, _ in events.append("connected") }
            delegate.didDisconnect = { [unowned self] _, _, _, _, _ in events.append("disconnected") }
            delegate.didDiscoverPeripheral = { [unowned self] _, peripheral, _, _ in heard.append(peripheral.identifier)
            }
            peripheralDelegate.didDiscoverServices = { [unowned self] peripheral, _ in
                events.append("\(peripheral.services?.count ?? 0) services")
            }
            manager = CBMCentralManagerMock(
                delegate: delegate,
                queue: nil,
                options: [CBMCentralManagerOptionRestoreIdentifierKey: "lamps"]
            )
        }
    }

    @Test("A restored peripheral is being connected to, and is connected when it is heard")
    func connecting() throws {
        let blinky = Blinky()
        air.simulate(blinky)
        let app = RestoredApp([CBMCentralManagerRestoredStatePeripheralsKey: [blinky.spec]])
        #expect(app.states == [.connecting] && app.peripherals.first?.services == nil)
        try air.run(until: app.events.last == "connected")
        #expect(app.events == ["state 5", "connected"] && app.peripherals.first?.state == .connected)
        #expect(blinky.spec.isConnected && air.misuse.isEmpty)
    }

    @Test("One to which another app is connected is connected at once, and takes commands before the phone does")
    func connected() throws {
        let blinky = Blinky(isConnected: true)
        air.simulate(blinky)
        let app = RestoredApp([CBMCentralManagerRestoredStatePeripheralsKey: [blinky.spec]]) { _, peripheral in
            peripheral.discoverServices(nil)
        }
        #expect(app.states == [.connected] && app.peripherals.first?.name == "nRF Lamp")
        try air.run(until: app.events.last == "1 services")
        // It knows of the connection.
        #expect(app.events == ["state 5", "1 services"] && app.peripherals.first?.state == .connected)
        #expect(air.misuse.isEmpty)
        blinky.spec.simulateReset()
        try air.run(until: app.events.last == "disconnected")
        #expect(app.peripherals.first?.state == .disconnected)
    }

    @Test("What the app cancels while it is restored is not connected")
    func cancelled() throws {
        let blinky = Blinky()
        air.simulate(blinky)
        let app = RestoredApp([CBMCentralManagerRestoredStatePeripheralsKey: [blinky.spec]])
        try air.run(until: app.events == ["state 5"])
        app.manager.cancelPeripheralConnection(try #require(app.peripherals.first))
        air.run(for: .seconds(5))
        #expect(app.peripherals.first?.state == .disconnected && !blinky.spec.isConnected)
        #expect(!app.events.contains("connected"))
    }

    @Test("Where Bluetooth is off, nothing is restored when it comes on")
    func off() throws {
        let blinky = Blinky()
        air.simulate(blinky, state: .poweredOff)
        let app = RestoredApp([
            CBMCentralManagerRestoredStatePeripheralsKey: [blinky.spec],
            CBMCentralManagerRestoredStateScanServicesKey: [Blinky.service],
        ])
        try air.run(until: app.events == ["state 4"])
        #expect(app.peripherals.first?.state == .disconnected && !app.manager.isScanning)
        CBMCentralManagerMock.simulatePowerOn()
        air.run(for: .seconds(5))
        #expect(app.events == ["state 4", "state 5"] && app.heard.isEmpty)
    }

    @Test("A restored scan runs as soon as Bluetooth is on, and finds what it was for")
    func scan() throws {
        let blinky = Blinky()
        air.simulate(blinky)
        let app = RestoredApp([
            CBMCentralManagerRestoredStateScanServicesKey: [Blinky.service],
            CBMCentralManagerRestoredStateScanOptionsKey: [CBMCentralManagerScanOptionAllowDuplicatesKey: true],
        ])
        #expect(app.wasScanning && app.manager.isScanning)
        try air.run(until: app.heard.count > 2)
        #expect(Set(app.heard) == [blinky.identifier] && app.manager.isScanning)
    }

    @Test("A restored scan that is stopped at once does not run")
    func stoppedScan() throws {
        air.simulate(Blinky())
        let app = RestoredApp([CBMCentralManagerRestoredStateScanServicesKey: [Blinky.service]])
        try air.run(until: app.events == ["state 5"])
        app.manager.stopScan()
        let count = app.heard.count
        air.run(for: .seconds(5))
        #expect(app.heard.count == count && !app.manager.isScanning)
    }

    @Test("Other keys, other types and what is not simulated are left out; a preview is as it is")
    func whatIsLeftOut() throws {
        let blinky = Blinky(), preview = CBMPeripheralPreview(Blinky().spec)
        air.simulate(blinky)
        let wishes: [Any] = [blinky.spec, Blinky().spec, preview, "lamp"]
        let app = RestoredApp([
            CBMCentralManagerRestoredStatePeripheralsKey: wishes,
            CBMCentralManagerRestoredStateScanServicesKey: ["180F"],
            "another": 1,
        ])
        #expect(app.peripherals.map(\.identifier) == [blinky.identifier, preview.identifier])
        #expect(app.keys == [CBMCentralManagerRestoredStatePeripheralsKey] && !app.wasScanning)
    }

    @Test("An object of another manager is restored as this manager's own")
    func otherManagersObject() throws {
        let blinky = Blinky()
        air.simulate(blinky)
        let before = try air.readyApp()
        let old = try #require(before.peripheral)
        let app = RestoredApp([CBMCentralManagerRestoredStatePeripheralsKey: [old]])
        #expect(app.states == [.connected] && app.peripherals.first !== old)
        try air.run(until: app.events == ["state 5"])
        app.peripherals.first?.discoverServices(nil)
        try air.run(until: app.events.last == "1 services")
    }
}
