import BluethroatTesting
import CoreBluetooth
import CoreBluetoothMock
import Testing

/// What tests for the original find, too: each was another way here before.
@Suite("As tests for the original have it", .air)
struct AsThereTests {
    let air = Air.current

    @Test("A subscription to the state that there is: the app hears at once, and the device is not asked")
    func subscriptionTwice() throws {
        let blinky = Blinky()
        air.simulate(blinky)
        let app = try air.settledApp()
        let button = try #require(app.button)
        app.peripheral?.setNotifyValue(false, for: button)
        try air.run(until: app.notifying == [false])
        #expect(!blinky.delegate.asked.contains("notifying false"))
        app.peripheral?.setNotifyValue(true, for: button)
        // Before the answer the state is not what was wanted last, so that this one is asked for.
        app.peripheral?.setNotifyValue(false, for: button)
        try air.run(until: app.notifying.count == 3)
        #expect(blinky.delegate.asked.filter { $0.hasPrefix("notifying") } == ["notifying true", "notifying false"])
        app.peripheral?.setNotifyValue(true, for: button)
        try air.run(until: app.notifying.count == 4)
        let asked = blinky.delegate.asked, now = air.now
        app.peripheral?.setNotifyValue(true, for: button)
        try air.run(until: app.notifying.count == 5)
        #expect(app.notifying.last == true && blinky.delegate.asked == asked && air.now == now && app.errors.isEmpty)
    }

    @Test("A person who has not answered: the manager is not authorized, and is as soon as the answer is yes")
    func notDetermined() throws {
        let blinky = Blinky()
        air.simulate(blinky)
        CBMCentralManagerMock.simulateAuthorization(.notDetermined)
        let app = BlinkyApp()
        try air.run(until: app.states == [.unauthorized])
        #expect(app.manager.state == .unauthorized && CBMCentralManagerMock.authorization == .notDetermined)
        CBMCentralManagerMock.simulateAuthorization(.allowedAlways)
        #expect(app.manager.state == .poweredOn)
        try air.run(until: app.isReady)
        #expect(app.states == [.unauthorized, .poweredOn])
    }

    @Test("Who takes Bluetooth from the app does so at once, connections and all; who gives it back, too")
    func authorizationAtOnce() throws {
        let blinky = Blinky()
        air.simulate(blinky)
        let app = try air.settledApp()
        CBMCentralManagerMock.simulateAuthorization(.denied)
        #expect(app.manager.state == .unauthorized && app.peripheral?.state == .disconnected)
        try air.run(until: app.states == [.poweredOn, .unauthorized])
        CBMCentralManagerMock.simulateAuthorization(.allowedAlways)
        #expect(app.manager.state == .poweredOn)
        // What is asked meanwhile is done when the phone has it, too.
        app.manager.scanForPeripherals(withServices: [Blinky.service])
        #expect(app.manager.isScanning)
        try air.run(until: app.connectionCount == 2)
        #expect(app.states == [.poweredOn, .unauthorized, .poweredOn] && air.misuse.isEmpty)
    }

    @Test("With Bluetooth off a device is free at once, and can be connected to as soon as Bluetooth is on")
    func powerAndDevice() throws {
        let blinky = Blinky()
        air.simulate(blinky)
        let app = try air.settledApp()
        let end = air.now + .seconds(2)
        CBMCentralManagerMock.simulatePowerOff()
        try air.run(until: app.states.last == .poweredOff)
        CBMCentralManagerMock.simulatePowerOn()
        try air.run(until: app.connectionCount == 2)
        #expect(air.now < end && app.ends.isEmpty)
        let timedOut = "disconnected \(CBMError.Code.connectionTimeout.rawValue)"
        #expect(blinky.delegate.asked.filter { $0.hasPrefix("disconnected") } == [timedOut])
    }

    @Test("What answers for the phone, and previews, outlast the end of the simulation")
    func tearDown() throws {
        let preview = CBMPeripheralPreview(Blinky().spec)
        CBMCentralManagerMock.simulateFeaturesSupport = { _ in true }
        CBMCentralManagerMock.simulateStateRestoration = { _ in nil }
        CBMCentralManagerMock.tearDownSimulation()
        #expect(CBMCentralManagerMock.simulateFeaturesSupport != nil)
        #expect(CBMCentralManagerMock.simulateStateRestoration != nil)
        let manager = CBMCentralManagerFactory.instance(forceMock: true)
        #expect(manager.retrievePeripherals(withIdentifiers: [preview.identifier]).count == 1)
    }

