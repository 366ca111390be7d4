import BluethroatBluetoothValues
import BluethroatPhones
import BluethroatVirtualTime
import CoreBluetooth
import Testing

@testable import BluethroatPhoneService

@Suite("What apps advertise on a phone")
struct PublishedAdvertisingTests {
    private static let flags: [UInt8] = [2, 1, 0x1A]
    private static let long = "2F234454-CF6D-4A0F-ADF2-F4911BA9FFA6"
    private static let longBytes: [UInt8] = [
        0xA6, 0xFF, 0xA9, 0x1B, 0x91, 0xF4, 0xF2, 0xAD, 0x0F, 0x4A, 0x6D, 0xCF, 0x54, 0x44, 0x23, 0x2F,
    ]

    private func scene(_ name: String?, _ services: [String]) -> PublishingScene {
        var advertisement: [String: Any] = [CBAdvertisementDataServiceUUIDsKey: services.map { CBUUID(string: $0) }]
        advertisement[CBAdvertisementDataLocalNameKey] = name
        return PublishingScene([], advertising: advertisement)
    }

    @Test("A service of 16 bits and a name stand in the advertisement, as in a capture of an iPhone [H; O]")
    func short() throws {
        let air = try scene("Fred", ["C007"]).scan()
        #expect(air.advertisement == Self.flags + [3, 3, 0x07, 0xC0, 5, 9] + Array("Fred".utf8))
        #expect(air.scanResponse.isEmpty)
    }

    @Test("Two services of 128 bits: one is advertised, one goes to the overflow area, the name is shortened [H]")
    func overflow() throws {
        let air = try scene("A phone of note", ["00000000-0000-0000-0000-000000000039", Self.long]).scan()
        var other = [UInt8](repeating: 0, count: 16)
        other[0] = 0x39
        #expect(air.advertisement == Self.flags + [17, 6] + other + [9, 8] + Array("A phone ".utf8))
        var mask = [UInt8](repeating: 0, count: 16)
        mask[10] = 0x08
        #expect(air.scanResponse == [0x14, 0xFF, 0x4C, 0x00, 0x01] + mask)
    }

    @Test("A name for which nothing is left has 10 bytes of the scan response [H]")
    func nameInResponse() throws {
        let air = try scene("A phone of note", [Self.long, "FFE0", "FFE1"]).scan()
        #expect(air.advertisement == Self.flags + [5, 3, 0xE0, 0xFF, 0xE1, 0xFF, 17, 7] + Self.longBytes)
        #expect(air.scanResponse == [11, 8] + Array("A phone of".utf8))
    }

    @Test("A name is never cut within a character")
    func characters() {
        let layout = AdvertisementLayout([
            AdvertisementRequest(localName: "ééééééé", services: [BluetoothUUID(Self.long)!])
        ])
        #expect(layout.data.localName == nil)
        #expect(layout.scanResponse.localName == "ééééé")
    }

    @Test(
        "The overflow area has the bits that iPhones were seen to set",
        arguments: [
            (long, 83), ("C007", 36), ("C008", 59), ("1001", 57), ("3333", 57), ("FFE0", 108),
            ("9AA4730F-B25C-4CC3-B821-C931559FC196", 66), ("00000000-0000-0000-0000-000000000000", 0),
        ]
    )
    func bits(uuid: String, bit: Int) throws {
        let service = try #require(BluetoothUUID(uuid))
        #expect(OverflowArea.bit(of: service) == bit)
        let area = OverflowArea([service])
        let again = try #require(OverflowArea(in: AdvertisingData([area.structure])))
        #expect(again == area && again.contains(service))
    }

