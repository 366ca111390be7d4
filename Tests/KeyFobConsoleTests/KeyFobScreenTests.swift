import BluethroatBluetoothValues
import BluethroatKeyFob
import BluethroatKeyFobConsole
import BluethroatVirtualTime
import Testing

@Suite("A key fob at a terminal")
struct KeyFobScreenTests {
    private let peer = DeviceAddress("C0:11:22:33:44:55", kind: .random)!

    private func view() -> KeyFobView {
        let address = DeviceAddress("78:C5:E5:9B:76:0D", kind: .public)!
        return KeyFobView(address: address, transport: "HCI on tcp:127.0.0.1:6402", distance: 1)
    }

    private func text(_ view: KeyFobView) -> String { view.lines(width: 200, colours: false).joined(separator: "\n") }

    private func shown(_ changes: KeyFobNotice.Change...) -> String {
        var view = view()
        for change in changes {
            view.apply(KeyFobNotice(time: Instant(nanoseconds: 1_500_000_000), change: change))
        }
        return text(view)
    }

    @Test("Everything of the fob is there from the beginning")
    func beginning() {
        let text = text(view())
        for part in [
            "78:C5:E5:9B:76:0D", "tcp:127.0.0.1:6402", "LED1 ○", "LED2 ○", "buzzer silent", "alert none",
            "advertising off", "peer none", "battery 100 %", "transmit power 0 dBm", "distance 1 m",
            "accelerometer off", "x 0  y 0  z 0", "l left", "r right", "a advertising", "q quit",
        ] { #expect(text.contains(part), "\(part)") }
    }

    @Test("Every change is seen")
    func changes() {
        #expect(shown(.led(.led1, on: true)).contains("LED1 ●   LED2 ○"))
        #expect(shown(.led(.led2, on: true)).contains("LED1 ○   LED2 ●"))
        #expect(shown(.tone(hertz: 250)).contains("buzzer 250 Hz"))
        #expect(shown(.alert(.high, .linkLoss)).contains("alert high, link lost"))
        #expect(shown(.alert(.high, .linkLoss), .alert(.none, nil)).contains("alert none"))
        #expect(shown(.advertising(true)).contains("advertising on"))
        #expect(shown(.connected(peer)).contains("peer C0:11:22:33:44:55"))
        #expect(shown(.connected(peer), .disconnected(peer, reason: .connectionTimeout)).contains("peer none"))
        #expect(shown(.battery(percent: 7)).contains("battery 7 %"))
        #expect(shown(.transmitPower(dBm: -6)).contains("transmit power -6 dBm"))
        #expect(shown(.accelerometer(enabled: true)).contains("accelerometer on"))
        #expect(shown(.subscribed(peer, 0xFFE1, 0x47, on: true)).contains("subscribed to FFE1"))
        #expect(
            shown(.subscribed(peer, 0xFFE1, 0x47, on: true), .subscribed(peer, 0xFFE1, 0x47, on: false))
                .contains("subscribed to nothing")
        )
        #expect(shown(.keys([.left, .right])).contains("1.500 s  keys: left and right"))
    }

    @Test("The picture keeps its height, and its width is kept to", arguments: [1, 10, 40, 80, 300])
    func size(width: Int) {
        var view = view()
        let height = view.lines(width: width, colours: false).count
        for index in 0..<50 {
            view.apply(KeyFobNotice(time: .zero, change: .battery(percent: UInt8(100 - index))))
            view.message = index % 2 == 0 ? String(repeating: "no ", count: 200) : nil
            let lines = view.lines(width: width, colours: false)
            #expect(lines.count == height)
            #expect(lines.allSatisfy { $0.count <= width })
        }
    }

    @Test("Colours take no room and are taken back")
    func colours() {
        var view = view()
        view.apply(KeyFobNotice(time: .zero, change: .alert(.high, .immediate)))
        for line in view.lines(width: 60, colours: true) {
            var plain = line
            var opened = false
            while let escape = plain.firstRange(of: "\u{1B}["),
                let end = plain[escape.upperBound...].firstIndex(of: "m")
            {
                opened = plain[escape.upperBound..<end] != "0"
                plain.removeSubrange(escape.lowerBound...end)
            }
            #expect(!opened && plain.count <= 60)
        }
    }

    /// A terminal that understands what the screen writes, and nothing else.
    private struct Terminal {
        var rows: [[Character]] = [[]]
        var row = 0
        var column = 0
        var cursorIsShown = true

        mutating func write(_ text: String) {
            var rest = Substring(text.replacing("\r\n", with: "\n"))
            while let character = rest.popFirst() {
                switch character {
                case "\n":
                    row += 1
                    column = 0
                    if row == rows.count { rows.append([]) }
                case "\r": column = 0
                case "\u{1B}":
                    let sequence = rest.prefix { !$0.isLetter }
                    rest = rest.dropFirst(sequence.count)
                    control(sequence.dropFirst(), rest.popFirst())
                default:
                    while rows[row].count <= column { rows[row].append(" ") }
                    rows[row][column] = character
                    column += 1
                }
            }
        }

        mutating func control(_ argument: Substring, _ command: Character?) {
            switch (argument, command) {
            case ("?25", "l"): cursorIsShown = false
            case ("?25", "h"): cursorIsShown = true
            case ("2", "K"): rows[row] = []
            case ("", "J"):
                rows[row].removeSubrange(min(column, rows[row].count)...)
                rows.removeSubrange((row + 1)...)
            case (let count, "A"): row -= Int(count) ?? 1
            default: Issue.record("unknown sequence \(argument)\(String(describing: command))")
            }
        }

        var text: [String] { rows.map { String($0) } }
    }

    @Test("Frames draw in place: the terminal shows the last one only, and gets its cursor back")
    func frames() {
        var terminal = Terminal()
        var screen = KeyFobScreen()
        var view = view()
        terminal.write("$ bluethroat keyfob\r\n")
        terminal.write(screen.frame(view, width: 80, colours: false))
        #expect(!terminal.cursorIsShown)
        #expect(screen.frame(view, width: 80, colours: false) == "", "nothing has changed")
        for percent in [UInt8(90), 8] {
            view.apply(KeyFobNotice(time: .zero, change: .battery(percent: percent)))
            terminal.write(screen.frame(view, width: 80, colours: false))
        }
        let expected = ["$ bluethroat keyfob"] + view.lines(width: 79, colours: false) + [""]
        #expect(terminal.text == expected)
        terminal.write(screen.invalidate())
        terminal.write(screen.frame(view, width: 60, colours: false))
        #expect(terminal.text == ["$ bluethroat keyfob"] + view.lines(width: 59, colours: false) + [""])
        terminal.write(screen.end())
        #expect(terminal.cursorIsShown)
        #expect(screen.end() == "")
    }
}
