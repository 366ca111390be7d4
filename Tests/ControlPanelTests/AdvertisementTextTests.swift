import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@testable import BluethroatControlPanel

@Suite("What the panel says of an advertisement")
struct AdvertisementTextTests {
    private func texts(_ hex: String) throws -> [String] {
        let bytes = try #require([UInt8](hex: hex))
        return SightingView.fields(of: AdvertisingData(lenient: bytes)).map { "\($0.name): \($0.text)" }
    }

    @Test("Beacons and Apple's messages by name, makers and services otherwise")
    func beacons() throws {
        #expect(
            try texts("02011A 1AFF4C000215 5A4BCFCE174E4BACA814092E77F6B7E5 0007 0102 C5")
                == [
                    "Flags: general discoverable",
                    "Manufacturer: iBeacon 5A4BCFCE-174E-4BAC-A814-092E77F6B7E5, major 7, minor 258, -59 dBm",
                ]
        )
        #expect(
            try texts("0303AAFE 0F16AAFE10F803676F6F2E676C2F6162")
                .last == "Service data: Eddystone-URL https://goo.gl/ab, -8 dBm"
        )
        #expect(try texts("0AFF4C001005031C112233") == ["Manufacturer: Nearby Info activity 3"])
        #expect(try texts("06FF4C00021500") == ["Manufacturer: iBeacon malformed"])
        #expect(try texts("04160F1864").count == 1)
        #expect(try texts("05FF0D000102").first?.contains("Texas Instruments") == true)
    }

    @Test("A service is named as one, and a name shows what can be printed: a unit's number is no service")
    func kinds() throws {
        #expect(try texts("0303 0F18") == ["Services: Battery (180F)"])
        #expect(try texts("0503 0527 372A") == ["Services: 2705, 2A37"])
        #expect(try texts("0609 41E280AE42") == ["Name: A\u{FFFD}B"])
    }
}
