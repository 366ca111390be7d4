import BluethroatAttributeText
import Testing

@Suite("Values whose format their owner has told")
struct PresentedValueTests {
    @Test(
        "A value is read by its format, its exponent and its unit",
        arguments: [
            ("04 00 AD27 01 0000", "64", "100 %", 100.0), ("0E FE 2F27 01 0000", "7EFE", "-3.86 °C", -3.86),
            ("06 FF 2827 01 0000", "2A00", "4.2 V", 4.2), ("0C 00 0027 01 0000", "FA", "-6", -6),
            ("06 02 2427 01 0000", "0A00", "1000 Pa", 1000), ("06 FD 0000 01 0000", "0000", "0.000", 0),
            ("05 00 0027 01 0000", "FFFF", "4095", 4095), ("0D 00 0027 01 0000", "FF0F", "-1", -1),
            ("12 00 0027 01 0000", "FFFFFFFFFFFFFFFF", "-1", -1), ("07 00 0127 01 0000", "010000", "1 m", 1),
            ("14 00 2F27 01 0000", "0000B841", "23.0 °C", 23),
            ("14 00 0027 01 0000", "CDCCCC3D", "0.1", 0.10000000149011612),
            ("15 00 0027 01 0000", "000000000000F03F", "1.0", 1),
            ("16 00 2F27 01 0000", "6CF1", "36.4 °C", 36.4), ("17 00 2F27 01 0000", "6C0100FF", "36.4 °C", 36.4),
        ]
    )
    func numbers(format: String, value: String, text: String, number: Double) throws {
        let presented = try #require(PresentedValue(format: try bytes(format)))
        #expect(presented.text(of: try bytes(value)) == text)
        let read = try #require(presented.number(of: try bytes(value)))
        #expect(abs(read - number) < 1e-9)
    }

    @Test("Only what the Assigned Numbers have among the units is one: the number of a member or of a service is not")
    func units() throws {
        let service = try #require(PresentedValue(format: try bytes("0C 00 0F18 01 0000")))
        #expect(service.text(of: [0x35]) == "53 of unit 0x180F")
        let member = try #require(PresentedValue(format: try bytes("0C 00 87FE 01 0000")))
        #expect(member.text(of: [0x35]) == "53 of unit 0xFE87")
        let known = try #require(PresentedValue(format: try bytes("0C 00 2527 01 0000")))
        #expect(known.text(of: [0x35]) == "53 J")
    }

    @Test("Words and truth are no numbers")
    func words() throws {
        let text = try #require(PresentedValue(format: try bytes("19 00 0027 01 0000")))
        #expect(text.text(of: Array("ready".utf8)) == "ready")
        #expect(text.number(of: Array("ready".utf8)) == nil)
        let wide = try #require(PresentedValue(format: try bytes("1A 00 0027 01 0000")))
        #expect(wide.text(of: [0x41, 0, 0xAC, 0x20]) == "A€")
        let truth = try #require(PresentedValue(format: try bytes("01 00 0027 01 0000")))
        #expect(truth.text(of: [0]) == "false" && truth.text(of: [1]) == "true" && truth.number(of: [1]) == nil)
    }

    @Test(
        "What is not of the format, or of a format that nobody knows, says nothing",
        arguments: [
            ("04 00 AD27 01 0000", ""), ("04 00 AD27 01 0000", "0102"), ("1B 00 0027 01 0000", "01"),
            ("FF 80 0027 01 0000", "01"), ("16 00 0027 01 0000", "01"), ("1A 00 0027 01 0000", "4100D8"),
        ]
    )
    func unruly(format: String, value: String) throws {
        let presented = try #require(PresentedValue(format: try bytes(format)))
        #expect(presented.text(of: try bytes(value)) == nil)
        #expect(presented.number(of: try bytes(value)) == nil)
    }

    @Test("A descriptor of another length is none, and no exponent is too great")
    func extremes() throws {
        #expect(PresentedValue(format: []) == nil)
        #expect(PresentedValue(format: [4, 0, 0, 0x27, 1, 0]) == nil)
        let tiny = try #require(PresentedValue(format: try bytes("12 80 0027 01 0000")))
        #expect(tiny.text(of: [0, 0, 0, 0, 0, 0, 0, 0x80]) == "-9223372036854775808e-128")
        #expect(tiny.number(of: [0, 0, 0, 0, 0, 0, 0, 0x80]) == -9223372036854775808e-128)
        let vast = try #require(PresentedValue(format: try bytes("12 7F 0027 01 0000")))
        #expect(vast.text(of: [0, 0, 0, 0, 0, 0, 0, 0x80]) == "-9223372036854775808e127")
        #expect(vast.text(of: [0, 0, 0, 0, 0, 0, 0, 0]) == "0")
        #expect(vast.number(of: [1, 0, 0, 0, 0, 0, 0, 0]) == 1e127)
        // No number: IEEE 11073's NaN.
        let medical = try #require(PresentedValue(format: try bytes("16 00 0027 01 0000")))
        #expect(medical.number(of: [0xFF, 0x07]) == nil)
    }

    private func bytes(_ hex: String) throws -> [UInt8] {
        let digits = hex.filter { $0 != " " }
        return stride(from: 0, to: digits.count, by: 2).compactMap { start in
            let first = digits.index(digits.startIndex, offsetBy: start)
            return UInt8(digits[first..<digits.index(first, offsetBy: 2)], radix: 16)
        }
    }
}
