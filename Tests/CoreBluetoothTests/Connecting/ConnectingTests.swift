import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// Connecting and disconnecting. `docs/corebluetooth.md`, "Held to it", says what the end of a name means.
@Suite("Connecting")
struct ConnectingTests {
    @Test("A connection is waited for however long it takes [H, D, G]")
    func patience() throws {
        let it = AppScene(Accessory())
        try it.scan()
        it.leave()
        let peripheral = try #require(it.app.peripheral)
        it.app.manager.connect(peripheral)
        it.run(.seconds(3600))
        #expect(peripheral.state == .connecting && it.app.count("failed") == 0)
        it.comeBack()
        try it.wait(for: "connected")
    }

    @Test("A wish that is taken back ends without an error, and nothing is connected afterwards [M]")
    func cancel() throws {
        let it = AppScene(Accessory())
        try it.scan()
        it.leave()
        let peripheral = try #require(it.app.peripheral)
        it.app.manager.connect(peripheral)
        it.run(.seconds(5))
        it.app.manager.cancelPeripheralConnection(peripheral)
        try it.wait(for: "disconnected")
        #expect(it.app.errors.count == 1 && it.app.errors[0] == nil && peripheral.state == .disconnected)
        it.comeBack()
        it.run(.seconds(10))
        #expect(it.app.count("connected") == 0 && it.accessories[0].connections == 0)
        it.app.manager.connect(peripheral)
        try it.wait(for: "connected")
    }

    @Test("Who cancels and connects at once is told of the one connection's end, then of the next one [H, D]")
    func anew() throws {
        let it = AppScene(Accessory())
        let peripheral = try it.connect()
        it.app.manager.cancelPeripheralConnection(peripheral)
        it.app.manager.connect(peripheral)
        #expect(peripheral.state == .connecting)
        try it.wait(for: "disconnected")
        #expect(it.app.errors.last! == nil && peripheral.state == .connecting && peripheral.services == nil)
        #expect(it.app.count("connected") == 1)
        try it.wait(for: "connected", times: 2)
        #expect(peripheral.state == .connected && it.app.count("disconnected") == 1)
        // One that was not begun is no end of its own.
        it.app.manager.cancelPeripheralConnection(peripheral)
        it.app.manager.connect(peripheral)
        it.app.manager.cancelPeripheralConnection(peripheral)
        it.run(.seconds(5))
        #expect(it.app.count("disconnected") == 2 && it.app.count("connected") == 2)
        #expect(peripheral.state == .disconnected && it.accessories[0].connection == nil)
    }

    @Test("Any number may be waited for, and each is connected when it comes [H; D]")
    func several() throws {
        let it = AppScene(Accessory(), Accessory(), Accessory())
        try it.scan()
        for index in 0..<3 { it.leave(index) }
        for peripheral in it.app.peripherals { it.app.manager.connect(peripheral) }
        it.run(.seconds(30))
        #expect(it.app.count("connected") == 0)
        for (count, index) in [2, 0, 1].enumerated() {
            it.comeBack(index)
            try it.wait(for: "connected", times: count + 1)
            #expect(it.accessories[index].connections == 1)
        }
        #expect(it.app.peripherals.allSatisfy { $0.state == .connected })
    }

    @Test("A peripheral out of reach is lost with a timeout, one that hangs up says so [H]")
    func loss() throws {
        let it = AppScene(Accessory())
        let peripheral = try it.connect()
        it.leave()
        try it.wait(for: "disconnected")
        #expect((it.app.errors.last as? CBError)?.code == .connectionTimeout && peripheral.state == .disconnected)
        #expect(peripheral.services == nil)
        it.comeBack()
        it.app.manager.connect(peripheral)
        try it.wait(for: "connected", times: 2)
        let connection = try #require(it.accessories[0].connection)
        try it.touch { try $0.disconnect(connection, at: $1, into: &$2) }
        try it.wait(for: "disconnected", times: 2)
        #expect((it.app.errors.last as? CBError)?.code == .peripheralDisconnected)
    }

