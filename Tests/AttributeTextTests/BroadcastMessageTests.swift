import BluethroatAttributeText
import BluethroatBluetoothValues
import BluethroatByteCoding
import Testing

@Suite("What beacons and Apple's devices broadcast")
struct BroadcastMessageTests {
    private func messages(_ type: AdvertisingData.DataType, _ hex: String) throws -> [BroadcastMessage] {
        BroadcastMessage.all(in: AdvertisingData.Structure(type, try #require([UInt8](hex: hex))))
    }

    @Test(
        "Apple's messages are told by name, with what is known of them",
        arguments: [
            (
                "4C00 02 15 5A4BCFCE174E4BACA814092E77F6B7E5 0007 0102 C5",
                "iBeacon 5A4BCFCE-174E-4BAC-A814-092E77F6B7E5, major 7, minor 258, -59 dBm"
            ),
            ("4C00 01 00000000000000000000080000000080", "Overflow area 83 127"),
            ("4C00 05 12 000000000000000001 000000000000000000", "AirDrop"),
            ("4C00 06 31 01 AABBCCDDEEFF 0500 0100 02 02 00112233", "HomeKit"),
            ("4C00 06 2D 00 AABBCCDDEEFF 0500 0100 02 02", "HomeKit"), ("4C00 07 01 00", "Proximity pairing"),
            ("4C00 09 06 0301 C0A80001", "AirPlay target"), ("4C00 0A 01 00", "AirPlay source"),
            ("4C00 0C 0E 00 0100 AB 00112233445566778899", "Handoff"),
            ("4C00 0F 05 C00B 112233", "Nearby Action action 11"),
            ("4C00 10 05 03 1C 112233", "Nearby Info activity 3"), ("4C00 12 02 00 01", "Find My"),
            ("4C00 7E 01 00", "Apple message 0x7E"),
        ]
    )
    func apple(hex: String, text: String) throws {
        let found = try messages(.manufacturerSpecific, hex)
        #expect(found.map(\.text) == [text])
        #expect(!found[0].isMalformed)
    }

    @Test("Several of Apple's messages stand behind each other")
    func several() throws {
        let found = try messages(.manufacturerSpecific, "4C00 0C 01 08 10 02 0B00 02 01 00")
        #expect(found.map(\.text) == ["Handoff", "Nearby Info activity 11", "iBeacon malformed"])
    }

    @Test(
        "Eddystone's frames",
        arguments: [
            (
                "AAFE 00 EE 00112233445566778899 AABBCCDDEEFF 0000",
                "Eddystone-UID 00112233445566778899, aabbccddeeff, -18 dBm"
            ),
            (
                "AAFE 00 EE 00112233445566778899 AABBCCDDEEFF",
                "Eddystone-UID 00112233445566778899, aabbccddeeff, -18 dBm"
            ),
            ("AAFE 10 F8 03 676F6F2E676C2F53364D33", "Eddystone-URL https://goo.gl/S6M3, -8 dBm"),
            ("AAFE 10 00 01 6578616D706C65 00 61", "Eddystone-URL https://www.example.com/a, 0 dBm"),
            (
                "AAFE 20 00 0BB8 1540 0000000A 00000064",
                "Eddystone-TLM 3000 mV, 21.25 °C, advertisements 10, 10.0 s"
            ),
            ("AAFE 20 00 0000 8000 00000000 00000005", "Eddystone-TLM advertisements 0, 0.5 s"),
            ("AAFE 20 00 0000 FF80 00000000 00000000", "Eddystone-TLM -0.50 °C, advertisements 0, 0.0 s"),
            (
                "AAFE 20 01 00112233445566778899AABB CCDD EEFF",
                "Eddystone-TLM 00112233445566778899aabbccddeeff"
            ),
            ("AAFE 30 EE 0011223344556677", "Eddystone-EID -18 dBm, 0011223344556677"),
            ("AAFE 40 00", "Eddystone frame 0x40"),
        ]
    )
    func eddystone(hex: String, text: String) throws {
        #expect(try messages(.serviceData16, hex).map(\.text) == [text])
    }

    @Test(
        "Bytes that break the rules of their kind are malformed, every truncation of every kind among them",
        arguments: [
            "AAFE", "AAFE 10 00 04 61", "AAFE 10 00 03 61 20", "AAFE 10 00 03 61 7F", "AAFE 20 02 00",
            "AAFE 30 EE 0011223344556677 88", "AAFE 00 EE 00112233445566778899 AABBCCDDEEFF 00",
            "AAFE 00 EE 00112233445566778899 AABBCCDDEEFF 000000",
        ]
    )
    func malformed(hex: String) throws {
        let found = try messages(.serviceData16, hex)
        #expect(found.count == 1 && found[0].isMalformed && found[0].fields.isEmpty)
    }

    @Test(
        "What is cut short is malformed",
        arguments: [
            "4C00 01 00000000000000000000080000000080", "4C00 02 15 5A4BCFCE174E4BACA814092E77F6B7E5 0007 0102 C5",
            "4C00 06 31 01 AABBCCDDEEFF 0500 0100 02 02 00112233", "4C00 0F 05 C00B 112233",
        ]
    )
    func truncated(hex: String) throws {
        let bytes = try #require([UInt8](hex: hex))
        for count in 3..<bytes.count {
            let found = BroadcastMessage.all(
                in: AdvertisingData.Structure(.manufacturerSpecific, Array(bytes[..<count]))
            )
            #expect(found.count == 1 && found[0].isMalformed, "\(count) bytes")
        }
    }

    @Test("Nothing that anybody may send stops the decoder")
    func fuzz() throws {
        var generator = Scramble(state: 7)
        for kind in UInt8.min ... .max {
            for length in 0...32 {
                let body = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
                for type in [AdvertisingData.DataType.manufacturerSpecific, .serviceData16] {
                    for start in [[0x4C, 0x00, kind], [0xAA, 0xFE, kind], [kind]] as [[UInt8]] {
                        let structure = AdvertisingData.Structure(type, start + body)
                        for message in BroadcastMessage.all(in: structure) { #expect(!message.text.isEmpty) }
                    }
                }
            }
        }
        #expect(try messages(.manufacturerSpecific, "4C00").isEmpty)
        #expect(try messages(.manufacturerSpecific, "4D00 02 15").isEmpty)
        #expect(try messages(.serviceData16, "0F18 64").isEmpty)
    }
}

private struct Scramble: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }
}
