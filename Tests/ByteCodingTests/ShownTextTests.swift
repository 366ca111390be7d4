import BluethroatByteCoding
import Testing

@Suite("What is shown of a text")
struct ShownTextTests {
    @Test(
        "Letters of any script, marks, signs and pictures of several are shown as they are",
        arguments: ["Keyfobdemo", "Ärmel 7 €", "ブルートゥース", "عربي", "👩🏽‍🔬", "e\u{301}", "a b", "\u{1FAFF}", ""]
    )
    func shown(text: String) {
        #expect(text.shown == text && text.firstUnshown == nil)
    }

    @Test(
        "What moves a cursor, ends a line, turns the direction, hides, or is no character at all is replaced",
        arguments: [
            0, 0x07, 0x08, 0x09, 0x0A, 0x0D, 0x1B, 0x7F, 0x85, 0x9B, 0xAD, 0x61C, 0x180E, 0x200B, 0x200C, 0x200E,
            0x200F,
            0x2028, 0x2029, 0x202A, 0x202E, 0x2060, 0x2066, 0x2069, 0xE000, 0xFEFF, 0xFFFE, 0xFFFF, 0xE0001, 0xE0041,
            0xF_0000, 0x10_FFFF,
        ]
    )
    func hidden(value: Int) throws {
        let scalar = try #require(Unicode.Scalar(UInt32(value)))
        #expect(!scalar.isShown)
        let text = "a" + String(scalar) + "b"
        #expect(Array(text.shown.unicodeScalars) == ["a", "\u{FFFD}", "b"])
        #expect(text.firstUnshown?.hasPrefix("U+") == true)
    }

    @Test("What is told from a character's number is what Unicode's tables say")
    func likeTables() {
        var values = Array(UInt32(0)...0x1000) + Array(0xFDC0...0xFE10)
        for plane in UInt32(0)...16 { values += [0, 0xFFFD, 0xFFFE, 0xFFFF].map { plane << 16 | $0 } }
        for scalar in values.compactMap(Unicode.Scalar.init) {
            let unshown: Set<Unicode.GeneralCategory> = [
                .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .format,
            ]
            let isShown = !unshown.contains(scalar.properties.generalCategory)
            let isCharacter = !scalar.properties.isNoncharacterCodePoint
            #expect(scalar.isShown == (isShown && isCharacter), "U+\(String(scalar.value, radix: 16))" as Comment)
        }
    }

    @Test("A text is abridged by its bytes, and not by what looks like one character")
    func abridged() {
        let accents = "x" + String(repeating: "\u{301}", count: 300_000)
        #expect(accents.count == 1 && (500...600).contains(accents.abridged.utf8.count))
        #expect(accents.beginning(60).utf8.count == 59 && "äöü".beginning(3) == "ä" && "ab".beginning(5) == "ab")
        let long = String(repeating: "€", count: 150) + String(repeating: "$", count: 200)
        #expect(long.abridged == String(repeating: "€", count: 133) + " … " + String(repeating: "$", count: 160))
        #expect(String(repeating: "a", count: 600).abridged.count == 600)
    }

    @Test("The mark that stands before text in UTF-8 is left out there, and nowhere else")
    func mark() {
        #expect("\u{FEFF}a\u{FEFF}".withoutByteOrderMark == "a\u{FEFF}" && "a".withoutByteOrderMark == "a")
    }
}
