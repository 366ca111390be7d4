import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatVirtualTime
import Testing

@Suite("Standard input of a key fob")
struct KeyFobInputTests {
    @Test("A line that begins with @ and seconds is for that time")
    func timed() {
        #expect(
            take("@0 l\n@12.5 d 100\n  @3\tr down\n", by: 3) == [
                .timed(.zero, .click(.left)), .timed(.milliseconds(12_500), .distance(metres: 100)),
                .timed(.seconds(3), .hold(.right)),
            ]
        )
        for line in ["@", "@ l", "@1", "@1 ", "@-1 l", "@1e9 l", "@nan l", "@soon l", "@2000000 l"] {
            guard case .error(let error) = take(line + "\n", by: 99).first else {
                Issue.record("\(line) was taken")
                continue
            }
            #expect(error.description.contains("@12.5 d 100"), "\(line): \(error)")
        }
    }

    private func take(_ text: String, by size: Int, end: Bool = false) -> [KeyFobInput.Item] {
        var input = KeyFobInput(.lines)
        var items: [KeyFobInput.Item] = []
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            items += input.take(bytes[start..<min(start + size, bytes.count)])
        }
        if end { items += input.end() }
        return items
    }

    @Test("Lines are words however the bytes come", arguments: [1, 2, 3, 7, 100])
    func cuts(size: Int) {
        let items = take("l\n\n  b 80\r\nr down\nq\n", by: size)
        #expect(items == [.word(.click(.left)), .word(.battery(percent: 80)), .word(.hold(.right)), .word(.quit)])
    }

    @Test("An unfinished line counts when the input ends, and not before")
    func unfinished() {
        #expect(take("l\nr", by: 1) == [.word(.click(.left))])
        #expect(take("l\nr", by: 1, end: true) == [.word(.click(.left)), .word(.click(.right))])
        #expect(take("l\n", by: 1, end: true) == [.word(.click(.left))])
    }

    @Test("After a line that is no word the next one counts")
    func errors() {
        let items = take("nonsense\nl\nb 101\nr\n", by: 5)
        #expect(items.count == 4)
        #expect(items[1] == .word(.click(.left)) && items[3] == .word(.click(.right)))
        for index in [0, 2] { if case .word = items[index] { Issue.record("item \(index)") } }
    }

    @Test("An endless line is one error, and keeps no memory")
    func endless() {
        var input = KeyFobInput(.lines)
        for _ in 0..<1_000 { #expect(input.take([UInt8](repeating: 0x6C, count: 1_000)).isEmpty) }
        let items = input.take(Array("\nl\n".utf8))
        #expect(items.count == 2 && items[1] == .word(.click(.left)))
        if case .word = items[0] { Issue.record("a million letters are no word") }
    }

    @Test("Single keys of a terminal count at once; arrows and function keys do not")
    func keys() {
        var input = KeyFobInput(.keys)
        #expect(
            input.take(Array("lr?a".utf8)) == [.word(.click(.left)), .word(.click(.right)), .word(.toggleAdvertising)]
        )
        #expect(input.take(Array("\u{1B}[A\u{1B}[1;5q\u{1B}Oq\u{1B}[15~".utf8)) == [])
        #expect(input.take(Array("q".utf8)) == [.word(.quit)])
    }

    @Test("After random bytes a good word is understood; what is wrong with them is said in short, printable lines")
    func random() {
        var random = SeededRandom(seed: 3, purpose: "input for a key fob")
        for (mode, good) in [(KeyFobInput.Mode.lines, "\nl\n"), (.keys, "lll")] {
            var input = KeyFobInput(mode)
            for round in 0..<2_000 {
                var items = input.take(random.bytes(Int(random.next(below: 200))))
                items += input.take(Array(good.utf8))
                #expect(items.last == .word(.click(.left)), "round \(round)")
                for case .error(let error) in items { checkLine(error.description) }
            }
            #expect(input.end() == [])
        }
    }

    private func checkLine(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let isHarmless = text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        #expect(!text.isEmpty && text.count < 200 && isHarmless, sourceLocation: sourceLocation)
    }
}
