import BluethroatBluetoothValues
import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@Suite("What apps publish on a phone")
struct PublishedServicesTests {
    @Test("A heart rate monitor that only knows CoreBluetooth is found, read and listened to [H; D; G]")
    func heartRate() throws {
        let measurement = CBMutableCharacteristic("2A37", .notify, [])
        let location = CBMutableCharacteristic("2A38", .read, .readable, value: Data([1]))
        let scene = PublishingScene(
            [CBMutableService("180D", [measurement, location])],
            advertising: [
                CBAdvertisementDataLocalNameKey: "Heart",
                CBAdvertisementDataServiceUUIDsKey: [CBUUID(string: "180D")],
            ]
        )
        #expect(scene.app.heard == ["state 5", "added 180D", "advertising"])
        let air = try scene.central.scan()
        #expect(air.advertisement == [2, 1, 0x1A, 3, 3, 0x0D, 0x18, 6, 9] + Array("Heart".utf8))
        #expect(air.scanResponse.isEmpty)

        try scene.connect()
        let database = try scene.central.database()
        let heart = try #require(database.characteristic(0x2A37, in: 0x180D))
        let place = try #require(database.characteristic(0x2A38))
        #expect(heart.properties == .notify && place.properties == .read)
        #expect(try scene.central.read(place) == .value([1]))
        #expect(scene.app.reads.isEmpty)

        #expect(try scene.central.subscribe(heart) == .written)
        scene.run(.milliseconds(100))
        #expect(scene.app.heard.last == "subscribed 2A37")
        #expect(measurement.subscribedCentrals?.count == 1)
        scene.central.forget()
        #expect(scene.app.manager.updateValue(Data([0, 72]), for: measurement, onSubscribedCentrals: nil))
        scene.run(.seconds(1))
        let handle = heart.valueHandle.rawValue
        #expect(scene.central.received == [[0x1B, UInt8(handle & 0xFF), UInt8(handle >> 8), 0, 72]])
        #expect(scene.central.sent.isEmpty)
    }

    @Test("The phone has Generic Access and Generic Attribute by itself")
    func ownServices() throws {
        var settings = PhoneSettings()
        settings.name = "Anna's phone"
        let scene = PublishingScene(settings: settings, [])
        try scene.connect()
        let database = try scene.central.database()
        #expect(database.services.map(\.uuid) == [0x1800, 0x1801])
        let name = try #require(database.characteristic(0x2A00))
        #expect(try scene.central.read(name) == .value(Array("Anna's phone".utf8)))
        #expect(database.characteristic(0x2A05) != nil && database.characteristic(0x2B2A) != nil)
    }

    @Test("Services of two apps share a database; what stays keeps its handles, and clients are told [D remove]")
    func several() throws {
        let first = CBMutableService("FFE0", [CBMutableCharacteristic("FFE1", .read, .readable, value: Data([1]))])
        let second = CBMutableService("FFE0", [CBMutableCharacteristic("FFE2", .read, .readable, value: Data([2]))])
        let scene = PublishingScene([first])
        let other = scene.install([second])
        try scene.connect()
        var database = try scene.central.database()
        #expect(database.services.map(\.uuid) == [0x1800, 0x1801, 0xFFE0, 0xFFE0])
        let handles = database.services.map(\.handles)
        let changed = try #require(database.characteristic(0x2A05))
        #expect(try scene.central.subscribe(changed, .indications) == .written)

        // An app removes its own services only.
        other.manager.remove(first)
        scene.run(.seconds(1))
        #expect(scene.central.indications.isEmpty)
        scene.app.manager.remove(first)
        scene.run(.seconds(1))
        var range: [UInt8] = []
        range += [UInt8(handles[2].lowerBound.rawValue), 0, UInt8(handles[2].upperBound.rawValue), 0]
        #expect(scene.central.indications == [range])
        database = try scene.central.database()
        #expect(database.services.map(\.handles) == [handles[0], handles[1], handles[3]])

        scene.app.manager.add(first)
        scene.run(.seconds(1))
        #expect(scene.central.indications.count == 2)
        database = try scene.central.database()
        #expect(Array(database.services.map(\.handles).prefix(3)) == [handles[0], handles[1], handles[3]])
        #expect(database.services.count == 4)
    }

