import BluethroatTesting
import CoreBluetoothMock
import Foundation
import Testing

/// What `simulate…` brings about, by what passes over the air.
@Suite("What happens to a simulated peripheral", .air)
struct AccidentTests {
    let air = Air.current
    let blinky = Blinky()

    init() {
        CBMCentralManagerMock.simulatePeripherals([blinky.spec])
        CBMCentralManagerMock.simulateInitialState(.poweredOn)
    }

    private func readyApp() throws -> BlinkyApp {
        let app = BlinkyApp()
        try air.run(until: app.isReady)
        // The device has asked for its own interval and timeout by then.
        air.run(for: .seconds(2))
        return app
    }

    private func code(_ error: (any Error)?) -> CBMError.Code? { (error as? CBMError)?.code }

    @Test("A device that disconnects says so at once, and the app gets the error of the call")
    func disconnection() throws {
        let app = try readyApp()
        let start = air.now
        blinky.spec.simulateDisconnection()
        try air.run(until: app.ends.count == 1)
        #expect(code(app.ends[0]) == .peripheralDisconnected && air.now - start < .seconds(1))
        // The device hears of it when its packet is acknowledged.
        let end = "disconnected \(CBMError.Code.peripheralDisconnected.rawValue)"
        try air.run(until: blinky.delegate.asked.last == end)
        blinky.spec.simulateDisconnection(withError: CBMError(.connectionLimitReached))
        #expect(app.ends.count == 1)
        app.manager.connect(try #require(app.peripheral))
        try air.run(until: app.isReady)
        blinky.spec.simulateDisconnection(withError: CBMError(.connectionLimitReached))
        try air.run(until: app.ends.count == 2)
        #expect(code(app.ends[1]) == .connectionLimitReached)
    }

    @Test(
        "A device that is reset says nothing: the app hears of it when the supervision timeout of the specification ends"
    )
    func reset() throws {
        let app = try readyApp()
        let peripheral = try #require(app.peripheral), led = try #require(app.led)
        peripheral.writeValue(Data([1]), for: led, type: .withResponse)
        try air.run(until: app.writeCount == 1)
        let start = air.now
        blinky.spec.simulateReset()
        #expect(!blinky.delegate.isOn && blinky.delegate.asked.contains("reset"))
        try air.run(until: app.ends.count == 1)
        #expect(code(app.ends[0]) == .connectionTimeout)
        #expect(air.now - start > .milliseconds(3_900) && air.now - start < .milliseconds(4_300))
        // It advertises again, and takes connections.
        app.manager.connect(peripheral)
        try air.run(until: app.isReady)
    }

    @Test("Each place has its signal strength, and far is heard; the deviation is another one for each packet")
    func proximity() throws {
        CBMCentralManagerMock.simulateRSSIDeviation(.none)
        let app = try readyApp()
        for (place, strength) in [(CBMProximity.near, -70), (.far, -100), (.immediate, -40)] {
            blinky.spec.simulateProximityChange(place)
            #expect(blinky.spec.proximity == place)
            air.run(for: .seconds(1))
            app.peripheral?.readRSSI()
            let count = app.strengths.count
            try air.run(until: app.strengths.count > count)
            #expect(app.strengths.last == strength)
        }
        #expect(app.ends.isEmpty)
        CBMCentralManagerMock.simulateRSSIDeviation(.custom(5))
        for _ in 0..<20 { app.peripheral?.readRSSI() }
        try air.run(until: app.strengths.count == 23)
        let varied = app.strengths.dropFirst(3)
        #expect(Set(varied).count > 2 && varied.allSatisfy { (-45 ... -35).contains($0) })
    }

    @Test("Out of range a connection ends by its timeout, and what comes back is found again")
    func outOfRange() throws {
        let app = try readyApp()
        let start = air.now
        blinky.spec.simulateProximityChange(.outOfRange)
        #expect(!blinky.spec.isConnected)
        try air.run(until: app.ends.count == 1)
        #expect(code(app.ends[0]) == .connectionTimeout && air.now - start > .milliseconds(3_900))
        try air.run(until: !blinky.spec.isConnected)
        app.manager.connect(try #require(app.peripheral))
        air.run(for: .seconds(20))
        #expect(app.connectionCount == 1)
        blinky.spec.simulateProximityChange(.near)
        try air.run(until: app.connectionCount == 2)
    }

    @Test("Other services are indicated: those that are gone are reported, and the new ones are found")
    func serviceChange() throws {
        let app = try readyApp()
        let new = CBMServiceMock(
            type: CBMUUID(string: "180F"),
            primary: true,
            characteristics: [CBMCharacteristicMock(type: CBMUUID(string: "2A19"), properties: .read)]
        )
        blinky.spec.simulateServiceChange(newName: "nRF Lamp", newServices: [new])
        #expect(blinky.spec.services == [new])
        try air.run(until: app.invalidated == [[Blinky.service]])
        app.peripheral?.discoverServices(nil)
        try air.run(until: app.peripheral?.services?.map(\.uuid.uuidString) == ["180F"])
        air.run(for: .seconds(1))
        // Of one change an app hears once; of the name it has heard when it connected.
        #expect(app.invalidated.count == 1 && app.names == ["nRF Lamp"])
    }

    @Test("Another name is read anew, and the services stay")
    func nameChange() throws {
        let app = try readyApp()
        blinky.spec.simulateServiceChange(newName: "Ceiling", newServices: [blinky.lamp])
        #expect(blinky.spec.name == "Ceiling")
        try air.run(until: app.names.last == "Ceiling")
        #expect(app.peripheral?.name == "Ceiling" && app.invalidated.isEmpty)
        app.peripheral?.readValue(for: try #require(app.led))
        try air.run(until: app.values.count == 1)
    }

    @Test("A device that refuses connections is one that cannot be connected to, for the reason that it gives")
    func refusedConnection() throws {
        blinky.delegate.refusesConnections = true
        let app = BlinkyApp()
        try air.run(until: app.failures.count == 1)
        #expect(code(app.failures[0]) == .encryptionTimedOut)
        #expect(app.connectionCount == 0 && app.ends.isEmpty && app.peripheral?.state == .disconnected)
        blinky.delegate.refusesConnections = false
        app.manager.connect(try #require(app.peripheral))
        try air.run(until: app.isReady)
        #expect(app.connectionCount == 1 && app.failures.count == 1)
    }

    @Test("What the delegate answers reaches the app, whether a packet can say it or not")
    func errors() throws {
        let app = try readyApp()
        let led = try #require(app.led), button = try #require(app.button), peripheral = try #require(app.peripheral)
        blinky.delegate.readError = CBMATTError(.insufficientResources)
        peripheral.readValue(for: led)
        try air.run(until: app.errors.count == 1)
        #expect((app.errors[0] as? CBMATTError)?.code == .insufficientResources)
        blinky.delegate.writeError = CBMError(.outOfSpace)
        peripheral.writeValue(Data([1]), for: led, type: .withResponse)
        try air.run(until: app.errors.count == 2)
        #expect(code(app.errors[1]) == .outOfSpace)
        blinky.delegate.notifyError = CBMATTError(.requestNotSupported)
        peripheral.setNotifyValue(true, for: button)
        try air.run(until: app.errors.count == 3)
        #expect((app.errors[2] as? CBMATTError)?.code == .requestNotSupported && app.notifying == [false])
        blinky.delegate.discoveryError = CBMError(.unknown)
        peripheral.discoverServices(nil)
        try air.run(until: app.errors.count == 4)
        #expect(code(app.errors[3]) == .unknown)
    }

    @Test("Another advertisement is on the air from then on; nil is none")
    func advertisementChange() throws {
        let app = BlinkyApp()
        app.isConnecting = false
        try air.run(until: app.heard.count == 1)
        blinky.spec.simulateAdvertisementChange(nil)
        #expect(blinky.spec.advertisement == nil)
        air.run(for: .milliseconds(50))
        let options = [CBMCentralManagerScanOptionAllowDuplicatesKey: true as NSNumber]
        app.manager.scanForPeripherals(withServices: nil, options: options)
        air.run(for: .seconds(2))
        #expect(app.heard.count == 1)
        let named = { (name: String) in [CBMAdvertisementDataLocalNameKey: name] }
        blinky.spec.simulateAdvertisementChange([
            CBMAdvertisementConfig(data: named("one"), interval: 0.2),
            CBMAdvertisementConfig(data: named("two"), interval: 0.4, delay: 1),
            CBMAdvertisementConfig(data: named("once"), interval: 0, delay: 0.5),
        ])
        air.run(for: .milliseconds(900))
        let early = app.heard.dropFirst().map { $0.data[CBMAdvertisementDataLocalNameKey] as? String }
        #expect(Set(early) == ["one", "once"] && early.filter { $0 == "once" }.count == 1)
        air.run(for: .seconds(4))
        let all = app.heard.dropFirst().map { $0.data[CBMAdvertisementDataLocalNameKey] as? String }
        #expect((8...12).contains(all.filter { $0 == "two" }.count))
        #expect((20...27).contains(all.filter { $0 == "one" }.count) && all.filter { $0 == "once" }.count == 1)
    }

    @Test("With another address a device is another peripheral, and the old identifier finds nothing")
    func addressChange() throws {
        let app = BlinkyApp()
        app.isConnecting = false
        try air.run(until: app.heard.count == 1)
        let new = UUID()
        blinky.spec.simulateMacChange(new)
        #expect(blinky.spec.identifier == new && !blinky.spec.isKnown)
        #expect(app.manager.retrievePeripherals(withIdentifiers: [new]).isEmpty)
        try air.run(until: app.heard.count == 2)
        #expect(app.peripheral?.identifier == new && blinky.spec.isKnown)
    }

    @Test("A connection lasts when the address changes; afterwards the device has the new one")
    func addressChangeWhileConnected() throws {
        let app = try readyApp()
        let new = UUID()
        blinky.spec.simulateMacChange(new)
        air.run(for: .seconds(2))
        #expect(app.ends.isEmpty && app.peripheral?.identifier == blinky.identifier)
        app.manager.cancelPeripheralConnection(try #require(app.peripheral))
        try air.run(until: app.ends.count == 1)
        app.isConnecting = false
        app.manager.scanForPeripherals(withServices: nil)
        try air.run(until: app.peripheral?.identifier == new)
    }
}
