import BluethroatBluetoothValues
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatVirtualTime
import Testing

@Suite("Several key fobs at one console")
struct SeveralFobsTests {
    private func take(_ text: String, _ mode: KeyFobInput.Mode = .lines, fobs: Int = 3) -> [KeyFobInput.Item] {
        var input = KeyFobInput(mode, fobs: fobs)
        return input.take(Array(text.utf8))
    }

    // MARK: Words

    @Test("A number before a word says for which fob it is; a number alone chooses the fob for words without one")
    func numbers() {
        #expect(
            take("l\n2 r down\n  3\tb 80\nl\n2\nl\n1 a\n@12.5 3 d 100\n@1 l\nq\n") == [
                .of(fob: 1, .word(.click(.left))), .of(fob: 2, .word(.hold(.right))),
                .of(fob: 3, .word(.battery(percent: 80))), .of(fob: 1, .word(.click(.left))),
                .chosen(fob: 2), .of(fob: 2, .word(.click(.left))), .of(fob: 1, .word(.toggleAdvertising)),
                .of(fob: 3, .timed(.milliseconds(12_500), .distance(metres: 100))),
                .of(fob: 2, .timed(.seconds(1), .click(.left))), .of(fob: 2, .word(.quit)),
            ]
        )
    }

    @Test(
        "A number that is no fob's is an error that says which there are",
        arguments: ["0 l", "4 l", "9", "18446744073709551616 l", "@1 7 l"]
    )
    func wrongNumbers(line: String) {
        guard case .error(let error)? = take(line + "\n").first else {
            Issue.record("\(line) was taken")
            return
        }
        #expect(error.description.contains("1 to 3"), "\(error)")
    }

    @Test("A time wants a word, and letters that follow a number at once are no number")
    func malformed() {
        for line in ["@1 2", "2l", "2 fly"] {
            guard case .error? = take(line + "\n").first else {
                Issue.record("\(line) was taken")
                continue
            }
        }
        // Where there is one fob, a number is no word.
        guard case .error(let error)? = take("1 l\n", fobs: 1).first else {
            Issue.record("1 l was taken")
            return
        }
        #expect(error.description.hasPrefix("unknown word"))
    }

    @Test("At a terminal the keys 1 to 3 choose the fob that l, r and a are for")
    func keys() {
        #expect(
            take("l2r4a\u{1B}[1;3ql", .keys) == [
                .of(fob: 1, .word(.click(.left))), .chosen(fob: 2), .of(fob: 2, .word(.click(.right))),
                .of(fob: 2, .word(.toggleAdvertising)), .of(fob: 2, .word(.click(.left))),
            ]
        )
        #expect(take("1l2", .keys, fobs: 1) == [.word(.click(.left))])
    }

    @Test("Random bytes choose no fob that is not there, and a word for fob 2 behind them is for fob 2")
    func random() {
        var random = SeededRandom(seed: 4, purpose: "input for several key fobs")
        for (mode, good) in [(KeyFobInput.Mode.lines, "\n2 l\n"), (.keys, "lll2l")] {
            var input = KeyFobInput(mode, fobs: 9)
            for round in 0..<2_000 {
                var items = input.take(random.bytes(Int(random.next(below: 200))).map { $0 & 0x3F })
                items += input.take(Array(good.utf8))
                #expect(items.last == .of(fob: 2, .word(.click(.left))), "round \(round)")
                for item in items {
                    switch item {
                    case .chosen(let fob), .of(let fob, .word), .of(let fob, .timed): #expect((1...9).contains(fob))
                    case .error(let error): #expect(!error.description.isEmpty && error.description.count < 200)
                    default: Issue.record("\(item) of nine fobs")
                    }
                }
            }
            #expect(input.end() == [])
        }
    }

    // MARK: Output

    private let addresses = (0..<3).map { KeyFobDevice.address(number: $0) }
    private let instant = Instant(nanoseconds: 500_000_000)

    private func output(_ mode: KeyFobOutput.Mode, _ vocabulary: KeyFobWord.Vocabulary = .hardware) -> KeyFobOutput {
        KeyFobOutput(mode, of: vocabulary, radio: .air(listeningOn: "tcp:127.0.0.1:6402"), distance: 1, fobs: 3)
    }

    private func keys(_ keys: KeyFobKeys) -> [FobNotice] { [FobNotice(time: instant, change: .fob(.keys(keys)))] }

    @Test("As JSON: an object for each fob, and each change says of which it is")
    func json() {
        var output = output(.json)
        #expect(
            output.begin(addresses: addresses).output == """
                {"event":"fob","address":"78:C5:E5:9B:76:0D","addressType":"public","fob":1}
                {"event":"fob","address":"78:C5:E5:9B:76:0E","addressType":"public","fob":2}
                {"event":"fob","address":"78:C5:E5:9B:76:0F","addressType":"public","fob":3}
                {"event":"listening","hci":"tcp:127.0.0.1:6402"}

                """
        )
        #expect(
            output.changed(keys(.left), of: 2).output == #"{"event":"key","time":0.5,"state":1,"fob":2}"# + "\n"
        )
        let refusal = output.failed("busy", at: instant, of: 3)
        #expect(refusal.output == #"{"event":"error","time":0.5,"message":"busy","fob":3}"# + "\n")
        #expect(refusal.error == "fob 3: busy\n")
        let error = output.failed("no such word", at: instant)
        #expect(error.output == #"{"event":"error","time":0.5,"message":"no such word"}"# + "\n")
        #expect(error.error == "no such word\n")
    }

    @Test("As lines: each says of which fob it is")
    func plain() {
        var output = output(.plain)
        #expect(
            output.begin(addresses: addresses).output == """
                Key fob 1 78:C5:E5:9B:76:0D
                Key fob 2 78:C5:E5:9B:76:0E
                Key fob 3 78:C5:E5:9B:76:0F
                HCI listening on tcp:127.0.0.1:6402

                """
        )
        #expect(output.changed(keys(.right), of: 3).output == "   0.500 s  fob 3: keys: right\n")
    }

    @Test("Where there is no radio to speak of, only the fobs stand above what happens")
    func withoutRadio() {
        var output = KeyFobOutput(.plain, radio: nil, distance: 1)
        #expect(output.begin(address: addresses[0]).output == "Key fob 78:C5:E5:9B:76:0D\n")
    }

    @Test(
        "Nine fobs fit a terminal of 24 lines, and the latest notices stay",
        arguments: [KeyFobWord.Vocabulary.hardware, .phone]
    )
    func nine(vocabulary: KeyFobWord.Vocabulary) {
        var output = KeyFobOutput(
            .terminal(width: 100, colours: false),
            of: vocabulary,
            radio: .air(listeningOn: "tcp:127.0.0.1:6402"),
            distance: 1,
            fobs: 9
        )
        _ = output.begin(addresses: (0..<9).map { KeyFobDevice.address(number: $0) })
        for turn in 0..<20 {
            let notice = FobNotice(
                time: Instant(nanoseconds: Int64(turn) * 1_000_000_000),
                change: .fob(.advertising(turn.isMultiple(of: 2)))
            )
            let frame = output.changed([notice], of: 1).output
            #expect(frame.contains("\(turn).000 s"))
            #expect(frame.hasPrefix("\u{1B}[23A"))
        }
    }

    @Test(
        "At a terminal each fob has a line with its keys, and the chosen one is seen as a whole",
        arguments: [KeyFobWord.Vocabulary.hardware, .phone]
    )
    func terminal(vocabulary: KeyFobWord.Vocabulary) {
        func lines(_ text: String) -> [String] {
            text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        }
        var output = output(.terminal(width: 100, colours: false), vocabulary)
        let begin = output.begin(addresses: addresses).output
        #expect(begin.contains("> 1  \(addresses[0])") && begin.contains("  2  \(addresses[1])"))
        let first = lines(begin).count
        // What changes of the third is in its line alone.
        let notice = FobNotice(time: instant, change: .fob(.advertising(true)))
        let changed = output.changed([notice], of: 3).output
        #expect(changed.contains("  3  \(addresses[2])  [left] [right]"))
        #expect(!changed.contains("0.500 s"))
        let chosen = output.chose(fob: 3).output
        #expect(chosen.contains("> 3  \(addresses[2])") && chosen.contains("keys are for fob 3"))
        #expect(chosen.contains("0.500 s  advertising"), "its history is seen")
        #expect(lines(chosen).count == lines(changed).count, "the picture keeps its height")
        #expect(first > 10)
        #expect(output.failed("busy", at: instant, of: 3).output.contains("busy"))
        #expect(output.chose(fob: 1).output.contains("> 1"))
    }
}
