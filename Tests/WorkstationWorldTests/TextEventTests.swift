import BluethroatEvents
import BluethroatVirtualTime
import Testing

@testable import BluethroatWorkstationWorld

@Suite("What is printed of texts")
struct TextEventTests {
    @Test("A text from the air is one line, whatever it has in it, and moves no cursor; JSON has all of it")
    func oneLine() {
        let text = "WRITE request: \u{1B}[2Jred\u{9B}31m\nserver: Advertising stopped"
        let event = TextEvent.line(.server, text, at: .zero)
        #expect(event.line == "server: WRITE request: \u{FFFD}[2Jred\u{FFFD}31m\u{FFFD}server: Advertising stopped")
        #expect(event.json?.text.contains(#"\u001b[2Jred\u009b31m\nserver: Advertising stopped"#) == true)
    }
}