    @Test("What another app is connected to has its name when it is retrieved first")
    func nameOfConnected() throws {
        let blinky = Blinky(isConnected: true)
        air.simulate(blinky)
        let app = BlinkyApp()
        app.isConnecting = false
        try air.run(until: app.states == [.poweredOn])
        let found = app.manager.retrieveConnectedPeripherals(withServices: [Blinky.service])
        #expect(found.map(\.name) == ["nRF Lamp"])
    }

    @Test("What is out of range is not connected from the beginning")
    func connectedOutOfRange() throws {
        let blinky = Blinky(proximity: .outOfRange, isConnected: true)
        air.simulate(blinky)
        #expect(!blinky.spec.isConnected)
        let app = BlinkyApp()
        try air.run(until: app.states == [.poweredOn])
        #expect(app.manager.retrieveConnectedPeripherals(withServices: [Blinky.service]).isEmpty)
    }

    @Test("A preview that is let go tells a delegate that has the newer method alone")
    func previewWithNewerDelegate() {
        let preview = CBMPeripheralPreview(Blinky().spec)
        let delegate = CBMCentralManagerDelegateProxy()
        var ends = 0
        delegate.didDisconnect = { _, _, _, isReconnecting, error in ends += error == nil && !isReconnecting ? 1 : 100 }
        let manager = CBMCentralManagerMock(delegate: delegate, queue: nil)
        manager.connect(preview)
        manager.cancelPeripheralConnection(preview)
        #expect(ends == 1)
    }

