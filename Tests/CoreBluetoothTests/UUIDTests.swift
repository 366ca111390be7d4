import BluethroatBluetoothValues
import BluethroatHost
import BluethroatVirtualTime
import CoreBluetooth
import CoreFoundation
import Foundation
import Testing

@Suite("CBUUID")
struct UUIDTests {
    @Test("A short UUID equals its long spelling, and each keeps its own bytes and digits [H; O]")
    func spellings() {
        let short = CBUUID(string: "180f")
        let medium = CBUUID(data: Data([0, 0, 0x18, 0x0F]))
        let long = CBUUID(string: "0000180F-0000-1000-8000-00805F9B34FB")
        #expect(short == medium && medium == long)
        #expect(short.hash == long.hash)
        #expect(Set([short, medium, long]).count == 1)
        #expect(short.data == Data([0x18, 0x0F]))
        #expect(medium.data == Data([0, 0, 0x18, 0x0F]))
        #expect(long.data.count == 16 && long.data.prefix(4) == Data([0, 0, 0x18, 0x0F]))
        #expect(short.uuidString == "180F")
        #expect(medium.uuidString == "0000180F")
        #expect(long.uuidString == "0000180F-0000-1000-8000-00805F9B34FB")
        #expect(short != CBUUID(string: "180A"))
        #expect(!short.isEqual("180F"))
        #expect(CBUUID(string: "0x180F") == short && CBUUID(string: "0X0000180f").uuidString == "0000180F")
    }

    @Test(
        "One that is made from nothing is all zeros, equals only another such, and finds nobody [O; product decision]"
    )
    func empty() throws {
        let it = AppScene(Accessory(data: [.uuids(.completeUUIDs16, [0x180D])]))
        let nothing = CBUUID()
        #expect(nothing.uuidString == "00000000-0000-0000-0000-000000000000" && nothing.data == Data(count: 16))
        #expect(nothing == CBUUID() && nothing != CBUUID(string: "0000") && nothing.description == nothing.uuidString)
        it.app.manager.scanForPeripherals(withServices: [nothing])
        it.run(.seconds(3))
        #expect(it.app.peripherals.isEmpty)
    }

    @Test("All ways to make one give the same UUID [D]")
    func waysToMake() throws {
        let uuid = try #require(UUID(uuidString: "6e400001-b5a3-f393-e0a9-e50e24dcca9e"))
        let made = CBUUID(string: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E")
        #expect(CBUUID(nsuuid: uuid) == made)
        #expect(CBUUID(NSUUID: uuid) == made)
        #expect(CBUUID(data: made.data) == made)
        #expect(made.uuidString == uuid.uuidString)
        #expect((made.copy() as? CBUUID) === made)
    }

    @Test("A UUID prints as its name where Apple's systems have one, else as its digits")
    func descriptions() {
        #expect(CBUUID(string: "180F").description == "Battery")
        #expect(CBUUID(string: "2A19").description == "Battery Level")
        #expect(CBUUID(string: "2902").description == "Client Characteristic Configuration")
        #expect("\(CBUUID(string: "D0611E78-BBB4-4591-A5F8-487910AE4366"))" == "Continuity")
        #expect(CBUUID(string: "FFE0").description == "FFE0")
        #expect(CBUUID(string: "6E400001-B5A3-F393-E0A9-E50E24DCCA9E").description.hasPrefix("6E400001-"))
        #expect(String(format: "%@, %d", CBUUID(string: "180F"), 7) == "Battery, 7")
    }
}
