import BluethroatBluetoothValues
import BluethroatHost
import BluethroatLinkLayer
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// What is known of peers. `docs/corebluetooth.md`, "Held to it", says what the end of a name means.
@Suite("What an app knows of peers")
struct PeerTests {
    private static let base = CBUUID(string: "AA00")

    @Test(
        "The name is the one that the peer gives, else the one that it advertises, whole or shortened, else nil [D; H]"
    )
    func names() throws {
        let named = Accessory(
            [.genericAccess(name: "Given")],
            data: [.flags([.generalDiscoverable]), .init(.shortenedLocalName, Array("Adv".utf8))]
        )
        let it = AppScene(named, Accessory())
        try it.scan()
        let names = it.app.peripherals.map(\.name)
        #expect(Set(names) == ["Adv", nil])
        let index = try #require(names.firstIndex(of: "Adv"))
        #expect(it.app.advertisements[index][CBAdvertisementDataLocalNameKey] as? String == "Adv")
        let peripheral = it.app.peripherals[index]
        it.app.manager.connect(peripheral)
        try it.wait(for: "name Given")
        #expect(peripheral.name == "Given")
        let nameless = it.app.peripherals[1 - index]
        it.app.manager.connect(nameless)
        try it.wait(for: "connected", times: 2)
        it.run(.seconds(3))
        #expect(nameless.name == nil && it.app.heard.count { $0.hasPrefix("name ") } == 1)
    }