    @Test("A manager that is gone leaves nothing behind [H]")
    func gone() throws {
        let scene = PublishingScene([])
        var other: PublishingApp? = scene.install([CBMutableService("FFE0")])
        try scene.connect()
        #expect(try scene.central.database().service(0xFFE0) != nil)
        #expect(other != nil)
        other = nil
        scene.run(.seconds(1))
        #expect(try scene.central.database().service(0xFFE0) == nil)
    }

    @Test("An included service is published first and is found in the one that includes it [H; D]")
    func includes() throws {
        let inner = CBMutableService(type: CBUUID(string: "FFA0"), primary: false)
        let outer = CBMutableService("FFE0")
        outer.includedServices = [inner]
        let scene = PublishingScene([inner, outer])
        try scene.connect()
        let database = try scene.central.database()
        #expect(database.service(0xFFE0)?.includes.map(\.uuid) == [0xFFA0])
        // The including service must go first.
        scene.app.manager.remove(inner)
        scene.run(.milliseconds(10))
        #expect(scene.phone.service.misuse.contains { $0.sentence.contains("before one that includes it") })
    }

    @Test(
        "Services that the system owns are refused in their short form only [O: HID write-up]",
        arguments: ["1800", "1801", "1805", "180A", "180F", "1812", "181E"]
    )
    func reserved(uuid: String) throws {
        let scene = PublishingScene([
            CBMutableService(uuid), CBMutableService("0000\(uuid)-0000-1000-8000-00805F9B34FB"),
        ])
        #expect((scene.app.errors.first as? CBError)?.code == .uuidNotAllowed)
        #expect(scene.app.errors.dropFirst().first.map { $0 == nil } == true)
    }

    @Test("A phone may let apps publish a battery [product decision]")
    func permitted() {
        var settings = PhoneSettings()
        settings.allowsReservedServices = true
        let scene = PublishingScene(settings: settings, [CBMutableService("180F"), CBMutableService("1800")])
        #expect(scene.app.errors[0] == nil)
        #expect((scene.app.errors[1] as? CBError)?.code == .uuidNotAllowed)
    }

    @Test(
        "Descriptors that are the system's are refused, others taken [O: HID write-up]",
        arguments: [("2900", false), ("2902", false), ("2903", false), ("2908", true)]
    )
    func descriptors(uuid: String, isTaken: Bool) throws {
        let characteristic = CBMutableCharacteristic("FFE1", .read, .readable)
        characteristic.descriptors = [CBMutableDescriptor(type: CBUUID(string: uuid), value: Data([0, 0]))]
        let scene = PublishingScene([CBMutableService("FFE0", [characteristic])])
        let error = try #require(scene.app.errors.first)
        if isTaken { #expect(error == nil) } else { #expect((error as? CBError)?.code == .invalidParameters) }
    }

    @Test("Local characteristics are neither broadcast nor extended [H; D]")
    func properties() {
        let scene = PublishingScene([
            CBMutableService("FFE0", [CBMutableCharacteristic("FFE1", .broadcast, .readable)]),
            CBMutableService("FFE2", [CBMutableCharacteristic("FFE1", [.read, .extendedProperties], .readable)]),
        ])
        #expect(
            scene.app.errors.prefix(2).compactMap { ($0 as? CBError)?.code } == [
                .invalidParameters, .invalidParameters,
            ]
        )
    }

    @Test("While Bluetooth is off services stay; when its service was lost they have to be added again [H]")
    func power() throws {
        let scene = PublishingScene([CBMutableService("FFE0")])
        scene.phone.switchPower(false)
        scene.run(.milliseconds(10))
        #expect(scene.app.manager.isAdvertising)
        scene.phone.switchPower(true)
        scene.run(.seconds(1))
        try scene.connect()
        #expect(try scene.central.database().service(0xFFE0) != nil)

        // The controller says that it is broken: H4 event 0x10, one byte.
        scene.world.perform(on: scene.phone.device) { host, now, actions in
            host.receive(hci: [4, 0x10, 1, 0], at: now, into: &actions)
        }
        scene.run(.seconds(60))
        #expect(scene.app.heard.suffix(3) == ["state 1", "state 5", "advertising"])
        #expect(scene.central.connection == nil)
        try scene.connect()
        #expect(try scene.central.database().services.map(\.uuid) == [0x1800, 0x1801])
    }
}
