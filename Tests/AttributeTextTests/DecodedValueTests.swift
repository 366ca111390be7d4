import BluethroatAttributeText
import BluethroatBluetoothValues
import Testing

@testable import BluethroatByteCoding

@Suite("Values in words")
struct DecodedValueTests {
    @Test(
        "Each known type says what its bytes mean",
        arguments: [
            (0x2A00, "5449 20424c45 204b6579666f62", "TI BLE Keyfob"), (0x2A00, "41 42 00", "AB"), (0x2A00, "", ""),
            (0x2A01, "0000", "Unknown"), (0x2A01, "4000", "Phone"), (0x2A01, "C0FF", "appearance 0xFFC0"),
            (0x2A02, "00", "privacy off"), (0x2A03, "060504030201", "01:02:03:04:05:06"),
            (0x2A04, "5000 A000 0000 E803", "interval 100 ms to 200 ms, latency 0, timeout 10000 ms"),
            (0x2A04, "0600 FFFF 0400 FFFF", "interval 7.5 ms to any, latency 4, timeout any"),
            (0x2A05, "0100 FFFF", "changed 0x0001 to 0xFFFF"),
            (0x2A06, "00", "none"), (0x2A06, "01", "mild"), (0x2A06, "02", "high"),
            (0x2A07, "00", "0 dBm"), (0x2A07, "FA", "-6 dBm"), (0x2A19, "64", "100 %"),
            (0x2A23, "0D769B0000E5C578", "maker 78:C5:E5, address 78:C5:E5:9B:76:0D"),
            (0x2A23, "0D769BFEFFE5C578", "maker 78:C5:E5, address 78:C5:E5:9B:76:0D"),
            (0x2A23, "0102030405060708", "maker 08:07:06, number 0504030201"), (0x2A23, "0000000000000000", "not set"),
            (0x2A24, "4d6f64656c204e756d62657200", "Model Number"), (0x2A29, "C0AF", "\u{FFFD}\u{FFFD}"),
            (0x2A2A, "FE006578706572696d656e74616c", "authority experimental, structure 0, experimental"),
            (0x2A2A, "0901", "authority 9, structure 1"),
            (0x2A50, "010D0000001001", "Texas Instruments Inc., product 0x0000, version 1.1.0"),
            (0x2A50, "026D0434122301", "USB vendor 0x046D, product 0x1234, version 1.2.3"),
            (0x2A37, "0048", "72 beats a minute"), (0x2A37, "110001FFFF", "256 beats a minute"),
            (0x2A38, "02", "wrist"), (0x2A6E, "7EFE", "-3.86 °C"), (0x2A6F, "0510", "41.01 %"),
            // The GATT Specification Supplement has numbers for what the device does not know.
            (0x2A6E, "0080", "not known"), (0x2A6F, "FFFF", "not known"), (0x2A6E, "0180", "-327.67 °C"),
            (0x2AA6, "01", "supported"),
            (0x2B29, "05", "robust caching, multiple notifications"), (0x2B29, "00", "none"),
            (0xFFA1, "01", "on"), (0xFFA2, "1400", "2 g"), (0xFFA2, "5000", "8 g"), (0xFFA3, "80", "-128 counts"),
            (0xFFE1, "00", "none"), (0xFFE1, "01", "left"), (0xFFE1, "03", "both"),
            (0x2900, "0100", "reliable write"), (0x2901, "416363656c", "Accel"), (0x2902, "0000", "off"),
            (0x2902, "0100", "notifications"), (0x2902, "0200", "indications"),
            (0x2902, "0300", "notifications and indications"), (0x2903, "0100", "broadcasts"),
            (0x2904, "04FE AD27 01 0000", "uint8, exponent -2, unit percentage (0x27AD)"),
            // Numbers of a member and of a service.
            (0x2904, "0400 87FE 01 0000", "uint8, exponent 0, unit 0xFE87"),
            (0x2904, "0400 0F18 01 0000", "uint8, exponent 0, unit 0x180F"),
            (0x2905, "0300 0500", "0x0003, 0x0005"), (0x2908, "0401", "report 4, input"),
        ]
    )
    func known(uuid: Int, hex: String, text: String) throws {
        let bytes = try #require([UInt8](hex: hex))
        #expect(DecodedValue.text(of: bytes, uuid: BluetoothUUID(UInt16(uuid))) == text)
    }

    @Test(
        "Bytes that break the rules of their type claim nothing",
        arguments: [
            (0x2A06, "03"), (0x2A06, ""), (0x2A06, "0000"), (0x2A19, ""), (0x2A01, "00"), (0x2A04, "500000"),
            (0x2A23, "00"), (0x2A50, "01"), (0x2902, "01"), (0x2904, "04"), (0x2905, "030005"), (0xFFE1, "04"),
            (0xFFE1, "0102"), (0x2A37, "01"), (0x2B29, ""),
        ]
    )
    func unruly(uuid: Int, hex: String) throws {
        let bytes = try #require([UInt8](hex: hex))
        #expect(DecodedValue.text(of: bytes, uuid: BluetoothUUID(UInt16(uuid))) == nil)
    }

    @Test("Every type makes a short, printable text of every short value and every truncation of a long one, or none")
    func hostile() {
        for uuid in [0x2A00...0x2AFF, 0x2900...0x2910, 0x2B00...0x2BFF, 0xFFA0...0xFFFF].joined() {
            for length in 0...20 {
                for byte: UInt8 in [0x00, 0x01, 0x7F, 0x80, 0xFF] {
                    let bytes = [UInt8](repeating: byte, count: length)
                    guard let text = DecodedValue.text(of: bytes, uuid: BluetoothUUID(UInt16(uuid))) else { continue }
                    let isHarmless = text.unicodeScalars.allSatisfy(\.isShown) && text.count <= 400
                    if !isHarmless { Issue.record("\(length) bytes \(byte) of type \(uuid): \(text.debugDescription)") }
                }
            }
        }
    }

    @Test("Unknown types are text where all of it is printable, and else nothing")
    func unknown() {
        let uuid = BluetoothUUID("0C5A2F2E-0000-4B4B-9C9C-010203040506")
        #expect(DecodedValue.text(of: Array("hello\0".utf8), uuid: uuid) == "hello")
        #expect(DecodedValue.text(of: Array("größe".utf8), uuid: nil) == "größe")
        #expect(DecodedValue.text(of: [0x64], uuid: uuid) == nil)
        #expect(DecodedValue.text(of: Array("a\u{1B}[2J".utf8), uuid: uuid) == nil)
        #expect(DecodedValue.text(of: Array("a\u{202E}b".utf8), uuid: uuid) == nil)
        #expect(DecodedValue.text(of: [0xFF, 0xFE, 0x41], uuid: uuid) == nil)
        #expect(DecodedValue.text(of: [], uuid: uuid) == nil)
    }

    @Test("A name cannot move the cursor of a terminal")
    func harmless() {
        #expect(DecodedValue.text(of: Array("a\u{1B}[2Jb".utf8), uuid: 0x2A00) == "a\u{FFFD}[2Jb")
    }
}