    @Test("The dictionary has the documented keys, and none for what was not heard [H; product decision]")
    func keys() throws {
        let full = Accessory(
            data: [
                .flags([.generalDiscoverable]), .completeLocalName("A"), .uuids(.completeUUIDs16, [0x180D]),
                .txPowerLevel(SignalStrength(dBm: 4)), .init(.serviceData16, [0x0F, 0x18, 99]),
            ],
            scanResponse: [
                .init(.manufacturerSpecific, [0x4C, 0x00, 7]), .uuids(.solicitedUUIDs16, [0x1805]),
            ]
        )
        let it = AppScene(full)
        try it.scan()
        let keys = try #require(it.app.advertisements.first).keys.sorted()
        #expect(
            keys == [
                "kCBAdvDataIsConnectable", "kCBAdvDataLocalName", "kCBAdvDataManufacturerData",
                "kCBAdvDataServiceData", "kCBAdvDataServiceUUIDs", "kCBAdvDataSolicitedServiceUUIDs",
                "kCBAdvDataTxPowerLevel",
            ]
        )
        let data = it.app.advertisements[0][CBAdvertisementDataServiceDataKey] as? [CBUUID: Data]
        #expect(data == [CBUUID(string: "180F"): Data([99])])
        let bare = AppScene(Accessory(data: []))
        try bare.scan()
        #expect(try #require(bare.app.advertisements.first).keys.sorted() == ["kCBAdvDataIsConnectable"])
    }

    @Test("127 stands for a signal strength that nobody knows [H]")
    func unknownStrength() throws {
        let port = ScriptedPort()
        let recorder = CentralRecorder()
        let environment = BluetoothEnvironment(port: port, delivery: .inline)
        let manager = CBCentralManager(delegate: recorder, queue: nil, environment: environment)
        let sighting = Sighting(
            peer: PeerID(high: 1, low: 2),
            advertisement: AdvertisingData([]),
            isConnectable: true
        )
        port.tell(.state(.poweredOn), .central(.discovered(sighting)))
        #expect(recorder.heard.last == "discovered ? 127")
        withExtendedLifetime(manager) {}
    }

    @Test("An app is shown its own objects for services that it looks for, in every list [product decision]")
    func ownObjects() throws {
        let port = ScriptedPort()
        let recorder = CentralRecorder()
        let environment = BluetoothEnvironment(port: port, delivery: .inline)
        let manager = CBCentralManager(delegate: recorder, queue: nil, environment: environment)
        port.tell(.state(.poweredOn))
        let own = ["A3D5", "A3D6", "A3D7"].map { CBUUID(string: $0) }
        manager.scanForPeripherals(withServices: own)
        // In the order of the scan; in that of an earlier one; and with one that the app has not named.
        let lists: [[BluetoothUUID]] = [[0xA3D5, 0xA3D6, 0xA3D7], [0xA3D7, 0xA3D5], [0xA3D8, 0xA3D6]]
        for list in lists {
            let sighting = Sighting(
                peer: PeerID(high: 1, low: 2),
                advertisement: AdvertisingData([.uuids(.completeUUIDs16, list)]),
                overflowServices: OverflowServices(list),
                isConnectable: true
            )
            port.tell(.central(.discovered(sighting)))
            for key in [CBAdvertisementDataServiceUUIDsKey, CBAdvertisementDataOverflowServiceUUIDsKey] {
                let shown = try #require(recorder.advertisements.last?[key] as? [CBUUID])
                #expect(shown == list.map { CBUUID(string: $0.description) })
                for service in shown where own.contains(service) {
                    #expect(own.contains { $0 === service })
                }
            }
        }
        withExtendedLifetime(manager) {}
    }

    @Test("An empty list of services finds what no list finds [product decision]")
    func emptyList() throws {
        let it = AppScene(Accessory(data: [.uuids(.completeUUIDs16, [0x180D])]), Accessory())
        it.app.manager.scanForPeripherals(withServices: [])
        it.run(.seconds(3))
        #expect(it.app.peripherals.count == 2)
    }

    @Test("Whether one manager scans says nothing of another [H; product decision]")
    func scanning() throws {
        let it = AppScene(Accessory())
        let other = CentralApp(it.phone.apps[0].environment)
        it.run(.zero)
        it.app.manager.scanForPeripherals(withServices: nil)
        it.run(.seconds(3))
        #expect(it.app.manager.isScanning && !other.manager.isScanning && other.count("discovered") == 0)
        other.manager.stopScan()
        #expect(it.app.manager.isScanning)
    }

    @Test("Retrieved peripherals come in the order of the request [M]")
    func retrievalOrder() throws {
        let it = AppScene(Accessory(), Accessory(), Accessory())
        try it.scan()
        let identifiers = it.app.peripherals.map(\.identifier)
        let asked = [identifiers[2], UUID(), identifiers[0], identifiers[1]]
        #expect(
            it.app.manager.retrievePeripherals(withIdentifiers: asked).map(\.identifier)
                == [identifiers[2], identifiers[0], identifiers[1]]
        )
    }

    @Test("Connected peripherals are those with one of the services, and are connected locally before use [H; D]")
    func retrieveConnected() throws {
        let it = AppScene(Accessory([ServiceDefinition(0xAA00)]), Accessory([ServiceDefinition(0xBB00)]))
        try it.scan()
        for peripheral in it.app.peripherals { it.app.manager.connect(peripheral) }
        try it.wait(for: "connected", times: 2)
        it.run(.seconds(2))
        let other = CentralApp(it.phone.addApp().environment)
        it.run(.zero)
        #expect(other.manager.retrieveConnectedPeripherals(withServices: [CBUUID(string: "CC00")]).isEmpty)
        let both = [Self.base, CBUUID(string: "BB00")]
        #expect(other.manager.retrieveConnectedPeripherals(withServices: both).count == 2)
        let found = other.manager.retrieveConnectedPeripherals(withServices: [Self.base])
        let peripheral = try #require(found.first)
        #expect(found.count == 1 && peripheral.state == .disconnected)
        peripheral.discoverServices(nil)
        it.run(.seconds(1))
        #expect(other.count("services") == 0)
        #expect(it.phone.service.misuse.last?.sentence.contains("connected state") == true)
        other.peripherals = [peripheral]
        other.manager.connect(peripheral)
        it.run(.zero)
        peripheral.discoverServices([Self.base])
        it.run(.seconds(1))
        #expect(other.count("services") == 1)
    }

    @Test(
        "Identifiers follow from the number of the phone, whatever its address is, from the app and from the peer [G]"
    )
    func identifierNumber() throws {
        func identifiers(_ number: UInt64?, seed: UInt64) throws -> [UUID] {
            let world = World(seed: seed)
            var settings = PhoneSettings()
            settings.identifierNumber = number
            let phone = Phone(named: "phone", in: world, settings: settings)
            let apps = ["one", "two"].map { CentralApp(phone.addApp(named: $0).environment) }
            world.addDevice(
                named: "accessory",
                controller: ControllerConfiguration(publicAddress: DeviceAddress(value: 0xC0FFEE, kind: .public)),
                at: .metres(x: 1),
                application: Accessory()
            )
            world.run(for: .seconds(1))
            for app in apps { app.manager.scanForPeripherals(withServices: nil) }
            try #require(world.run(for: .seconds(10)) { apps.allSatisfy { $0.peripheral != nil } })
            return apps.compactMap { $0.peripheral?.identifier }
        }
        let first = try identifiers(5, seed: 1)
        #expect(first.count == 2 && first[0] != first[1], "each app has its own")
        #expect(try identifiers(5, seed: 2) == first)
        #expect(try identifiers(6, seed: 1) != first)
        #expect(try identifiers(nil, seed: 1) != identifiers(nil, seed: 2), "the address decides")
    }

    @Test("The long spelling of a short UUID stays long, and equals it [product decision; O]")
    func longSpelling() {
        let long = CBUUID(string: "0000180d-0000-1000-8000-00805f9b34fb")
        #expect(long.uuidString == "0000180D-0000-1000-8000-00805F9B34FB" && long.data.count == 16)
        #expect(long == CBUUID(string: "180D"))
    }
}
