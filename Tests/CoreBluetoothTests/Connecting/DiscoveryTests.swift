import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// What discovery finds. `docs/corebluetooth.md`, "Held to it", says what the end of a name means.
@Suite("What an app finds in a peripheral")
struct DiscoveryTests {
    private static let systemServices: [ServiceDefinition] = [
        .genericAccess(name: "Given"), .genericAttribute, ServiceDefinition(0x1812),
        ServiceDefinition(BluetoothUUID("7905F431-B5CE-4E99-A40F-4B1E122D00D0")!), ServiceDefinition(0xAA00),
    ]

    private static let hidden = [
        "1800", "1801", "1812", "7905F431-B5CE-4E99-A40F-4B1E122D00D0",
        "00001800-0000-1000-8000-00805F9B34FB",
    ].map { CBUUID(string: $0) }

    @Test(
        "A phone hides the services it uses itself, even where an app asks for them [Accessory Guidelines; O]"
    )
    func hidesSystemServices() throws {
        let it = AppScene(Accessory(Self.systemServices))
        let peripheral = try it.connect()
        #expect(peripheral.services?.map(\.uuid.uuidString) == ["AA00"])
        peripheral.discoverServices(Self.hidden)
        try it.wait(for: "services", times: 2)
        #expect(peripheral.services?.map(\.uuid.uuidString) == ["AA00"])
        #expect(it.app.errors.isEmpty && peripheral.name == "Given")
        // As a filter for what is connected they still do.
        let connected = it.app.manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "1800")])
        #expect(connected == [peripheral])
    }

    @Test("Without a list all services are found by an app on a phone that hides none [H]")
    func showsSystemServices() throws {
        var settings = PhoneSettings()
        settings.hidesSystemServices = false
        let it = AppScene(settings: settings, Accessory(Self.systemServices))
        let peripheral = try it.connect()
        #expect(peripheral.services?.count == 5)
    }

    @Test("Before anything was looked for there is nil; afterwards there is what was found, added up [D; H]")
    func before() throws {
        let it = AppScene(Accessory(AttributeTests.services))
        try it.scan()
        let peripheral = try #require(it.app.peripheral)
        #expect(peripheral.services == nil)
        it.app.manager.connect(peripheral)
        try it.wait(for: "connected")
        #expect(peripheral.services == nil)
        peripheral.delegate = nil
        peripheral.discoverServices(nil)
        it.run(.seconds(2))
        peripheral.delegate = it.app
        let service = try #require(peripheral.services?.last)
        #expect(service.uuid.uuidString == "AA00" && service.characteristics == nil && service.includedServices == nil)
        peripheral.discoverCharacteristics([CBUUID(string: "AA03")], for: service)
        try it.wait(for: "characteristics")
        #expect(service.characteristics?.map(\.uuid.uuidString) == ["AA03"])
        let value = try #require(service.characteristics?.first)
        #expect(value.descriptors == nil && value.value == nil && !value.isNotifying)
        peripheral.discoverCharacteristics([CBUUID(string: "AA01"), CBUUID(string: "AAFF")], for: service)
        try it.wait(for: "characteristics", times: 2)
        #expect(service.characteristics?.map(\.uuid.uuidString) == ["AA01", "AA03"])
        #expect(service.characteristics?.last === value)
        peripheral.discoverCharacteristics([CBUUID(string: "AAFF")], for: service)
        try it.wait(for: "characteristics", times: 3)
        peripheral.discoverIncludedServices([CBUUID(string: "AAFF")], for: service)
        try it.wait(for: "included")
        #expect(it.app.errors.isEmpty && service.includedServices == [])
    }

    @Test("After an error there are no services [D]")
    func afterError() throws {
        let port = ScriptedPort()
        let peer = PeerID(high: 1, low: 2)
        let link = LinkID(number: 1)
        let manager = CBCentralManager(
            delegate: nil,
            queue: nil,
            environment: BluetoothEnvironment(port: port, delivery: .inline)
        )
        port.tell(.state(.poweredOn), .central(.peerKnown(PeerSummary(id: peer))))
        let identifier = try #require(UUID(uuidString: "00000000-0000-0001-0000-000000000002"))
        let peripheral = try #require(manager.retrievePeripherals(withIdentifiers: [identifier]).first)
        port.tell(.central(.connected(peer, link, LinkLimits(writeWindow: 1))))
        let handle = try #require(AttributeHandle(rawValue: 1))
        let service = RemoteService(uuid: 0x180F, handles: handle...handle)
        port.tell(.central(.peer(peer, link, .servicesDiscovered(.success([service])))))
        #expect(peripheral.services?.count == 1)
        port.tell(.central(.peer(peer, link, .servicesDiscovered(.failure(.att(.unlikelyError))))))
        #expect(peripheral.services == nil)
    }

    @Test("Of a bonded peripheral with Service Changed everything found is kept beyond the connection [W17]")
    func bonded() throws {
        let it = AppScene(Accessory([.genericAttribute, .secret]))
        let peripheral = try it.connect()
        peripheral.readValue(for: try #require(it.app.characteristic("AA01")))
        try it.wait(for: "value")
        it.run(.seconds(2))
        it.app.manager.cancelPeripheralConnection(peripheral)
        try it.wait(for: "disconnected")
        it.app.manager.connect(peripheral)
        try it.wait(for: "connected", times: 2)
        it.run(.seconds(3))
        let counts = (it.app.count("services"), it.app.count("characteristics"))
        peripheral.discoverServices(nil)
        it.run(.microseconds(1))
        it.run(.microseconds(1))
        #expect(it.app.count("services") == counts.0 + 1)
        #expect(it.app.count("characteristics") == counts.1 + 1, "nobody tells that nothing was asked")
    }

    @Test(
        "A descriptor's value is a number, a text or data, by its type [H; O]",
        arguments: ["2900", "2901", "2902", "2903", "2904", "2905", "2908", "AAD0"]
    )
    func descriptorTypes(uuid: String) throws {
        let bytes: [UInt8] = uuid == "2904" ? [4, 0, 0x00, 0x27, 1, 0, 0] : uuid == "2905" ? [3, 0] : [0x41, 0x00]
        let type = try #require(BluetoothUUID(uuid))
        let it = AppScene(
            Accessory([
                ServiceDefinition(
                    0xAA00,
                    characteristics: [
                        CharacteristicDefinition(
                            0xAA01,
                            properties: [.read, .notify, .broadcast],
                            value: [1],
                            descriptors: [DescriptorDefinition(.other(type, value: bytes))]
                        )
                    ]
                )
            ])
        )
        let peripheral = try it.connect()
        let value = try #require(it.app.characteristic("AA01"))
        peripheral.discoverDescriptors(for: value)
        try it.wait(for: "descriptors")
        let descriptor = try #require(value.descriptors?.first { $0.uuid == CBUUID(string: uuid) })
        #expect(descriptor.value == nil)
        peripheral.readValue(for: descriptor)
        it.run(.seconds(1))
        switch uuid {
        // What this app has set, whatever else the peer has.
        case "2902": #expect(descriptor.value as? NSNumber == 0)
        case "2900", "2903": #expect(descriptor.value as? NSNumber == NSNumber(value: 0x0041))
        case "2901": #expect(descriptor.value as? String == "A\0")
        default: #expect(descriptor.value as? Data == Data(bytes))
        }
    }
}
