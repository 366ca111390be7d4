import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHost
import Testing

@testable import BluethroatCentral

@Suite("Files with out-of-band data")
struct OutOfBandFileTests {
    private let data = OutOfBandData(confirm: Block128(high: 1, low: 2), random: Block128(high: 3, low: 4))

    @Test("What is quoted of a file is one line that can be shown")
    func quoted() {
        let error = #expect(throws: OutOfBandFile.OutOfBandError.self) {
            try OutOfBandFile(parsing: #"{"address":"\n\u001b[2J"}"#)
        }
        #expect(error?.reason == "\u{FFFD}\u{FFFD}[2J is no address")
    }

    @Test("What is written in either form is read as it was")
    func roundTrip() throws {
        let files = [
            OutOfBandFile(secureConnections: data), OutOfBandFile(temporaryKey: Block128(high: 5, low: 6)),
            OutOfBandFile(
                address: DeviceAddress("C0:11:22:33:44:55", kind: .random),
                temporaryKey: .zero,
                secureConnections: data
            ), OutOfBandFile(address: DeviceAddress("78:C5:E5:9B:76:0D", kind: .public), secureConnections: data),
        ]
        for file in files {
            #expect(try OutOfBandFile(parsing: file.text) == file)
            #expect(try OutOfBandFile(parsing: file.text + "\n") == file)
            #expect(try OutOfBandFile(parsing: file.advertisingData.hex) == file)
            #expect(try OutOfBandFile(parsing: file.advertisingData.hex(separator: " ") + "\n") == file)
        }
    }

    @Test("Data that the kind of pairing cannot use are refused")
    func use() throws {
        let legacy = OutOfBandFile(temporaryKey: .zero), secure = OutOfBandFile(secureConnections: data)
        try legacy.checkUse(inLegacyPairing: true)
        try secure.checkUse(inLegacyPairing: false)
        try OutOfBandFile(temporaryKey: .zero, secureConnections: data).checkUse(inLegacyPairing: false)
        #expect(throws: OutOfBandFile.OutOfBandError.self) { try legacy.checkUse(inLegacyPairing: false) }
        #expect(throws: OutOfBandFile.OutOfBandError.self) { try secure.checkUse(inLegacyPairing: true) }
    }

    @Test("AD structures as Bumble makes them: an address of six bytes, least significant byte first throughout")
    func bumble() throws {
        let file = try OutOfBandFile(
            parsing: "071b5544332211c0 021c00 1122" + "0102030405060708090a0b0c0d0e0f10" + "1123" + "f0" + "00"
                + "0000000000000000000000000000"
        )
        #expect(file.address == DeviceAddress("C0:11:22:33:44:55", kind: .random))
        #expect(file.secureConnections?.confirm == Block128(high: 0x100F_0E0D_0C0B_0A09, low: 0x0807_0605_0403_0201))
        #expect(file.secureConnections?.random == Block128(high: 0, low: 0xF0))
        #expect(file.temporaryKey == nil)
    }

    @Test(
        "What makes no sense is refused with a reason",
        arguments: [
            "", "zz", "0", "05", "1122", "0322", "021c00", "031022aa", "{", "{}", "[]", #"{"confirm":1}"#,
            #"{"confirm":"00000000000000000000000000000000"}"#, #"{"random":"00000000000000000000000000000000"}"#,
            #"{"temporaryKey":"00"}"#, #"{"temporaryKey":"xx"}"#,
            #"{"address":"fob","temporaryKey":"00000000000000000000000000000000"}"#,
        ]
    )
    func refused(text: String) {
        let error = #expect(throws: OutOfBandFile.OutOfBandError.self) { try OutOfBandFile(parsing: text) }
        #expect(error?.reason.isEmpty == false)
    }
}
