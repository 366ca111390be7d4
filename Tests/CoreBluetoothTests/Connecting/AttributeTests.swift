import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// Reading, and being notified. `docs/corebluetooth.md`, "Held to it", says what the end of a name means.
@Suite("What a peripheral serves")
struct AttributeTests {
    static let long = (0..<300).map { UInt8(truncatingIfNeeded: $0) }

    static let services: [ServiceDefinition] = [
        .genericAttribute,
        ServiceDefinition(
            0xAA00,
            includes: [IncludeDefinition(.uuid(0xBB00))],
            characteristics: [
                CharacteristicDefinition(0xAA01, properties: [.read, .write], value: long),
                CharacteristicDefinition(0xAA02, properties: [.writeWithoutResponse, .write]),
                CharacteristicDefinition(
                    0xAA03,
                    properties: [.read, .notify, .indicate],
                    value: [1],
                    descriptors: [
                        DescriptorDefinition(.clientConfiguration()),
                        DescriptorDefinition(.userDescription("A number")),
                    ]
                ),
                CharacteristicDefinition(
                    0xAA04,
                    properties: .indicate,
                    descriptors: [DescriptorDefinition(.clientConfiguration())]
                ),
            ]
        ),
        ServiceDefinition(
            0xBB00,
            isPrimary: false,
            characteristics: [CharacteristicDefinition(0xBB01, properties: .read, value: [7])]
        ),
    ]

    private func scene() throws -> (AppScene, CBPeripheral) {
        let it = AppScene(Accessory(Self.services))
        return (it, try it.connect())
    }

    /// The same, where nothing was looked for yet.
    private func connectedScene() throws -> (AppScene, CBPeripheral) {
        let it = AppScene(Accessory(Self.services))
        try it.scan()
        let peripheral = try #require(it.app.peripheral)
        it.app.manager.connect(peripheral)
        try it.wait(for: "connected")
        return (it, peripheral)
    }

    private func notify(_ it: AppScene, _ uuid: BluetoothUUID, _ value: [UInt8], indicates: Bool = false) throws {
        it.touch { host, now, actions in
            guard let handle = host.database.valueHandle(of: uuid) else { return }
            if indicates {
                host.indicate(value, handle: handle, at: now, into: &actions)
            } else {
                host.notify(value, handle: handle, at: now, into: &actions)
            }
        }
    }

    @Test("Long values are read completely [O]")
    func longRead() throws {
        let (it, peripheral) = try scene()
        let characteristic = try #require(it.app.characteristic("AA01"))
        peripheral.readValue(for: characteristic)
        try it.wait(for: "value")
        #expect(characteristic.value == Data(Self.long))
    }

    @Test("Values of up to 512 bytes are written with one answer; longer ones are refused [H, W17]")
    func longWrite() throws {
        let (it, peripheral) = try scene()
        let characteristic = try #require(it.app.characteristic("AA01"))
        #expect(peripheral.maximumWriteValueLength(for: .withResponse) == 512)
        peripheral.writeValue(Data(repeating: 9, count: 512), for: characteristic, type: .withResponse)
        try it.wait(for: "written")
        #expect(it.accessories[0].written == [[UInt8](repeating: 9, count: 512)])
        peripheral.writeValue(Data(repeating: 9, count: 513), for: characteristic, type: .withResponse)
        try it.wait(for: "written failed")
        #expect((it.app.errors.last as? CBATTError)?.code == .invalidAttributeValueLength)
    }

