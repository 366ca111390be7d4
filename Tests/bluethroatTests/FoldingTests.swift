import Testing

@testable import BluethroatTerminal

@Suite("Lines that are longer than a window is wide")
struct FoldingTests {
    @Test("A line is cut between words, and what comes behind is indented")
    func words() {
        let line = "78:C5:E5:9B:76:0D public -41 dBm  Keyfobdemo  [1803 Link Loss, 1802 Immediate Alert]"
        #expect(
            line.folded(to: 40) == [
                "78:C5:E5:9B:76:0D public -41 dBm", "    Keyfobdemo  [1803 Link Loss, 1802", "    Immediate Alert]",
            ]
        )
        #expect(line.folded(to: line.count) == [line[...]])
    }

    @Test("No piece is longer than the window, and no letter is lost", arguments: 20...90)
    func nothingIsLost(columns: Int) {
        let lines = [
            String(repeating: "0123456789", count: 30), "  0x0002 " + String(repeating: "word ", count: 40),
            String(repeating: "ab ", count: 3) + String(repeating: "long", count: 50) + " end",
        ]
        for line in lines {
            let pieces = line.folded(to: columns)
            #expect(pieces.allSatisfy { $0.count <= columns })
            #expect(pieces.joined().filter { $0 != " " } == line.filter { $0 != " " })
        }
    }

    @Test("A window for a word or two changes nothing")
    func narrow() { #expect("a line of words".folded(to: 5) == ["a line of words"]) }
}
