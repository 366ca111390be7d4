import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// Each error that an app can meet, provoked; each name ends with its source.
@Suite("How connections fail and end")
struct ConnectionEndTests {
    private func code(_ it: AppScene) -> CBError.Code? { (it.app.errors.last as? CBError)?.code }

    private func text(_ it: AppScene) -> String? { it.app.errors.last??.localizedDescription }

    @Test(
        "When the controller refuses, connecting fails: too many links are code 11, anything else code 10 [H; O]",
        arguments: [(0x09, CBError.Code.connectionLimitReached), (0x0D, .connectionFailed)]
    )
    func refused(status: Int, expected: CBError.Code) throws {
        let it = AppScene(Accessory())
        try it.scan()
        it.leave()
        let peripheral = try #require(it.app.peripheral)
        it.app.manager.connect(peripheral)
        it.run(.seconds(1))
        // LE Connection Complete. Core 6.0, Vol 4, Part E, 7.7.65.1.
        it.controllerSays([4, 0x3E, 19, 0x01, UInt8(status)] + [UInt8](repeating: 0, count: 17))
        try it.wait(for: "failed")
        #expect(code(it) == expected && peripheral.state == .disconnected)
        it.run(.seconds(10))
        #expect(it.app.count("failed") == 1)
    }

    @Test("Code 6, where the peer is out of reach; code 7, where it hangs up: with the words that apps know [O]")
    func words() throws {
        let it = AppScene(Accessory())
        let peripheral = try it.connect()
        it.leave()
        try it.wait(for: "disconnected")
        #expect(code(it) == .connectionTimeout)
        #expect(text(it) == "The connection has timed out unexpectedly.")
        it.comeBack()
        it.app.manager.connect(peripheral)
        try it.wait(for: "connected", times: 2)
        let connection = try #require(it.accessories[0].connection)
        try it.touch { try $0.disconnect(connection, at: $1, into: &$2) }
        try it.wait(for: "disconnected", times: 2)
        #expect(code(it) == .peripheralDisconnected)
        #expect(text(it) == "The specified device has disconnected from us.")
    }

