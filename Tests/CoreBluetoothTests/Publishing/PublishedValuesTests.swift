import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// Services that an app publishes. `docs/corebluetooth.md`, "Held to it", says what the end of a name means.
@Suite("What becomes of what apps publish")
struct PublishedValuesTests {
    @Test("What is published is a copy: later changes have no effect [H; G]")
    func frozen() throws {
        let value = CBMutableCharacteristic("FFE1", .read, .readable, value: Data([1]))
        let text = CBMutableDescriptor(type: CBUUID(string: "2901"), value: "A number")
        value.descriptors = [text]
        let service = CBMutableService("FFE0", [value])
        let scene = PublishingScene([service])
        value.value = Data([2])
        value.properties = [.read, .write]
        value.permissions = [.readable, .writeable]
        value.descriptors = nil
        service.characteristics = [value, CBMutableCharacteristic("FFE2", .read, .readable, value: Data([3]))]
        scene.run(.seconds(1))
        try scene.connect()
        let database = try scene.central.database()
        let remote = try #require(database.characteristic(0xFFE1))
        #expect(database.characteristic(0xFFE2) == nil && remote.properties == .read)
        #expect(remote.descriptors.map(\.uuid) == [0x2901])
        #expect(try scene.central.read(remote) == .value([1]))
        #expect(try scene.central.write([5], remote) != .written)
    }

    @Test("A value that never changes is handed out by the system, however long, and never asked for [H; D]")
    func cached() throws {
        let long = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        let scene = PublishingScene([
            CBMutableService("FFE0", [CBMutableCharacteristic("FFE1", .read, .readable, value: Data(long))])
        ])
        try scene.connect()
        let remote = try #require(try scene.central.database().characteristic(0xFFE1))
        #expect(try scene.central.read(remote) == .value(long))
        #expect(scene.app.reads.isEmpty)
        #expect(try scene.central.write([5], remote) != .written)
        #expect(scene.central.received.last?.last == 0x03, "write not permitted")
        #expect(scene.app.writes.isEmpty)
    }

    @Test("A description and a format are what the app says; the configuration is the system's [H; D]")
    func descriptors() throws {
        let value = CBMutableCharacteristic("FFE1", [.read, .notify], .readable)
        let format = Data([4, 0, 0x00, 0x27, 1, 0, 0])
        value.descriptors = [
            CBMutableDescriptor(type: CBUUID(string: "2901"), value: "A number"),
            CBMutableDescriptor(type: CBUUID(string: "2904"), value: format),
        ]
        let pair = try PhonePair([CBMutableService("FFE0", [value])])
        let remote = try #require(pair.app.characteristic("FFE1"))
        pair.peripheral.discoverDescriptors(for: remote)
        try pair.wait(for: "descriptors")
        let descriptors = try #require(remote.descriptors)
        #expect(Set(descriptors.map(\.uuid.uuidString)) == ["2901", "2902", "2904"])
        for descriptor in descriptors { pair.peripheral.readValue(for: descriptor) }
        pair.run(.seconds(2))
        let values = Dictionary(uniqueKeysWithValues: descriptors.map { ($0.uuid.uuidString, $0.value) })
        #expect(values["2901"] as? String == "A number")
        #expect(values["2902"] as? NSNumber == 0)
        #expect(values["2904"] as? Data == format)
    }

    @Test("Without subscribers the list of them is empty, published or not [D]")
    func noSubscribers() {
        let value = CBMutableCharacteristic("FFE1", .notify, [])
        #expect(value.subscribedCentrals == [])
        _ = PublishingScene([CBMutableService("FFE0", [value])])
        #expect(value.subscribedCentrals == [])
    }

    @Test("What properties promise, permissions do not give: each is looked at by itself [D]")
    func permissions() throws {
        let scene = PublishingScene([
            CBMutableService(
                "FFE0",
                [
                    CBMutableCharacteristic("FFE1", [.read, .write], []),
                    CBMutableCharacteristic("FFE2", [], [.readable, .writeable]),
                ]
            )
        ])
        scene.app.value = Data([7])
        try scene.connect()
        let database = try scene.central.database()
        let promised = try #require(database.characteristic(0xFFE1))
        let given = try #require(database.characteristic(0xFFE2))
        #expect(promised.properties == [.read, .write] && given.properties == [])
        _ = try scene.central.read(promised)
        #expect(scene.central.received.last?.last == 0x02)
        _ = try scene.central.write([1], promised)
        #expect(scene.central.received.last?.last == 0x03)
        #expect(scene.app.reads.isEmpty && scene.app.writes.isEmpty)
        #expect(try scene.central.read(given) == .value([7]))
        #expect(try scene.central.write([1], given) == .written)
    }

    @Test("An included service that is not published yet makes adding fail [H; D]")
    func includedLater() throws {
        let inner = CBMutableService(type: CBUUID(string: "FFA0"), primary: false)
        let outer = CBMutableService("FFE0")
        outer.includedServices = [inner]
        let scene = PublishingScene([outer])
        #expect((scene.app.errors.first as? CBError)?.code == .invalidParameters)
        #expect(scene.app.heard.first { $0.hasPrefix("added") } == "added FFE0")
    }

    @Test("When there are no handles left, adding fails with code 4 [H; product decision]")
    func outOfSpace() throws {
        let scene = PublishingScene([])
        // Two handles for each characteristic, of 65535 that there are.
        let services = (0..<7).map { number in
            CBMutableService(
                "FFE\(number)",
                (0..<5000).map { _ in CBMutableCharacteristic("FFA1", .read, .readable) }
            )
        }
        for service in services { scene.app.manager.add(service) }
        scene.run(.seconds(1))
        let errors = scene.app.errors.compactMap { ($0 as? CBError)?.code }
        #expect(errors == [.outOfSpace])
        #expect(scene.app.heard.filter { $0.hasPrefix("added") }.count == 7)
    }

    @Test("The phone does not advertise before it has said so, and stopping is not answered [D]")
    func advertisingState() throws {
        let scene = PublishingScene([], advertising: nil)
        scene.app.manager.startAdvertising(nil)
        #expect(!scene.app.manager.isAdvertising)
        scene.run(.seconds(1))
        #expect(scene.app.manager.isAdvertising && scene.app.heard == ["state 5", "advertising"])
        scene.app.manager.stopAdvertising()
        scene.run(.seconds(1))
        #expect(!scene.app.manager.isAdvertising && scene.app.heard == ["state 5", "advertising"])
    }
}