    @Test("Without a connection a write holds nothing")
    func longestWrite() throws {
        let blinky = Blinky(mtu: 185)
        air.simulate(blinky)
        let app = try air.settledApp()
        let peripheral = try #require(app.peripheral)
        #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 512)
        CBMCentralManagerMock.simulatePowerOff()
        #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 0)
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 0)
    }

    @Test("A supervision timeout of no seconds is the shortest that holds two connection intervals")
    func shortestTimeout() throws {
        for (interval, longest) in [(0.045, 1.0), (1.0, 4.0)] {
            let blinky = Blinky(connectionInterval: interval, supervisionTimeout: 0)
            air.simulate(blinky)
            let app = try air.readyApp()
            air.run(for: .seconds(8))
            #expect(app.ends.isEmpty)
            let limit = air.now + .seconds(longest)
            blinky.spec.simulateReset()
            try air.run(until: app.ends.count == 1)
            #expect(air.now < limit)
            CBMCentralManagerMock.tearDownSimulation()
        }
    }

    @Test("What is advertised neither at once nor again is not advertised")
    func neverAdvertised() throws {
        let blinky = Blinky()
        air.simulate(blinky)
        let data = [CBMAdvertisementDataServiceUUIDsKey: [Blinky.service]]
        blinky.spec.simulateAdvertisementChange([CBMAdvertisementConfig(data: data, interval: 0)])
        let app = BlinkyApp()
        air.run(for: .seconds(5))
        #expect(app.states == [.poweredOn] && app.heard.isEmpty)
    }

    // MARK: Other than there

    @Test("A notification holds what the ATT MTU leaves, of what the specification sends")
    func longNotification() throws {
        let blinky = Blinky()
        air.simulate(blinky)
        let app = try air.settledApp()
        app.peripheral?.setNotifyValue(true, for: try #require(app.button))
        try air.run(until: app.notifying == [true])
        blinky.spec.simulateValueUpdate(Data(0..<30), for: blinky.button)
        try air.run(until: !app.values.isEmpty)
        #expect(app.values == [Data(0..<20)])
    }

    @Test("A write without response that is too long is not sent")
    func longCommand() throws {
        let blinky = Blinky()
        air.simulate(blinky)
        let app = try air.settledApp()
        app.peripheral?.writeValue(Data(count: 21), for: try #require(app.led), type: .withoutResponse)
        app.peripheral?.writeValue(Data(count: 20), for: try #require(app.led), type: .withoutResponse)
        air.run(for: .seconds(2))
        #expect(blinky.delegate.commands == [Data(count: 20)])
    }

    @Test("Who connects to what is connected hears nothing, and one cancel ends it")
    func connectTwice() throws {
        let blinky = Blinky()
        air.simulate(blinky)
        let app = try air.settledApp()
        let peripheral = try #require(app.peripheral)
        app.manager.connect(peripheral)
        #expect(peripheral.state == .connected)
        air.run(for: .seconds(2))
        #expect(app.connectionCount == 1)
        app.manager.cancelPeripheralConnection(peripheral)
        try air.run(until: app.ends.count == 1)
        #expect(!blinky.spec.isConnected)
    }

    @Test("A delegate of a specification is asked when the packet arrives, not in the call")
    func askedOnAir() throws {
        let blinky = Blinky()
        air.simulate(blinky)
        let app = try air.settledApp()
        app.peripheral?.readValue(for: try #require(app.led))
        #expect(!blinky.delegate.asked.contains { $0.hasPrefix("read") })
        try air.run(until: app.values.count == 1)
        #expect(blinky.delegate.asked.contains { $0.hasPrefix("read") })
    }

    @Test("Services and characteristics are found when the app is told, not in the call")
    func foundWhenTold() throws {
        let blinky = Blinky()
        air.simulate(blinky)
        let app = BlinkyApp()
        try air.run(until: app.connectionCount == 1)
        #expect(app.peripheral?.services == nil)
        try air.run(until: app.isReady)
    }

    @Test("A delegate with both methods for the end of a connection has the newer one called, and that alone")
    func bothEnds() throws {
        final class Both: CBMCentralManagerDelegate {
            var heard: [String] = []
            func centralManagerDidUpdateState(_ central: CBMCentralManager) {
                if central.state == .poweredOn { central.scanForPeripherals(withServices: nil) }
            }
            func centralManager(
                _ central: CBMCentralManager,
                didDiscover peripheral: any CBMPeripheral,
                advertisementData: [String: Any],
                rssi RSSI: NSNumber
            ) {
                central.stopScan()
                central.connect(peripheral)
            }
            func centralManager(_ central: CBMCentralManager, didConnect peripheral: any CBMPeripheral) {
                central.cancelPeripheralConnection(peripheral)
            }
            func centralManager(
                _ central: CBMCentralManager,
                didDisconnectPeripheral peripheral: any CBMPeripheral,
                error: (any Error)?
            ) {
                heard.append("older")
            }
            func centralManager(
                _ central: CBMCentralManager,
                didDisconnectPeripheral peripheral: any CBMPeripheral,
                timestamp: CFAbsoluteTime,
                isReconnecting: Bool,
                error: (any Error)?
            ) { heard.append("newer") }
        }
        air.simulate(Blinky())
        let delegate = Both()
        let manager = CBMCentralManagerFactory.instance(forceMock: true)
        manager.delegate = delegate
        try air.run(until: !delegate.heard.isEmpty)
        air.run(for: .seconds(5))
        #expect(delegate.heard == ["newer"])
    }

    @Test("As soon as an app is connected the name is the specification's, and a new one or none counts at once")
    func nameWhenConnected() throws {
        let blinky = Blinky()
        air.simulate(blinky)
        let app = BlinkyApp()
        try air.run(until: app.connectionCount == 1)
        #expect(app.heard.map(\.name) == ["nRF Blinky"] && app.peripheral?.name == "nRF Lamp")
        blinky.spec.simulateServiceChange(newName: "Porch", newServices: [blinky.lamp])
        #expect(app.peripheral?.name == "Porch")
        blinky.spec.simulateServiceChange(newName: nil, newServices: [blinky.lamp])
        #expect(app.peripheral?.name == nil)
    }

    @Test("A device that was out of range is disconnected, also if it is back before the supervision timeout")
    func outOfRangeAndBack() throws {
        let blinky = Blinky()
        air.simulate(blinky)
        let app = try air.settledApp()
        blinky.spec.simulateProximityChange(.outOfRange)
        #expect(!blinky.spec.isConnected)
        air.run(for: .seconds(1))
        blinky.spec.simulateProximityChange(.near)
        try air.run(until: app.ends.count == 1)
        #expect(code(app.ends[0]) == .connectionTimeout && app.peripheral?.state == .disconnected)
        let peripheral = try #require(app.peripheral)
        app.manager.connect(peripheral)
        try air.run(until: app.connectionCount == 2)
        #expect(blinky.spec.isConnected)
    }

    @Test("What a delegate sends while it is asked to write arrives before the answer")
    func valueBeforeAnswer() throws {
        let blinky = Blinky()
        air.simulate(blinky)
        let app = try air.settledApp()
        let led = try #require(app.led), button = try #require(app.button)
        app.peripheral?.setNotifyValue(true, for: button)
        try air.run(until: app.notifying == [true])
        var countAtAnswer: Int?
        blinky.delegate.onWrite = { blinky.spec.simulateValueUpdate(Data([7]), for: blinky.button) }
        app.onWritten = { countAtAnswer = app.values.count }
        app.peripheral?.writeValue(Data([1]), for: led, type: .withResponse)
        try air.run(until: app.writeCount == 1)
        #expect(app.values == [Data([7])] && countAtAnswer == 1)
    }
}
