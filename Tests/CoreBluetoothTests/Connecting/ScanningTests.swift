import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// Scanning, and what is reported. `docs/corebluetooth.md`, "Held to it", says what the end of a name means.
@Suite("Scanning")
struct ScanningTests {
    static let heart = BluetoothUUID(0x180D)

    private func heartAccessory() -> Accessory {
        Accessory(
            data: [.flags([.generalDiscoverable]), .uuids(.completeUUIDs16, [Self.heart])],
            scanResponse: [.completeLocalName("Heart"), .txPowerLevel(SignalStrength(dBm: 4))]
        )
    }

    @Test("Advertisement and scan response come together, with the types that apps expect [H]")
    func dictionary() throws {
        let accessory = heartAccessory()
        accessory.scanResponse.structures.append(.init(.manufacturerSpecific, [0x4C, 0x00, 7]))
        let it = AppScene(accessory)
        it.app.manager.scanForPeripherals(withServices: nil)
        try it.wait(for: "discovered")
        let found = it.app.advertisements[0]
        #expect(found[CBAdvertisementDataLocalNameKey] as? String == "Heart")
        #expect(found[CBAdvertisementDataServiceUUIDsKey] as? [CBUUID] == [CBUUID(string: "180D")])
        #expect(found[CBAdvertisementDataManufacturerDataKey] as? Data == Data([0x4C, 0, 7]))
        #expect(found[CBAdvertisementDataTxPowerLevelKey] as? Int == 4)
        #expect(found[CBAdvertisementDataIsConnectable] as? Bool == true)
        #expect(found[CBAdvertisementDataServiceDataKey] == nil)
        #expect(it.app.peripheral?.name == "Heart")
        #expect((-90 ... -20).contains(it.app.strengths[0].intValue))
    }

    @Test("Sightings collapse into one, a new scan begins anew, duplicates come when asked for [H, M]")
    func duplicates() throws {
        let it = AppScene(heartAccessory())
        it.app.manager.scanForPeripherals(withServices: nil)
        it.run(.seconds(5))
        #expect(it.app.count("discovered") == 1)
        it.app.manager.scanForPeripherals(withServices: nil)
        it.run(.seconds(5))
        #expect(it.app.count("discovered") == 1, "the same scan again changes nothing")
        it.app.manager.stopScan()
        it.app.manager.scanForPeripherals(withServices: nil)
        it.run(.seconds(5))
        #expect(it.app.count("discovered") == 2)
        it.app.manager.scanForPeripherals(
            withServices: nil,
            options: [CBCentralManagerScanOptionAllowDuplicatesKey: true]
        )
        it.run(.seconds(5))
        #expect(it.app.count("discovered") > 50)
        it.app.manager.stopScan()
        it.run(.zero)
        let count = it.app.count("discovered")
        it.run(.seconds(5))
        #expect(it.app.count("discovered") == count && it.app.peripherals.count == 1)
    }

    @Test("A scan never ends by itself [W13]")
    func patience() throws {
        let it = AppScene(Accessory(isOnAir: false))
        it.app.manager.scanForPeripherals(withServices: nil)
        it.run(.seconds(600))
        #expect(it.app.count("discovered") == 0 && it.app.manager.isScanning)
        it.comeOnAir()
        try it.wait(for: "discovered")
    }