    @Test("With the option, the phone connects again by itself and says so [H]")
    func reconnects() throws {
        let it = AppScene(Accessory())
        let peripheral = try it.connect([CBConnectPeripheralOptionEnableAutoReconnect: true])
        it.leave()
        try it.wait(for: "reconnecting")
        #expect(peripheral.state == .connecting)
        it.run(.seconds(60))
        it.comeBack()
        try it.wait(for: "connected", times: 2)
        it.app.manager.cancelPeripheralConnection(peripheral)
        try it.wait(for: "disconnected")
        #expect(it.app.count("reconnecting") == 1)
    }

    @Test("A start delay is waited for first [D]")
    func delay() throws {
        let it = AppScene(Accessory())
        try it.scan()
        it.app.manager.connect(
            try #require(it.app.peripheral),
            options: [CBConnectPeripheralOptionStartDelayKey: 10]
        )
        it.run(.seconds(9))
        #expect(it.app.count("connected") == 0)
        it.run(.seconds(3))
        #expect(it.app.count("connected") == 1)
    }

    @Test("A start delay is waited for also where another app connects earlier, and leaves again [D]")
    func delayBesideAnother() throws {
        for cancels in [false, true] {
            let it = AppScene(Accessory())
            try it.scan()
            let first = try #require(it.app.peripheral)
            let other = CentralApp(it.phone.apps[0].environment)
            it.run(.zero)
            let second = try #require(other.manager.retrievePeripherals(withIdentifiers: [first.identifier]).first)
            other.manager.connect(second, options: [CBConnectPeripheralOptionStartDelayKey: 20])
            it.app.manager.connect(first)
            it.run(.seconds(5))
            #expect(it.app.count("connected") == 1 && other.count("connected") == 0)
            if cancels {
                // Nobody has the connection any more: it ends, although it is wanted later.
                it.app.manager.cancelPeripheralConnection(first)
                it.run(.seconds(2))
                #expect(it.app.count("disconnected") == 1 && it.accessories[0].connection == nil)
            }
            it.run(.seconds(30))
            #expect(other.count("connected") == 1 && second.state == .connected)
            #expect(it.accessories[0].connections == (cancels ? 2 : 1))
        }
    }

    @Test("An app's connection survives another's end, and each is told of its own [H, D]")
    func shared() throws {
        let it = AppScene(Accessory([ServiceDefinition(0x180D)]))
        let first = try it.connect()
        let other = CentralApp(it.phone.apps[0].environment)
        it.run(.zero)
        let second = try #require(other.manager.retrievePeripherals(withIdentifiers: [first.identifier]).first)
        #expect(other.manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "180D")]) == [second])
        #expect(second.state == .disconnected)
        other.manager.connect(second)
        it.run(.milliseconds(1))
        #expect(second.state == .connected && it.accessories[0].connections == 1)
        it.app.manager.cancelPeripheralConnection(first)
        it.run(.seconds(2))
        #expect(it.app.count("disconnected") == 1 && it.app.errors.last! == nil)
        #expect(second.state == .connected && other.count("disconnected") == 0)
        other.manager.cancelPeripheralConnection(second)
        it.run(.seconds(1))
        #expect(other.count("disconnected") == 1 && it.accessories[0].connection == nil)
    }