    @Test("A peer that did not hear the call is called again, and the app is told of the connection that comes about")
    func neverHeard() throws {
        let it = AppScene(Accessory())
        try it.scan()
        it.world.setLoss(.always, from: it.phone.device, to: it.devices[0])
        it.app.manager.connect(try #require(it.app.peripheral))
        it.run(.seconds(3))
        #expect(it.app.count("connected") == 0 && it.app.count("failed") == 0)
        it.world.setLoss(.never, from: it.phone.device, to: it.devices[0])
        try it.wait(for: "connected")
        it.run(.seconds(3))
        #expect(it.app.count("connected") == 1 && it.app.count("disconnected") == 0)
        #expect(it.app.peripheral?.state == .connected)
    }

    @Test("Who gives up on a peer that does not hear the call is told so once, and the phone stops calling")
    func neverHeardAndLeft() throws {
        let it = AppScene(Accessory())
        try it.scan()
        it.world.setLoss(.always, from: it.phone.device, to: it.devices[0])
        let peripheral = try #require(it.app.peripheral)
        it.app.manager.connect(peripheral)
        it.run(.milliseconds(2_050))
        it.app.manager.cancelPeripheralConnection(peripheral)
        it.run(.seconds(1))
        it.world.setLoss(.never, from: it.phone.device, to: it.devices[0])
        it.run(.seconds(5))
        #expect(it.app.count("connected") == 0 && it.app.count("disconnected") <= 1)
        #expect(peripheral.state == .disconnected && it.accessories[0].connection == nil)
    }

    @Test(
        "Code 15, where the two keep different keys; code 14, where the peer keeps none [O]",
        arguments: [true, false]
    )
    func keys(keepsAnother: Bool) throws {
        let it = AppScene(Accessory([.secret]))
        let peripheral = try it.connect()
        peripheral.readValue(for: try #require(it.app.characteristic("AA01")))
        try it.wait(for: "value")
        it.run(.seconds(2))
        it.app.manager.cancelPeripheralConnection(peripheral)
        try it.wait(for: "disconnected")
        var bond = try #require(it.bonds[0].all.first)
        if keepsAnother {
            let another = try #require(bond.peerIdentityResolvingKey)
            bond.keyAsPeripheral?.value = another
            try it.bonds[0].save(bond)
        } else {
            try it.bonds[0].remove(peer: bond.peer, of: bond.local)
        }
        // The accessory starts anew, with what it keeps.
        it.touch { host, now, actions in host.powerOff(at: now, into: &actions) }
        it.run(.seconds(1))
        it.touch { host, now, actions in host.powerOn(at: now, into: &actions) }
        it.run(.seconds(1))
        it.app.manager.connect(peripheral)
        try it.wait(for: "connected", times: 2)
        let count = it.app.count("characteristics")
        peripheral.discoverServices(nil)
        it.world.run(for: .seconds(10)) {
            it.app.count("characteristics") > count || it.app.count("disconnected") == 2
        }
        if let value = it.app.characteristic("AA01") { peripheral.readValue(for: value) }
        try it.wait(for: "disconnected", times: 2, within: .seconds(90))
        #expect(code(it) == (keepsAnother ? .encryptionTimedOut : .peerRemovedPairingInformation))
        #expect(
            text(it)
                == (keepsAnother
                    ? "Failed to encrypt the connection, the connection has timed out unexpectedly."
                    : "Peer removed pairing information")
        )
    }

    @Test("The peer may ask for encryption itself; the phone then pairs without an app's doing [W19]")
    func demanded() throws {
        let it = AppScene(Accessory())
        _ = try it.connect()
        #expect(it.bonds[0].all.isEmpty)
        let connection = try #require(it.accessories[0].connection)
        try it.touch { try $0.requestSecurity(connection, at: $1, into: &$2) }
        it.run(.seconds(5))
        #expect(it.bonds[0].all.count == 1 && it.app.errors.isEmpty)
    }

    @Test("A bond serves every app of the phone [product decision]")
    func sharedBond() throws {
        let it = AppScene(Accessory([.secret]))
        let peripheral = try it.connect()
        peripheral.readValue(for: try #require(it.app.characteristic("AA01")))
        try it.wait(for: "value")
        it.run(.seconds(2))
        it.app.manager.cancelPeripheralConnection(peripheral)
        try it.wait(for: "disconnected")
        let bond = it.bonds[0].all
        let other = CentralApp(it.phone.addApp().environment)
        other.connectsAtOnce = true
        it.run(.zero)
        other.manager.scanForPeripherals(withServices: nil)
        it.world.run(for: .seconds(20)) { other.count("connected") == 1 }
        try #require(other.peripheral).discoverServices(nil)
        it.run(.seconds(2))
        try #require(other.peripheral).readValue(for: try #require(other.characteristic("AA01")))
        it.run(.seconds(3))
        #expect(other.values.map(\.1) == [Data([1])])
        #expect(it.bonds[0].all.map(\.keyAsPeripheral) == bond.map(\.keyAsPeripheral), "nobody has paired anew")
    }

    @Test("After an end nothing comes of what was under way; what was found is invalid [H; D]")
    func afterwards() throws {
        let it = AppScene(Accessory(AttributeTests.services))
        let peripheral = try it.connect()
        let value = try #require(it.app.characteristic("AA01"))
        it.leave()
        peripheral.readValue(for: value)
        peripheral.writeValue(Data([1]), for: value, type: .withResponse)
        peripheral.readRSSI()
        peripheral.setNotifyValue(true, for: try #require(it.app.characteristic("AA03")))
        let index = it.app.heard.count
        try it.wait(for: "disconnected")
        it.run(.seconds(60))
        #expect(it.app.heard.last == "disconnected")
        #expect(Set(it.app.heard[index...]).subtracting(["disconnected", "strength"]) == [])
        it.comeBack()
        it.app.manager.connect(peripheral)
        try it.wait(for: "connected", times: 2)
        peripheral.readValue(for: value)
        it.run(.seconds(3))
        #expect(it.app.values.isEmpty)
        #expect(it.phone.service.misuse.last?.sentence.contains("is not a valid attribute") == true)
    }

    @Test("What was found is kept while the phone connects again by itself, until it has [M; product decision]")
    func kept() throws {
        let it = AppScene(Accessory([.secret]))
        let peripheral = try it.connect([CBConnectPeripheralOptionEnableAutoReconnect: true])
        it.leave()
        try it.wait(for: "reconnecting")
        #expect(peripheral.services?.count == 1)
        it.comeBack()
        try it.wait(for: "connected", times: 2)
        #expect(peripheral.services == nil)
    }

    @Test("A connection goes through connecting, connected, disconnecting and disconnected [H]")
    func states() throws {
        let it = AppScene(Accessory())
        try it.scan()
        let peripheral = try #require(it.app.peripheral)
        var states = [peripheral.state]
        it.app.manager.connect(peripheral)
        states.append(peripheral.state)
        try it.wait(for: "connected")
        states.append(peripheral.state)
        it.app.manager.cancelPeripheralConnection(peripheral)
        states.append(peripheral.state)
        try it.wait(for: "disconnected")
        states.append(peripheral.state)
        #expect(states == [.disconnected, .connecting, .connected, .disconnecting, .disconnected])
        #expect(it.app.errors.count == 1 && it.app.errors[0] == nil)
    }

    @Test("Who watches services hears of peripherals with one of them, and nothing any more after nil [H]")
    func events() throws {
        let it = AppScene(Accessory([ServiceDefinition(0xAA00)]))
        try it.scan()
        let peripheral = try #require(it.app.peripheral)
        let watchers = (0..<3).map { _ in CentralApp(it.phone.addApp().environment) }
        it.run(.zero)
        for (watcher, service) in zip(watchers, ["AA00", "BB00", "AA00"]) {
            watcher.manager.registerForConnectionEvents(options: [.serviceUUIDs: [CBUUID(string: service)]])
        }
        watchers[2].manager.registerForConnectionEvents(options: nil)
        it.app.manager.connect(peripheral)
        try it.wait(for: "connected")
        it.run(.seconds(2))
        it.app.manager.cancelPeripheralConnection(peripheral)
        try it.wait(for: "disconnected")
        it.run(.seconds(1))
        #expect(watchers[0].heard == ["state 5", "peer connected", "peer disconnected"])
        #expect(watchers[1].heard == ["state 5"] && watchers[2].heard == ["state 5"])
    }
}
