import BluethroatVirtualTime
import Testing

@Suite("Numbers as people write them")
struct DecimalTests {
    @Test(
        "Digits, a sign, a point and a power of ten are a number",
        arguments: [("0", 0), ("16", 16), ("-2.5", -2.5), ("+1", 1), (".5", 0.5), ("1e-3", 0.001), ("2E2", 200)]
            as [(String, Double)]
    )
    func numbers(text: String, number: Double) { #expect(Double(decimal: text) == number) }

    @Test(
        "Hexadecimal, names, other scripts' digits and what is too large are none",
        arguments: [
            "", " 1", "1 ", "0x10", "0x1p3", "nan", "inf", "infinity", "-inf", "1e999", "1,5", "1.2.3", "e", "+", "½",
            "٣",
            "1_000", "1\u{0}",
        ]
    )
    func others(text: String) { #expect(Double(decimal: text) == nil) }
}
