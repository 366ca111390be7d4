import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatVirtualTime
import Testing

@Suite("Words of a key fob script")
struct KeyFobWordTests {
    @Test(
        "Every word means one thing, whatever blanks stand around it",
        arguments: [
            ("l", KeyFobWord.click(.left)), ("r", .click(.right)), ("l down", .hold(.left)), ("r down", .hold(.right)),
            ("l up", .release(.left)), ("r up", .release(.right)), ("a", .toggleAdvertising), ("q", .quit),
            ("b 0", .battery(percent: 0)), ("b 80", .battery(percent: 80)), ("b 100", .battery(percent: 100)),
            ("t 1 -2 127", .tilt(Acceleration(x: 1, y: -2, z: 127))),
            ("t -128 +5 0", .tilt(Acceleration(x: -128, y: 5, z: 0))), ("tg 0 -0.5 1", .tiltInG(x: 0, y: -0.5, z: 1)),
            ("tg 1e-3 2 .5", .tiltInG(x: 0.001, y: 2, z: 0.5)), ("d 2.5", .distance(metres: 2.5)),
            ("d 0", .distance(metres: 0)), ("d 1e4", .distance(metres: 10_000)),
        ]
    )
    func meanings(line: String, word: KeyFobWord) throws {
        #expect(try KeyFobWord(line: line) == word)
        #expect(try KeyFobWord(line: "  \(line.replacing(" ", with: " \t "))\t\r") == word)
    }

    @Test("An empty line means nothing", arguments: ["", " ", "\t", "\r"])
    func empty(line: String) throws { #expect(try KeyFobWord(line: line) == nil) }

    @Test(
        "Anything else is refused in one line",
        arguments: [
            "x", "L", "ll", "l Down", "l down up", "l  5", "r left", "a 1", "q now", "b", "b -1", "b 101", "b 80%",
            "b 8.5", "b 80 80", "b 99999999999999999999", "t", "t 1 2", "t 1 2 3 4", "t 128 0 0", "t 0 0 -129",
            "t 1.5 0 0", "t a b c", "tg", "tg 1 2", "tg nan 0 0", "tg inf 0 0", "tg 0x1p3 0 0", "tg 1 2 3 4", "d",
            "d -1", "d nan", "d infinity", "d 1e999", "d 1 m", "help", "\u{1B}[2J", "d\u{0}", "é", "-", "{}",
        ]
    )
    func refused(line: String) {
        let error = #expect(throws: KeyFobWordError.self) { try KeyFobWord(line: line) }
        let text = error?.description ?? ""
        #expect(!text.isEmpty && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
    }

    @Test("A long line is refused in a short one")
    func long() {
        let error = #expect(throws: KeyFobWordError.self) {
            try KeyFobWord(line: String(repeating: "x", count: 100_000))
        }
        #expect((error?.description.count ?? .max) < 200)
    }

    @Test("Random bytes are nothing, a word within its limits, or an error in a short, printable line")
    func random() {
        var random = SeededRandom(seed: 1, purpose: "lines for a key fob")
        let alphabet = Array("lrabtdgq 0123456789.-+e\t".utf8)
        for _ in 0..<20_000 {
            let noise = random.bytes(Int(random.next(below: 24)))
            let some = (0..<random.next(below: 16)).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            for bytes in [noise, some] { check(String(decoding: bytes, as: UTF8.self)) }
        }
    }

    private func check(_ line: String) {
        do throws(KeyFobWordError) {
            switch try KeyFobWord(line: line) {
            case nil: #expect(line.allSatisfy { " \t\r".contains($0) || $0 == "\r\n" }, "\(line.debugDescription)")
            case .battery(let percent)?: #expect((0...100).contains(percent))
            case .distance(let metres)?: #expect(metres >= 0 && metres.isFinite)
            case .tiltInG(let x, let y, let z)?: #expect(x.isFinite && y.isFinite && z.isFinite)
            default: #expect(line.contains { "lratq".contains($0) }, "\(line.debugDescription)")
            }
        } catch {
            let text = error.description
            let isHarmless = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            #expect(!text.isEmpty && text.count < 200 && isHarmless, "\(line.debugDescription)")
        }
    }

    @Test("At a terminal single keys do")
    func terminal() {
        #expect(KeyFobWord(terminalKey: UInt8(ascii: "l")) == .click(.left))
        #expect(KeyFobWord(terminalKey: UInt8(ascii: "r")) == .click(.right))
        #expect(KeyFobWord(terminalKey: UInt8(ascii: "a")) == .toggleAdvertising)
        for byte in [UInt8(ascii: "q"), 0x03, 0x04] { #expect(KeyFobWord(terminalKey: byte) == .quit) }
        for byte in [UInt8(ascii: "x"), 0x1B, 0x00, 0xFF] { #expect(KeyFobWord(terminalKey: byte) == nil) }
    }
}
