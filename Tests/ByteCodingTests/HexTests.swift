import BluethroatByteCoding
import Testing

@Suite("Hexadecimal text")
struct HexTests {
    private let everyByte = (0...255).map { UInt8($0) }

    @Test("Every byte comes back from its digits, in both cases, with each separator")
    func roundTrip() {
        #expect([UInt8](hex: everyByte.hex) == everyByte)
        #expect([UInt8](hex: everyByte.hex.uppercased()) == everyByte)
        for separator in ["", " ", ":", "-"] {
            #expect([UInt8](hex: everyByte.hex(separator: separator)) == everyByte)
        }
    }

    @Test("Digits are lower-case, two a byte")
    func digits() {
        #expect(([0x00, 0x0F, 0xA0, 0xFF] as [UInt8]).hex == "000fa0ff")
        #expect(([0x01, 0xAB] as [UInt8]).hex(separator: ":") == "01:ab")
        #expect(([] as [UInt8]).hex(separator: ":") == "")
        #expect([UInt8](hex: "") == [])
    }

    @Test(
        "Anything else is refused",
        arguments: ["0", "012", "0g", "g0", "0 1", "0x01", "01,02", "01 2", "٠١", "０1", "1:", "é0", "\u{0}0"]
    )
    func refused(text: String) {
        #expect([UInt8](hex: text) == nil)
    }

    @Test("An error says in words what was wrong")
    func errors() {
        #expect("\(DecodeError.truncated(needed: 2, available: 1))" == "truncated: 2 bytes needed, 1 left")
        #expect("\(DecodeError.trailingBytes(3))" == "3 bytes left over")
        #expect("\(DecodeError.invalidLength(4))" == "invalid length 4")
        #expect("\(DecodeError.invalidValue(field: "role", value: 9))" == "role may not be 9")
        #expect(DecodeError.invalidValue(field: "role", value: 9) == .invalidValue(field: "role", value: 9))
        #expect(DecodeError.invalidValue(field: "role", value: 9) != .invalidValue(field: "rule", value: 9))
    }
}