    @Test("What may not be read or written is refused in the callback, not before [G]")
    func refusals() throws {
        let (it, peripheral) = try scene()
        peripheral.readValue(for: try #require(it.app.characteristic("AA02")))
        try it.wait(for: "value failed")
        #expect((it.app.errors.last as? CBATTError)?.code == .readNotPermitted)
        peripheral.writeValue(Data([1]), for: try #require(it.app.characteristic("AA03")), type: .withResponse)
        try it.wait(for: "written failed")
        #expect((it.app.errors.last as? CBATTError)?.code == .writeNotPermitted)
    }

    @Test("The MTU is exchanged by the phone, and a write without response takes three bytes less [W13, O]")
    func limits() throws {
        let (it, peripheral) = try scene()
        #expect(peripheral.maximumWriteValueLength(for: .withoutResponse) == 512)
        let characteristic = try #require(it.app.characteristic("AA02"))
        peripheral.writeValue(Data(repeating: 5, count: 512), for: characteristic, type: .withoutResponse)
        it.run(.seconds(1))
        #expect(it.accessories[0].written.map(\.count) == [512])
        #expect(it.app.count("written") == 0, "there is no callback")
    }

    @Test("Writes without response fill a window; the app hears when it may go on, and nothing is lost [H, W17]")
    func flow() throws {
        let (it, peripheral) = try scene()
        let characteristic = try #require(it.app.characteristic("AA02"))
        var next: UInt8 = 0
        func pump(_ peripheral: CBPeripheral) {
            while next < 200, peripheral.canSendWriteWithoutResponse {
                peripheral.writeValue(
                    Data([next] + [UInt8](repeating: 0, count: 100)),
                    for: characteristic,
                    type: .withoutResponse
                )
                next += 1
            }
        }
        it.app.onReady = { pump($0) }
        #expect(peripheral.canSendWriteWithoutResponse)
        pump(peripheral)
        #expect(next < 200 && !peripheral.canSendWriteWithoutResponse)
        it.run(.seconds(20))
        #expect(it.accessories[0].written.map { $0[0] } == Array(0..<200))
        #expect(it.app.count("ready") >= 200 / 16)
    }

    @Test("Notifications are preferred to indications; either arrives as a value [H, D]")
    func notifications() throws {
        let (it, peripheral) = try scene()
        let both = try #require(it.app.characteristic("AA03"))
        let indicated = try #require(it.app.characteristic("AA04"))
        try notify(it, 0xAA03, [2])
        peripheral.setNotifyValue(true, for: both)
        try it.wait(for: "notifying true")
        peripheral.setNotifyValue(true, for: indicated)
        try it.wait(for: "notifying true", times: 2)
        try notify(it, 0xAA03, [3])
        try notify(it, 0xAA04, [4], indicates: true)
        it.run(.seconds(1))
        #expect(it.app.values.map(\.1) == [Data([3]), Data([4])])
        #expect(both.value == Data([3]) && indicated.value == Data([4]))
        peripheral.setNotifyValue(false, for: both)
        try it.wait(for: "notifying false")
        try notify(it, 0xAA03, [5])
        it.run(.seconds(1))
        #expect(it.app.values.count == 2 && !both.isNotifying)
    }

    @Test("Who cannot notify refuses, in the notification state's callback [H, D]")
    func cannotNotify() throws {
        let (it, peripheral) = try scene()
        let characteristic = try #require(it.app.characteristic("AA01"))
        peripheral.setNotifyValue(true, for: characteristic)
        try it.wait(for: "notifying false failed")
        #expect((it.app.errors.last as? CBATTError)?.code == .requestNotSupported && !characteristic.isNotifying)
    }

    @Test("Descriptors are found, and read as the types that apps expect [H, O]")
    func descriptors() throws {
        let (it, peripheral) = try scene()
        let characteristic = try #require(it.app.characteristic("AA03"))
        peripheral.discoverDescriptors(for: characteristic)
        try it.wait(for: "descriptors")
        #expect(characteristic.descriptors?.map(\.uuid.uuidString) == ["2902", "2901"])
        for descriptor in characteristic.descriptors ?? [] { peripheral.readValue(for: descriptor) }
        try it.wait(for: "descriptor A number")
        #expect(characteristic.descriptors?[0].value as? NSNumber == 0)
    }

    @Test("Included services are found, and what is in them [H]")
    func included() throws {
        let (it, peripheral) = try scene()
        #expect(peripheral.services?.map(\.uuid.uuidString) == ["AA00"])
        let service = try #require(it.app.service("AA00"))
        peripheral.discoverIncludedServices(nil, for: service)
        try it.wait(for: "included")
        let inner = try #require(service.includedServices?.first)
        #expect(inner.uuid == CBUUID(string: "BB00") && !inner.isPrimary)
        let count = it.app.count("characteristics")
        peripheral.discoverCharacteristics(nil, for: inner)
        try it.wait(for: "characteristics", times: count + 1)
        peripheral.readValue(for: try #require(inner.characteristics?.first))
        try it.wait(for: "value")
        #expect(inner.characteristics?.first?.value == Data([7]))
    }

    @Test("Only listed services and characteristics are found; a list that matches nothing is no error [D]")
    func lists() throws {
        let (it, peripheral) = try connectedScene()
        #expect(peripheral.services == nil)
        peripheral.discoverServices([CBUUID(string: "CCCC")])
        try it.wait(for: "services")
        #expect(peripheral.services == [])
        peripheral.discoverServices([CBUUID(string: "AA00")])
        try it.wait(for: "services", times: 2)
        #expect(peripheral.services?.map(\.uuid.uuidString) == ["AA00"])
    }

    @Test("An empty list of services or characteristics is taken for none [M; O]")
    func emptyLists() throws {
        let (it, peripheral) = try connectedScene()
        peripheral.delegate = nil
        peripheral.discoverServices([])
        it.run(.seconds(2))
        peripheral.delegate = it.app
        let service = try #require(it.app.service("AA00"))
        peripheral.discoverIncludedServices([], for: service)
        try it.wait(for: "included")
        #expect(service.includedServices?.map(\.uuid.uuidString) == ["BB00"])
        peripheral.discoverCharacteristics([], for: service)
        try it.wait(for: "characteristics")
        #expect(service.characteristics?.map(\.uuid.uuidString) == ["AA01", "AA02", "AA03", "AA04"])
    }

    @Test("A value that comes before the answer to the order for values reaches the app that gave it [O]")
    func earlyValue() throws {
        let (it, peripheral) = try scene()
        let characteristic = try #require(it.app.characteristic("AA03"))
        var handle: UInt16 = 0
        it.touch { host, _, _ in handle = host.database.valueHandle(of: 0xAA03)!.rawValue }
        // The descriptors are found before.
        peripheral.discoverDescriptors(for: characteristic)
        try it.wait(for: "descriptors")
        it.app.heard = []
        peripheral.setNotifyValue(true, for: characteristic)
        it.run(.zero)
        // ATT_HANDLE_VALUE_NTF on the first connection, as H4. Core 6.0, Vol 3, Part F, 3.4.7.1.
        let pdu: [UInt8] = [0x1B, UInt8(handle & 0xFF), UInt8(handle >> 8), 42]
        it.controllerSays([2, 0, 0x20, UInt8(pdu.count + 4), 0, UInt8(pdu.count), 0, 4, 0] + pdu)
        #expect(it.app.heard == ["value"] && characteristic.value == Data([42]) && !characteristic.isNotifying)
        try it.wait(for: "notifying true")
        #expect(it.app.heard == ["value", "notifying true"])
    }

    @Test("What is known is not asked for again [W13]")
    func cache() throws {
        let (it, peripheral) = try scene()
        let count = it.app.count("services")
        peripheral.discoverServices(nil)
        it.run(.microseconds(1))
        #expect(it.app.count("services") == count + 1)
    }

    @Test(
        "Of an unbonded peripheral only a table that cannot change is kept beyond the connection [W17]",
        arguments: [false, true]
    )
    func cacheOfConnections(hasServiceChanged: Bool) throws {
        let services = hasServiceChanged ? Self.services : Array(Self.services.dropFirst())
        let it = AppScene(Accessory(services))
        let peripheral = try it.connect()
        it.run(.seconds(1))
        it.app.manager.cancelPeripheralConnection(peripheral)
        try it.wait(for: "disconnected")
        it.app.manager.connect(peripheral)
        try it.wait(for: "connected", times: 2)
        // The phone's own MTU exchange comes first; then what is known is there at once.
        it.run(.milliseconds(500))
        let service = try #require(it.discoverAgain(peripheral))
        let count = it.app.count("characteristics")
        peripheral.discoverCharacteristics(nil, for: service)
        it.run(.microseconds(1))
        #expect((it.app.count("characteristics") > count) == !hasServiceChanged)
    }

    @Test("A service that is gone is told of if it was found, one that was added too; others stay usable [D, W13]")
    func modified() throws {
        let (it, peripheral) = try scene()
        it.run(.seconds(1))
        let kept = try #require(it.app.characteristic("AA01"))
        it.touch { host, now, actions in
            _ = try? host.addServices([ServiceDefinition(0xCC00)], at: now, into: &actions)
        }
        try it.wait(for: "modified []")
        peripheral.discoverServices(nil)
        it.run(.seconds(1))
        #expect(peripheral.services?.map(\.uuid.uuidString) == ["AA00", "CC00"])
        try it.touch { host, now, actions in
            let row = try #require(host.database.rows.last)
            try host.removeService(at: row.handle, at: now, into: &actions)
        }
        try it.wait(for: "modified [\"CC00\"]")
        peripheral.readValue(for: kept)
        try it.wait(for: "value")
    }

    @Test("Of a table that changes without end, while nothing is answered, an app hears once [W13]")
    func modifiedWithoutEnd() throws {
        let silent = CharacteristicDefinition(0xDD01, properties: .read, reads: .application)
        let it = AppScene(Accessory([.genericAttribute, ServiceDefinition(0xDD00, characteristics: [silent])]))
        let peripheral = try it.connect()
        it.run(.seconds(1))
        it.accessories[0].answersReads = false
        peripheral.readValue(for: try #require(it.app.characteristic("DD01")))
        it.run(.seconds(1))
        for _ in 0..<100 {
            it.touch { host, now, actions in
                // What stands before it, Service Changed among it, stays known.
                guard let first = host.database.valueHandle(of: 0xDD01),
                    let report = host.database.valueHandle(of: 0x2A05)
                else { return }
                host.indicate([UInt8(first.rawValue), 0, 0xFF, 0xFF], handle: report, at: now, into: &actions)
            }
            it.run(.milliseconds(100))
        }
        #expect(it.app.heard.filter { $0.hasPrefix("modified") } == ["modified [\"DD00\"]"])
    }

    @Test("The signal strength is read on a connection [D]")
    func strength() throws {
        let (it, peripheral) = try scene()
        peripheral.readRSSI()
        try it.wait(for: "strength")
        #expect((-90 ... -20).contains(it.app.strengths.last?.intValue ?? 0))
    }
}

extension AppScene {
    /// The service AA00 of a new connection, without its characteristics.
    fileprivate func discoverAgain(_ peripheral: CBPeripheral) -> CBService? {
        peripheral.delegate = nil
        peripheral.discoverServices([CBUUID(string: "AA00")])
        run(.seconds(1))
        peripheral.delegate = app
        return peripheral.services?.first
    }
}