    @Test("Only a name and services are advertised; of the rest the developer is told [H; D]")
    func ignored() throws {
        let scene = PublishingScene(
            [],
            advertising: [
                CBAdvertisementDataLocalNameKey: "Fred",
                CBAdvertisementDataManufacturerDataKey: Data([1, 2, 3]),
            ]
        )
        #expect(try scene.scan().advertisement == Self.flags + [5, 9] + Array("Fred".utf8))
        #expect(
            scene.phone.service.misuse.map(\.sentence)
                == ["your advertisement carried manufacturer data: iOS drops it"]
        )
    }

    private static let beacon: [UInt8] =
        [0x5A, 0x4B, 0xCF, 0xCE, 0x17, 0x4E, 0x4B, 0xAC, 0xA8, 0x14, 0x09, 0x2E, 0x77, 0xF6, 0xB7, 0xE5]
        + [0x00, 0x07, 0x01, 0x02, 0xC5]

    @Test("What Core Location makes of a beacon region is on the air as an iBeacon, in the foreground only [D; O]")
    func beacon() throws {
        let scene = PublishingScene([], advertising: ["kCBAdvDataAppleBeaconKey": Data(Self.beacon)])
        #expect(scene.app.manager.isAdvertising && scene.phone.service.misuse.isEmpty)
        #expect(try scene.scan().advertisement == Self.flags + [0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + Self.beacon)
        let app = scene.phone.apps[0]
        app.enterBackground()
        scene.run(.seconds(1))
        #expect(try scene.scan().advertisement.isEmpty)
        #expect(
            scene.phone.service.misuse.first?.sentence
                == "your app is an iBeacon in the background: iOS advertises none until the app is in the foreground"
        )
        app.enterForeground()
        scene.run(.seconds(1))
        #expect(try scene.scan().advertisement.count == 30)
    }

    @Test("Beside an iBeacon a name goes to the scan response, and services to the overflow area [product decision]")
    func beaconAndMore() {
        let layout = AdvertisementLayout([
            AdvertisementRequest(localName: "Fred", services: [0xC007], beacon: BeaconAdvertisement(Self.beacon))
        ])
        #expect(layout.data.bytes.count == 30 && layout.overflow == [0xC007])
        #expect(layout.scanResponse.localName == "Fred")
    }

    @Test("An iBeacon that has not 21 bytes is not advertised, and the developer is told")
    func beaconOfWrongLength() throws {
        for count in [0, 20, 22] {
            let bytes = Data(repeating: 1, count: count)
            let scene = PublishingScene([], advertising: ["kCBAdvDataAppleBeaconKey": bytes])
            #expect(try scene.scan().advertisement == Self.flags)
            #expect(
                scene.phone.service.misuse.map(\.sentence)
                    == ["your advertisement carried an iBeacon that has not 21 bytes: iOS drops it"]
            )
        }
    }

    @Test("Who advertises already is told so; who has stopped may begin again [O: app logs]")
    func again() throws {
        let scene = scene("Fred", [])
        scene.app.manager.startAdvertising([:])
        scene.run(.seconds(1))
        #expect(scene.app.heard == ["state 5", "advertising", "advertising"])
        #expect((scene.app.errors.last as? CBError)?.code == .alreadyAdvertising)
        scene.app.manager.stopAdvertising()
        #expect(!scene.app.manager.isAdvertising)
        scene.run(.seconds(1))
        #expect(try scene.scan().advertisement.isEmpty)
        scene.app.manager.startAdvertising(nil)
        scene.run(.seconds(1))
        #expect(scene.app.manager.isAdvertising && scene.app.errors.last! == nil)
        #expect(try scene.scan().advertisement == Self.flags)
    }

    @Test("Who stops before it is told that it has begun does not advertise [D]")
    func stopsBeforeItIsTold() {
        let scene = scene("Fred", [])
        let other = scene.install([])
        scene.run(.seconds(1))
        // The phone advertises for an app already: another one is told at once.
        other.manager.startAdvertising(nil)
        other.manager.stopAdvertising()
        scene.run(.seconds(1))
        #expect(other.heard == ["state 5", "advertising"] && !other.manager.isAdvertising)
        other.manager.startAdvertising(nil)
        scene.run(.seconds(1))
        #expect(other.manager.isAdvertising)
    }

    @Test("Several apps share one advertisement [product decision]")
    func several() throws {
        let scene = scene("Fred", ["FFE0"])
        let other = scene.install(
            [],
            advertising: [CBAdvertisementDataServiceUUIDsKey: ["FFA0", "FFE0"].map { CBUUID(string: $0) }]
        )
        #expect(other.manager.isAdvertising)
        let services: [UInt8] = [5, 3, 0xE0, 0xFF, 0xA0, 0xFF]
        #expect(try scene.scan().advertisement == Self.flags + services + [5, 9] + Array("Fred".utf8))
        scene.app.manager.stopAdvertising()
        scene.run(.seconds(1))
        #expect(other.manager.isAdvertising)
        #expect(try scene.scan().advertisement == Self.flags + [5, 3, 0xA0, 0xFF, 0xE0, 0xFF])
    }

    @Test("Advertising goes on while a central is connected, and after Bluetooth was off [D; H]")
    func goesOn() throws {
        let scene = scene("Fred", [])
        try scene.connect()
        #expect(scene.app.manager.isAdvertising)
        let other = CentralProbe(in: scene.world, named: "other")
        #expect(try !other.scan().advertisement.isEmpty)
        scene.phone.switchPower(false)
        scene.run(.seconds(1))
        #expect(try other.scan().advertisement.isEmpty)
        scene.phone.switchPower(true)
        scene.run(.seconds(1))
        #expect(try !other.scan().advertisement.isEmpty)
        #expect(scene.app.heard.filter { $0 == "advertising" }.count == 1)
    }
}
