import BluethroatBluetoothValues
import BluethroatHost
import BluethroatLinkLayer
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("A central that has connected to the phone, as a peer of its apps")
struct CentralAsPeerTests {
    private let scene = PublishingScene([
        CBMutableService("FFE0", [CBMutableCharacteristic("FFE1", [.read, .notify], .readable)])
    ])
    private let app: CentralApp
    private let peer: CBPeripheral

    private init() throws {
        app = CentralApp(scene.phone.apps[0].environment)
        try scene.connect()
        let remote = try #require(try scene.central.database().characteristic(0xFFE1))
        _ = try scene.central.subscribe(remote)
        scene.run(.milliseconds(100))
        let central = try #require(scene.app.centrals.first)
        // Both managers know it by the same identifier.
        peer = try #require(app.manager.retrievePeripherals(withIdentifiers: [central.identifier]).first)
        scene.central.forget()
        app.manager.connect(peer)
        scene.run(.milliseconds(100))
    }

    @Test("Connecting to it shares the link that there is, at once and without a word on the air")
    func shared() {
        #expect(app.heard.suffix(1) == ["connected"])
        #expect(peer.state == .connected)
        #expect(scene.central.received.isEmpty)
    }

    @Test("Its services are found where an app asks for them")
    func discovery() throws {
        app.peripherals = [peer]
        peer.discoverServices(nil)
        scene.run(.seconds(2))
        #expect(app.heard.contains("services"))
        #expect(scene.central.received.contains { $0.first == 0x10 }, "asked by group type")
    }

    @Test("The app hears when the central goes, and whether it has said so")
    func ends() throws {
        try scene.central.disconnect()
        #expect(app.heard.last == "disconnected")
        #expect((app.errors.last as? CBError)?.code == .peripheralDisconnected)

        try scene.connect()
        app.manager.connect(peer)
        scene.run(.milliseconds(100))
        #expect(peer.state == .connected)
        scene.world.move(scene.phone.device, to: .metres(x: 100_000))
        scene.run(.seconds(40))
        #expect(app.heard.last == "disconnected")
        #expect((app.errors.last as? CBError)?.code == .connectionTimeout)
    }

    @Test("An app that leaves does not end a connection that it has not made")
    func leaving() throws {
        app.manager.cancelPeripheralConnection(peer)
        scene.run(.seconds(1))
        #expect(app.heard.last == "disconnected" && app.errors.last! == nil)
        #expect(scene.central.connection != nil)
        app.manager = nil
        scene.run(.seconds(1))
        #expect(scene.central.connection != nil)
    }

    @Test("A wish for a central is fulfilled when the central connects by itself")
    func wished() throws {
        try scene.central.disconnect()
        app.manager.connect(peer)
        scene.run(.seconds(1))
        #expect(peer.state == .connecting)
        try scene.connect()
        #expect(peer.state == .connected && app.count("connected") == 2)
    }

    /// The central is bonded, and gone.
    private func bond() throws -> DeviceAddress {
        try scene.central.pair()
        try scene.central.disconnect()
        app.heard = []
        return try #require(scene.world.publicAddress(of: scene.central.device))
    }

    @Test("An app that waits for a bonded central joins no connection of somebody with its address and without its key")
    func impostor() throws {
        let address = try bond()
        app.manager.registerForConnectionEvents(options: [.peripheralUUIDs: [peer.identifier]])
        app.manager.connect(peer)
        scene.world.remove(scene.central.device)
        let impostor = CentralProbe(in: scene.world, at: address)
        try impostor.connect(to: scene.phone.device)
        #expect(impostor.connection != nil)
        scene.run(.seconds(5))
        #expect(peer.state == .connecting && app.heard.isEmpty)
        // Nor one that begins to want it now.
        let late = CentralApp(scene.phone.apps[0].environment)
        scene.run(.milliseconds(100))
        let same = try #require(late.manager.retrievePeripherals(withIdentifiers: [peer.identifier]).first)
        late.manager.connect(same)
        scene.run(.seconds(5))
        #expect(same.state == .connecting && late.count("connected") == 0)
        #expect(
            impostor.received.allSatisfy { ![0x04, 0x06, 0x08, 0x0A, 0x10].contains($0.first) },
            "nothing is asked of it"
        )
    }

    @Test("It joins when the central has shown its key, which it is asked for")
    func proven() throws {
        _ = try bond()
        app.manager.registerForConnectionEvents(options: [.peripheralUUIDs: [peer.identifier]])
        app.manager.connect(peer)
        scene.run(.seconds(1))
        try scene.connect()
        scene.run(.seconds(1))
        #expect(scene.central.isEncrypted)
        #expect(peer.state == .connected && app.heard.sorted() == ["connected", "peer connected"])
    }

    @Test("Who watches a central hears of its connections")
    func watched() throws {
        app.manager.registerForConnectionEvents(options: [.peripheralUUIDs: [peer.identifier]])
        try scene.central.disconnect()
        try scene.connect()
        #expect(app.heard.last == "peer connected")
        try scene.central.disconnect()
        #expect(app.heard.last == "peer disconnected")
    }
}
