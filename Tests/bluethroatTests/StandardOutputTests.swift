import Testing

@testable import BluethroatTerminal

@Suite("What strangers say, on standard output")
struct StandardOutputTests {
    @Test("A line that quotes escape codes moves no cursor, and one of several lines keeps their ends")
    func quotedText() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            StandardOutput.write("Ärmel \u{1B}[2J\u{9B}31m\u{202E}\r\nsecond line")
        }
        let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(text.contains("Ärmel \u{FFFD}[2J\u{FFFD}31m\u{FFFD}\u{FFFD}\nsecond line\n"))
        #expect(!text.unicodeScalars.contains("\u{1B}"))
    }
}
