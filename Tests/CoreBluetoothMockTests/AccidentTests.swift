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

    @Test("A device that disconnects says so at once, and the app gets the error of the call")
    func disconnection() throws {
        let app = try air.settledApp()
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
        let app = try air.settledApp()
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

    // MARK: What is on the air

    /// What was sent on a connection since an instant.
    private func sent(since start: Duration) -> [LoggedPacket] {
        air.log.packets.filter { $0.channel < 37 && $0.time >= start }
    }

    /// Those that carry an ATT PDU, by its opcode.
    private func att(_ opcode: UInt8, since start: Duration) -> [LoggedPacket] {
        sent(since: start).filter { $0.bytes.count > 13 && Array($0.bytes[8...10]) == [0x04, 0x00, opcode] }
    }

    @Test("On the air a disconnection is LL_TERMINATE_IND of the device")
    func disconnectionOnAir() throws {
        let app = try air.settledApp()
        let start = air.now
        blinky.spec.simulateDisconnection()
        try air.run(until: app.ends.count == 1)
        let ends = sent(since: start).filter { $0.summary.contains("LL_TERMINATE_IND") }
        #expect(!ends.isEmpty && ends.allSatisfy { $0.sender == "nRF Lamp" })
    }

    @Test("On the air a reset is silence: no LL_TERMINATE_IND, and no packet of the connection from the device")
    func resetOnAir() throws {
        let app = try air.settledApp()
        let start = air.now
        blinky.spec.simulateReset()
        try air.run(until: app.ends.count == 1)
        let packets = sent(since: start + .milliseconds(1))
        #expect(!packets.isEmpty && packets.allSatisfy { $0.sender != "nRF Lamp" })
        #expect(!packets.contains { $0.summary.contains("LL_TERMINATE_IND") })
        #expect(air.now - start > .milliseconds(3_900))
    }

    @Test("On the air a value update is a notification")
    func valueUpdateOnAir() throws {
        let app = try air.settledApp()
        app.peripheral?.setNotifyValue(true, for: try #require(app.button))
        try air.run(until: app.notifying == [true])
        let start = air.now
        blinky.spec.simulateValueUpdate(Data([7]), for: blinky.button)
        try air.run(until: app.values == [Data([7])])
        let updates = att(0x1B, since: start)
        #expect(updates.first?.sender == "nRF Lamp" && updates.first?.bytes[13] == 7)
        #expect(att(0x1D, since: start).isEmpty)
    }

    @Test("On the air a change of services is an indication that the phone confirms")
    func serviceChangeOnAir() throws {
        let app = try air.settledApp()
        let start = air.now
        let new = CBMServiceMock(type: CBMUUID(string: "180F"), primary: true, characteristics: [])
        blinky.spec.simulateServiceChange(newName: nil, newServices: [new])
        try air.run(until: app.invalidated.count == 1)
        air.run(for: .seconds(1))
        #expect(att(0x1D, since: start).first?.sender == "nRF Lamp")
        let confirmations = sent(since: start).filter { packet in
            packet.bytes.count > 10 && Array(packet.bytes[6...10]) == [0x01, 0x00, 0x04, 0x00, 0x1E]
        }
        #expect(!confirmations.isEmpty && confirmations.allSatisfy { $0.sender != "nRF Lamp" })
    }

    @Test("On the air another address is another AdvA")
    func addressChangeOnAir() throws {
        let app = BlinkyApp()
        app.isConnecting = false
        try air.run(until: app.heard.count == 1)
        let start = air.now
        blinky.spec.simulateMacChange(UUID())
        try air.run(until: app.heard.count == 2)
        let advertisements = air.log.packets.filter { $0.summary.hasPrefix("ADV_IND") }
        let before = Set(advertisements.filter { $0.time < start }.map { Array($0.bytes[6..<12]) })
        let after = Set(advertisements.filter { $0.time > start }.map { Array($0.bytes[6..<12]) })
        #expect(before.count == 1 && after.count == 1 && before != after)
    }

    @Test("Connection events are as far apart as the specification says", arguments: [0.020, 0.150])
    func connectionInterval(seconds: Double) throws {
        let blinky = Blinky(connectionInterval: seconds)
        CBMCentralManagerMock.simulatePeripherals([blinky.spec])
        _ = try air.settledApp()
        // What there was to read is read.
        air.run(for: .seconds(3))
        let start = air.now
        air.run(for: .seconds(3))
        let polls = sent(since: start).filter { $0.sender != "nRF Lamp" }.map(\.time)
        let spaces = zip(polls, polls.dropFirst()).map { $1 - $0 }
        let wanted = Duration.microseconds(Int64(seconds * 1_000_000))
        #expect(spaces.count > 15)
        // Half a millisecond is more than clocks drift within an event.
        #expect(spaces.allSatisfy { abs(($0 - wanted) / Duration.microseconds(500)) <= 1 }, "\(spaces.prefix(3))")
    }

    @Test("A silent device is given up after the supervision timeout of its specification", arguments: [2.0, 6.0])
    func supervisionTimeout(seconds: Double) throws {
        let blinky = Blinky(supervisionTimeout: seconds)
        CBMCentralManagerMock.simulatePeripherals([blinky.spec])
        let app = try air.settledApp()
        air.run(for: .seconds(3))
        let start = air.now
        blinky.spec.simulateReset()
        try air.run(until: app.ends.count == 1)
        #expect(code(app.ends[0]) == .connectionTimeout)
        #expect(abs((air.now - start) / Duration.seconds(seconds) - 1) < 0.1, "\(air.now - start)")
    }

    // MARK: Other accidents

    @Test("Each place has its signal strength, and far is heard; the deviation is another one for each packet")
    func proximity() throws {
        CBMCentralManagerMock.simulateRSSIDeviation(.none)
        let app = try air.settledApp()
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
        let app = try air.settledApp()
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
        let app = try air.settledApp()
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
        let app = try air.settledApp()
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
        let app = try air.settledApp()
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

    @Test("An advertisement is 31 bytes and 31 in the response: a name is shortened, what has no room is left out")
    func longAdvertisement() throws {
        let app = BlinkyApp()
        app.isConnecting = false
        try air.run(until: app.heard.count == 1)
        let options = [CBMCentralManagerScanOptionAllowDuplicatesKey: true as NSNumber]
        app.manager.scanForPeripherals(withServices: nil, options: options)
        let name = String(repeating: "lamp ", count: 20)
        func heardNames() -> [String?] { app.heard.map { $0.data[CBMAdvertisementDataLocalNameKey] as? String } }
        var data: [String: Any] = [CBMAdvertisementDataLocalNameKey: name]
        data[CBMAdvertisementDataServiceUUIDsKey] = [Blinky.service]
        data[CBMAdvertisementDataIsConnectable] = true
        blinky.spec.simulateAdvertisementChange([CBMAdvertisementConfig(data: data, interval: 0.1)])
        try air.run(until: heardNames().contains(String(name.prefix(29))))
        // Both parts are full before it is the name's turn.
        data[CBMAdvertisementDataServiceUUIDsKey] = nil
        data[CBMAdvertisementDataManufacturerDataKey] = Data(repeating: 1, count: 26)
        data[CBMAdvertisementDataServiceDataKey] = [CBMUUID(string: "FFE0"): Data(repeating: 2, count: 27)]
        blinky.spec.simulateAdvertisementChange([CBMAdvertisementConfig(data: data, interval: 0.1)])
        air.run(for: .milliseconds(50))
        app.heard = []
        try air.run(until: app.heard.contains { $0.data[CBMAdvertisementDataServiceDataKey] != nil })
        #expect(app.heard.allSatisfy { $0.data[CBMAdvertisementDataManufacturerDataKey] != nil })
        #expect(heardNames().allSatisfy { $0 != name && $0 != String(name.prefix(1)) })
    }

    @Test("Services without room in an advertisement are in its response, in their order; what is more is left out")
    func manyServices() throws {
        let app = BlinkyApp()
        app.isConnecting = false
        try air.run(until: app.heard.count == 1)
        let options = [CBMCentralManagerScanOptionAllowDuplicatesKey: true as NSNumber]
        app.manager.scanForPeripherals(withServices: nil, options: options)
        let long = (1...3).map { CBMUUID(string: "0000000\($0)-0000-0000-0000-000000000000") }
        let short = (0..<20).map { CBMUUID(string: "FF\($0 + 10)") }
        let two = Array(long.prefix(2))
        for (services, heard) in [(two, two), (short, short), (long, two)] {
            let data: [String: Any] = [
                CBMAdvertisementDataLocalNameKey: "Test Device", CBMAdvertisementDataServiceUUIDsKey: services,
                CBMAdvertisementDataIsConnectable: true,
            ]
            blinky.spec.simulateAdvertisementChange([CBMAdvertisementConfig(data: data, interval: 0.1)])
            try air.run { app.heard.last?.data[CBMAdvertisementDataServiceUUIDsKey] as? [CBMUUID] == heard }
            #expect(app.heard.last?.data[CBMAdvertisementDataLocalNameKey] as? String == "Test Device")
        }
        app.manager.scanForPeripherals(withServices: [long[1]])
        let count = app.heard.count
        try air.run(until: app.heard.count > count)
        app.manager.scanForPeripherals(withServices: [long[2]])
        air.run(for: .seconds(1))
        app.heard = []
        air.run(for: .seconds(5))
        #expect(app.heard.isEmpty)
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
        let app = try air.settledApp()
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