    @Test("What only one app was notified of is not sent any more when that app leaves")
    func unsubscribed() throws {
        let it = AppScene(Accessory(AttributeTests.services))
        let first = try it.connect()
        first.setNotifyValue(true, for: try #require(it.app.characteristic("AA03")))
        try it.wait(for: "notifying true")
        let other = CentralApp(it.phone.apps[0].environment)
        it.run(.zero)
        let second = try #require(other.manager.retrievePeripherals(withIdentifiers: [first.identifier]).first)
        other.manager.connect(second)
        it.run(.milliseconds(1))
        it.app.manager.cancelPeripheralConnection(first)
        it.run(.seconds(1))
        let connection = try #require(it.accessories[0].connection)
        it.touch { host, _, _ in
            let handle = host.database.valueHandle(of: 0xAA03)!
            #expect(host.subscription(of: connection, to: handle) == [])
        }
    }

    @Test("Nor is what an app asked for that left before it had an answer")
    func leftWhileSubscribing() throws {
        let it = AppScene(Accessory(AttributeTests.services))
        let first = try it.connect()
        let other = CentralApp(it.phone.apps[0].environment)
        it.run(.zero)
        let second = try #require(other.manager.retrievePeripherals(withIdentifiers: [first.identifier]).first)
        other.manager.connect(second)
        it.run(.milliseconds(1))
        let characteristic = try #require(it.app.characteristic("AA03"))
        first.discoverDescriptors(for: characteristic)
        try it.wait(for: "descriptors")
        first.setNotifyValue(true, for: characteristic)
        it.app.manager.cancelPeripheralConnection(first)
        it.run(.seconds(1))
        let connection = try #require(it.accessories[0].connection)
        it.touch { host, _, _ in
            #expect(host.subscription(of: connection, to: host.database.valueHandle(of: 0xAA03)!) == [])
        }
        #expect(it.accessories[0].asked.suffix(2) == ["subscribe AA03", "unsubscribe AA03"])
        #expect(it.app.count("notifying true") == 0 && !characteristic.isNotifying)
    }

    @Test("To take back what was not wanted has no effect [product decision]")
    func nothingToCancel() throws {
        let it = AppScene(Accessory())
        try it.scan()
        it.app.manager.cancelPeripheralConnection(try #require(it.app.peripheral))
        it.run(.seconds(1))
        #expect(it.app.count("disconnected") == 0)
    }

    @Test("Who watches a peripheral hears of connections that others make [H]")
    func events() throws {
        let it = AppScene(Accessory())
        try it.scan()
        let peripheral = try #require(it.app.peripheral)
        let watcher = CentralApp(it.phone.apps[0].environment)
        it.run(.zero)
        watcher.manager.registerForConnectionEvents(options: [.peripheralUUIDs: [peripheral.identifier]])
        it.app.manager.connect(peripheral)
        try it.wait(for: "connected")
        it.app.manager.cancelPeripheralConnection(peripheral)
        try it.wait(for: "disconnected")
        #expect(watcher.heard == ["state 5", "peer connected", "peer disconnected"])
    }

    @Test("A peripheral that requires iOS notifications learns that there are none [H, W19]")
    func ancs() throws {
        let it = AppScene(Accessory())
        _ = try it.connect([CBConnectPeripheralOptionRequiresANCS: true])
        #expect(it.app.count("ancs false") == 1)
    }

    @Test("When Bluetooth goes off everything has ended, and what was found is known when it is on again [H, D]")
    func power() throws {
        let it = AppScene(Accessory())
        let peripheral = try it.connect()
        it.app.manager.scanForPeripherals(withServices: nil)
        it.run(.seconds(1))
        it.phone.switchPower(false)
        it.run(.seconds(10))
        #expect(peripheral.state == .disconnected && !it.app.manager.isScanning && peripheral.services == nil)
        #expect(it.accessories[0].connection == nil)
        it.phone.switchPower(true)
        try it.wait(for: "state 5", times: 2)
        let again = try #require(
            it.app.manager.retrievePeripherals(withIdentifiers: [peripheral.identifier]).first
        )
        it.app.manager.connect(again)
        try it.wait(for: "connected", times: 2)
    }

    @Test("A peripheral that the app has let go of is not connected [H, W13]")
    func unreferenced() throws {
        let it = AppScene(Accessory())
        _ = try it.connect()
        it.app.peripherals = []
        it.run(.seconds(2))
        #expect(it.accessories[0].connection == nil && it.app.count("disconnected") == 0)
        #expect(it.phone.service.misuse.last?.sentence.contains("Did you forget to keep a reference") == true)
    }
}