    @Test(
        "Of a flood of addresses a phone forgets the silent ones; who is heard, or wanted, is known and reported once"
    )
    func flood() throws {
        var settings = PhoneSettings()
        settings.knownPeers = 64
        let it = AppScene(settings: settings, heartAccessory(), Accessory(isOnAir: false))
        it.app.manager.scanForPeripherals(withServices: nil)
        try it.wait(for: "discovered")
        // One that is heard once, and waited for.
        it.comeOnAir(1)
        try it.wait(for: "discovered", times: 2)
        it.leave(1)
        let wanted = it.app.peripherals[1]
        it.app.manager.connect(wanted)
        let radio = it.world.addRawRadio(named: "stranger", at: .metres(x: 1))
        for number in 0..<400 as Range<UInt64> {
            let address = DeviceAddress(value: 0xC605_0403_0000 + number, kind: .random)
            let pdu = AdvertisingPDU.advNonconnInd(advertiser: address, data: [2, 1, 6])
            radio.advertise(pdu, at: it.world.now + .milliseconds(25 + 25 * Int64(number)))
        }
        it.run(.seconds(11))
        let strangers = it.app.peripherals.dropFirst(2)
        #expect(strangers.count > 100)
        #expect(it.app.advertisements.count { $0[CBAdvertisementDataLocalNameKey] as? String == "Heart" } == 1)
        // A stranger that was forgotten is one that the phone has never met.
        it.app.manager.connect(try #require(strangers.first))
        try it.wait(for: "failed")
        #expect((it.app.errors.last as? CBError)?.code == .unknownDevice)
        it.comeBack(1)
        try it.wait(for: "connected")
        #expect(wanted.state == .connected)
        it.app.manager.connect(try #require(it.app.peripheral))
        try it.wait(for: "connected", times: 2)
    }

    @Test("With services, those are reported that advertise one of them, or solicit what is asked for [H, D]")
    func filter() throws {
        let seeker = Accessory(data: [.uuids(.solicitedUUIDs16, [BluetoothUUID(0x1805)])])
        let it = AppScene(heartAccessory(), seeker, Accessory())
        it.app.manager.scanForPeripherals(withServices: [CBUUID(string: "180F"), CBUUID(string: "180D")])
        it.run(.seconds(3))
        #expect(it.app.advertisements.count == 1 && it.app.peripheral?.name == "Heart")
        it.app.manager.scanForPeripherals(
            withServices: [CBUUID(string: "180F")],
            options: [CBCentralManagerScanOptionSolicitedServiceUUIDsKey: [CBUUID(string: "1805")]]
        )
        it.run(.seconds(3))
        #expect(it.app.advertisements.count == 2)
        #expect(
            it.app.advertisements.last?[CBAdvertisementDataSolicitedServiceUUIDsKey] as? [CBUUID]
                == [CBUUID(string: "1805")]
        )
    }

    @Test("Solicited services are those of 16, of 32 and of 128 bits [D]", arguments: [0..<1, 1..<2, 2..<3, 0..<2])
    func solicited(range: Range<Int>) throws {
        let all = [CBUUID(string: "1805"), CBUUID(string: "12345678"), CBUUID(nsuuid: UUID())]
        let types: [AdvertisingData.DataType] = [.solicitedUUIDs16, .solicitedUUIDs32, .solicitedUUIDs128]
        let seeker = Accessory(
            data: try range.map { .uuids(types[$0], [try #require(BluetoothUUID(all[$0].uuidString))]) }
        )
        let it = AppScene(seeker)
        it.app.manager.scanForPeripherals(
            withServices: [CBUUID(string: "180F")],
            options: [CBCentralManagerScanOptionSolicitedServiceUUIDsKey: [all[range.upperBound - 1]]]
        )
        it.run(.seconds(3))
        #expect(it.app.advertisements.count == 1)
        #expect(
            it.app.advertisements.last?[CBAdvertisementDataSolicitedServiceUUIDsKey] as? [CBUUID]
                == Array(all[range])
        )
    }

    @Test("Services in the overflow area are found by those who ask for them, and by nobody else [H]")
    func overflow() throws {
        var mask = [UInt8](repeating: 0, count: 16)
        mask[10] = 0x08
        let iPhone = Accessory(data: [.init(.manufacturerSpecific, [0x4C, 0x00, 0x01] + mask)])
        let it = AppScene(iPhone)
        it.app.manager.scanForPeripherals(withServices: [CBUUID(string: "180D")])
        it.run(.seconds(3))
        #expect(it.app.advertisements.isEmpty)
        let hidden = CBUUID(string: "2F234454-CF6D-4A0F-ADF2-F4911BA9FFA6")
        it.app.manager.scanForPeripherals(withServices: [CBUUID(string: "180D"), hidden])
        try it.wait(for: "discovered")
        #expect(it.app.advertisements[0][CBAdvertisementDataOverflowServiceUUIDsKey] as? [CBUUID] == [hidden])
        #expect(it.app.advertisements[0][CBAdvertisementDataServiceUUIDsKey] == nil)
    }

    @Test("Who cannot be connected to is reported as such [H]")
    func unconnectable() throws {
        let it = AppScene(Accessory(kind: .nonConnectable))
        it.app.manager.scanForPeripherals(withServices: [])
        try it.wait(for: "discovered")
        #expect(it.app.advertisements[0][CBAdvertisementDataIsConnectable] as? Bool == false)
    }

    @Test("An identifier stays: for the managers of an app, and in the next run [H]")
    func identifiers() throws {
        func identifiers() throws -> (UUID?, UUID?) {
            let it = AppScene(heartAccessory())
            try it.scan()
            let other = CentralApp(it.phone.apps[0].environment)
            it.run(.zero)
            other.manager.scanForPeripherals(withServices: nil)
            it.run(.seconds(2))
            return (it.app.peripheral?.identifier, other.peripheral?.identifier)
        }
        let (first, second) = try identifiers()
        #expect(first != nil && first == second)
        #expect(try identifiers() == (first, second))
    }

    @Test("Another app knows a peripheral by another identifier [product decision]")
    func identifiersOfApps() throws {
        let it = AppScene(heartAccessory())
        try it.scan()
        let other = CentralApp(it.phone.addApp().environment)
        it.run(.zero)
        other.manager.scanForPeripherals(withServices: nil)
        it.run(.seconds(2))
        let (first, second) = (it.app.peripheral?.identifier, other.peripheral?.identifier)
        #expect(first != nil && second != nil && first != second)
    }

    @Test("Peripherals that are known are retrieved by their identifiers, others are left out [M]")
    func retrieval() throws {
        let it = AppScene(heartAccessory())
        try it.scan()
        let found = try #require(it.app.peripheral)
        let other = CentralApp(it.phone.apps[0].environment)
        it.run(.zero)
        let retrieved = other.manager.retrievePeripherals(withIdentifiers: [UUID(), found.identifier])
        #expect(retrieved.map(\.identifier) == [found.identifier] && retrieved[0] !== found)
        #expect(retrieved[0].name == "Heart" && retrieved[0].state == .disconnected)
        #expect(it.app.manager.retrievePeripherals(withIdentifiers: [found.identifier])[0] === found)
    }
}
