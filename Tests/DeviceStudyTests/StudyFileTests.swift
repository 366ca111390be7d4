import BluethroatEvents
import BluethroatStudies
import Foundation
import Testing

@testable import BluethroatDeviceStudy

@Suite("Files that describe studies")
struct StudyFileTests {
    static func plan(_ yaml: String) throws -> StudyPlan {
        try StudyPlan(yaml: yaml, named: "a.yaml") { path in
            guard path == "ways.csv" else { throw OperationFailure("cannot read \(path)") }
            return "a,0,0,0\nb,0,1,1\n"
        }
    }

    /// What is said against a study; "nothing" if it can be computed.
    static func objection(_ yaml: String) -> String {
        do {
            _ = try plan(yaml)
            return "nothing"
        } catch { return "\(error)" }
    }

    private static let devices = """
        devices:
          beacons: {kind: advertiser, count: 3}
          phone: {kind: scanner}
        """

    @Test("What the air and the clocks have in steps is the nearest step, in the world and in the table")
    func steps() throws {
        let plan = try Self.plan(
            """
            \(Self.devices)
              server: {kind: peripheral}
              central: {kind: central, to: server, interval: 31 ms}
            air: {exponent: 2.74}
            vary: {beacons.interval: [500.3 ms, 500.4 ms, 20 ms]}
            measure: received
            """
        )
        #expect(plan.rows[0].number("air.exponent") == 2.7 && plan.rows[0].number("central.interval") == 0.031_25)
        #expect(plan.rows.map { $0.number("beacons.interval") } == [0.5, 0.500_625, 0.02])
        let parameter = try #require(plan.parameters.first { $0.path == "beacons.interval" })
        let texts = plan.rows.compactMap { $0["beacons.interval"].map(parameter.text) }
        #expect(texts == ["500 ms", "500.625 ms", "20 ms"])
    }

    @Test("A file with the mark of UTF-8 before it is read, and so is a pipe")
    func markAndPipe() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).yaml").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let text = "study: Marked\n\(Self.devices)\nmeasure: received\n"
        try Data([0xEF, 0xBB, 0xBF] + text.utf8).write(to: URL(fileURLWithPath: path))
        #expect(try StudyPlan(file: path).title == "Marked")
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try pipe.fileHandleForWriting.close()
        #expect(try StudyPlan(file: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)").title == "Marked")
        let endless = #expect(throws: OperationFailure.self) { try StudyPlan(file: "/dev/zero") }
        #expect(endless?.message == "cannot read /dev/zero: it is longer than 1 MiB")
    }

    @Test("Values have units and become numbers in the first of them") func units() throws {
        let plan = try Self.plan(
            """
            study: Units
            worlds: 7
            seed: 18446744073709551615
            length: 2 min
            air: {loss: 5 %, sensitivity: -90 dBm, exponent: 2.7}
            area: {width: 0.2 km}
            \(Self.devices)
            vary: {beacons.interval: [100 ms, 1.5 s], phone.window: [10 ms]}
            measure: received
            """
        )
        #expect(plan.title == "Units" && plan.worlds == 7 && plan.seed == .max && plan.rows.count == 2)
        #expect(plan.rows[1].number("length") == 120 && plan.rows[1].number("air.loss") == 0.05)
        #expect(plan.rows[0].number("air.sensitivity") == -90 && plan.rows[0].number("area.width") == 200)
        #expect(plan.rows.map { $0.number("beacons.interval") } == [0.1, 1.5])
        #expect(plan.rows[0].number("phone.window") == 0.01 && plan.rows[0].word("beacons.walk") == "still")
    }

    @Test("A grid has all combinations, the last parameter first; ranges have steps or factors") func grid() throws {
        let plan = try Self.plan(
            """
            \(Self.devices)
            vary:
              beacons.count: {from: 10, to: 30, step: 10}
              beacons.interval: {from: 100 ms, to: 800 ms, factor: 2}
            measure: [discovery]
            """
        )
        #expect(plan.rows.count == 12 && plan.varied == ["beacons.count", "beacons.interval"])
        #expect(plan.rows.map { $0.whole("beacons.count") } == [10, 10, 10, 10, 20, 20, 20, 20, 30, 30, 30, 30])
        #expect(plan.rows.prefix(4).map { $0.number("beacons.interval") } == [0.1, 0.2, 0.4, 0.8])
    }

    @Test("A list of rows is taken as it is") func rows() throws {
        let plan = try Self.plan(
            """
            \(Self.devices)
            vary:
              - {beacons.count: 1, phone.active: yes}
              - {phone.active: no, beacons.count: 9}
            measure: [collisions]
            """
        )
        #expect(plan.rows.map { $0.whole("beacons.count") } == [1, 9])
        #expect(plan.rows.map { $0.word("phone.active") } == ["yes", "no"])
    }

    @Test("Lines end as on any system, and a list may be written on one line", arguments: ["\n", "\r\n", "\r"])
    func lineEnds(end: String) throws {
        let values = (1...2_000).map { "{beacons.count: \($0)}" }.joined(separator: ", ")
        let yaml = "# \n\nstudy: Lines\n\(Self.devices)\nvary: [\(values)]\nmeasure: [collisions]\n"
        let plan = try Self.plan(yaml.replacing("\n", with: end))
        #expect(plan.title == "Lines" && plan.rows.count == 2_000)
        let error = #expect(throws: StudyFileError.self) {
            try Self.plan("# \n\nstudy: Lines\n a: b: c\n".replacing("\n", with: end))
        }
        #expect(error?.line == 4)
    }

    @Test("A title may be in quotes, over several lines or a block, and is one line")
    func titles() throws {
        func title(_ text: String) throws -> String {
            try Self.plan("study: \(text)\n\(Self.devices)\nmeasure: collisions\n").title
        }
        #expect(try title("\"over\n  two [lines with * stars\"") == "over two [lines with * stars")
        #expect(try title("|\n  Beacons & co\n  *x") == "Beacons & co *x")
        #expect(try title(">-\n  R & D\n  [1]") == "R & D [1]")
    }

    @Test(
        "What is wrong is told with its line and column, and what to do",
        arguments: [
            ("", "a.yaml:1:1: the file is empty"), ("[", "this is no YAML"),
            ("- a\n", "a.yaml:1:1: a study is no list of"),
            ("lenght: 3 s\n", "a.yaml:1:1: a study has no lenght; did you mean length?"),
            ("length: 3\n@\nmeasure: collisions\n", "a.yaml:1:9: length: 3 has no unit; give one as in 3 s"),
            ("length: 3 kg\n@\nmeasure: collisions\n", "a.yaml:1:9: length: kg is no unit of it; give s, ms"),
            ("length: soon\n@\nmeasure: collisions\n", "a.yaml:1:9: length: soon is no number; give one as in 100 ms"),
            ("length: 0 s\n@\nmeasure: collisions\n", "a.yaml:1:9: length: 0 s is not possible; give 100 ms to"),
            ("seed: -1\n@\nmeasure: collisions\n", "a.yaml:1:7: seed: give a whole number"),
            ("worlds: 0\n@\nmeasure: collisions\n", "a.yaml:1:9: worlds: give a whole number from 1 to 10000"),
            ("length: 1 s\nlength: 2 s\n", "is there twice"),
            ("measure: collisions\n", "give one of these: devices, overflow"),
            ("devices:\n  a: {count: 2}\n", "a.yaml:2:3: a has no kind; give one of these: advertiser"),
            ("devices:\n  a: {kind: tv}\n", "a.yaml:2:13: tv is no kind of device"),
            (
                "devices:\n  a: {kind: scanner, windou: 3 ms}\nmeasure: energy\n",
                "a has no windou; did you mean window?"
            ),
            ("devices:\n  a b: {kind: scanner}\n", "a b cannot be the name of devices"),
            ("devices: {}\nmeasure: energy\n", "there are no devices"),
            ("@\n", "give what to measure: discovery, received"),
            ("@\nmeasure: [speed]\n", "speed cannot be measured; give discovery"),
            ("@\nmeasure: [energy, energy]\n", "energy is there twice"),
            ("@\nmeasure: connect\n", "there is no central"),
            ("devices:\n  a: {kind: central, to: b}\nmeasure: connect\n", "a is to connect `to` a group"),
            ("@\nmeasure: energy\nvary: {beacons.kind: [scanner]}\n", "a.yaml:5:8: vary has no beacons.kind"),
            (
                "@\nmeasure: energy\nvary: {watch.count: [1]}\n",
                "vary has no watch.count; there are length, warmup, area.…, air.…, beacons.…"
            ),
            (
                "@\nmeasure: energy\nvary: {air.temperature: [1]}\n",
                "vary has no air.temperature; there are air.loss-at-1m, air.exponent, air.shadowing, air.sensitivity, "
                    + "air.capture, air.loss, air.mode"
            ),
            ("@\nmeasure: energy\nvary: {beacons.count: [1, 1]}\n", "1 is there twice"),
            ("@\nmeasure: energy\nvary: {beacons.count: 4}\n", "give a list, as in [1, 2]"),
            ("@\nmeasure: energy\nvary: {beacons.count: []}\n", "there are no values"),
            ("@\nmeasure: energy\nvary: []\n", "there are no values"),
            ("@\nmeasure: energy\nvary: {beacons.count: {from: 1, to: 9}}\n", "a step above 0, a factor above 1"),
            ("@\nmeasure: energy\nvary: {beacons.count: {from: 9, to: 1, step: 1}}\n", "a range goes from"),
            (
                "@\nmeasure: energy\nvary: {beacons.count: {from: 1, to: 1e300, step: 1}}\n",
                "a.yaml:5:37: beacons.count: 1e300 is not possible; give a whole number"
            ),
            ("@\nmeasure: energy\nvary: {beacons.count: {from: 1, to: 2, step: 0.5}}\n", "give a whole number"),
            ("@\nmeasure: energy\nvary: {phone.window: [1 s]}\n", "phone.window is longer than phone.interval"),
            ("@\nmeasure: energy\nvary: [{beacons.count: 1}, {phone.window: 5 ms}]\n", "each row has to give the same"),
            ("@\nmeasure: energy\nenergy: {receive: 5 V}\n", "V is no unit of it; give A, mA"),
            ("@\nmeasure: energy\nenergy: {transmit: {}}\n", "give a current for a power"),
            ("@\nmeasure: energy\nplot: {y: voltage}\n", "voltage cannot be y; give energy.beacons.current"),
            ("devices:\n  a: {kind: scanner, walk: trace}\nmeasure: energy\n", "a walks a trace; give its file"),
            (
                "devices:\n  a: {kind: scanner, walk: trace, trace: b.csv}\nmeasure: energy\n",
                "a.yaml:2:42: cannot read b.csv"
            ),
            (
                "devices:\n  a: {kind: scanner, walk: trace, trace: ways.csv, count: 3}\nmeasure: energy\n",
                "ways.csv has the ways of 2 devices, not of 3"
            ),
            (
                "devices:\n  a: {kind: scanner, count: 2000}\n  b: {kind: ibeacon, count: 1001}\nmeasure: reach\n",
                "more than 2000000 pairs"
            ),
            (
                "devices:\n  s:\n    kind: scanner\n    interval: 20 ms\n    window: 30 ms\nmeasure: energy\n",
                "a.yaml:5:13: s.window is longer than s.interval"
            ),
            (
                "devices:\n  s:\n    kind: scanner\n    interval: 20 ms\nmeasure: energy\n",
                "a.yaml:4:15: s.window is longer than s.interval"
            ),
            (
                "@\nmeasure: energy\nvary:\n  phone.interval: [40 ms, 30 ms]\n  phone.window: [20 ms, 35 ms]\n",
                "a.yaml:7:25: phone.window is longer than phone.interval"
            ),
            (
                "@\nmeasure: energy\nvary:\n  - {phone.window: 20 ms}\n  - {phone.window: 35 ms}\n",
                "a.yaml:7:20: phone.window is longer than phone.interval"
            ),
            (
                "devices:\n  a: {kind: scanner, count: 1}\n  b: {kind: ibeacon, count: 100000}\n  c:\n"
                    + "    kind: ibeacon\n    count: 99000\n  d: {kind: ibeacon, count: 1001}\nmeasure: energy\n",
                "a.yaml:3:29: that is more than 200000 devices"
            ),
            ("overflow:\n  mode: conversation\n  phones: 17\n", "a.yaml:3:11: conversations have numbers for 16"),
            ("overflow:\n  mode: conversation\n", "a.yaml:2:9: conversations have numbers for 16"),
            (
                "@\nmeasure: energy\nenergy: {transmit: {0 dBm: 1 mA, 4 dBm: 2 mA, 0.0 dBm: 3 mA}}\n",
                "a.yaml:5:47: 0 dBm is there twice"
            ),
            ("@\nmeasure: energy\nplot: {x: length}\n", "a.yaml:5:11: length cannot be x: no number varies"),
            ("@\nmeasure: energy\nplot: {curves: length}\n", "length cannot be curves: no parameter varies"),
            ("@\nmeasure: energy\nvary: {phone.active: [no, yes]}\nplot: {x: phone.active}\n", "no number varies"),
            ("devices:\n  no: {kind: scanner}\n  \"no\": {kind: scanner}\n", "a.yaml:3:3: no is there twice"),
            ("devices: {}\noverflow: {}\n", "a.yaml:2:11: give one of these: devices, overflow"),
            ("length: 1 s\nwarmup: 1\u{1}s\n", "a.yaml:2:10: this is no text"),
            ("overflow: {phones: 5}\nmeasure: energy\n", "measure is not for overflow"),
            (
                "overflow: {phones: 5}\nenergy: {receive: 5 mA}\n",
                "a.yaml:2:9: energy is not for overflow; leave it out"
            ),
            (
                "overflow: {phones: 5, mode: conversation, scanners: 3}\n",
                "a.yaml:1:53: overflow.scanners is for mode: demo or hamming or bch, and overflow has mode: conversation"
            ),
            (
                "overflow: {phones: 5, mode: conversation}\nvary: {overflow.speed: [1 m/s, 2 m/s]}\n",
                "overflow.speed is for mode: demo or hamming or bch"
            ),
            ("overflow: {mode: conversation}\n", "conversations have numbers for 16 phones"),
            ("overflow: {phones: 5}\nair: {loss: 1 %}\n", "air is not for overflow"),
            (
                "devices:\n  air: {kind: scanner}\n",
                "a.yaml:2:3: air is a setting of the study; give its devices another"
            ),
            ("devices:\n  \"\": {kind: scanner}\n", "nothing cannot be the name of devices"),
            ("@\nmeasure: received\nenergy: {receive: 5 mA}\n", "energy is not measured; leave it out, or give energy"),
            (
                "@\nmeasure: received\nvary: {air.loss: [\"1e-7\", 0]}\n",
                "is there twice"
            ),
            ("@\nmeasure: !!str energy\nseeds: 2\n", ":10: types (!) are not taken"),
            ("a: &b 1\nc: *b\n", "a.yaml:1:4: references (& and *) are not taken"),
            (
                "devices:\n  a: {kind: scanner, count: 100000}\n  b: {kind: scanner, count: 100001}\nmeasure: energy\n",
                "100001 is not"
            ),
        ]
    )
    func wrong(yaml: String, message: String) {
        let text = yaml.replacing("@", with: Self.devices)
        let error = #expect(throws: (any Error).self) { try Self.plan(text) }
        #expect("\(error.map { "\($0)" } ?? "")".contains(message), "\(error.map { "\($0)" } ?? "nothing")")
    }

    @Test("A long name is said once, however many settings it has")
    func longName() {
        let name = String(repeating: "n", count: 200)
        let text = "devices:\n  \(name): {kind: advertiser}\nvary: {beacons.interval: [1 s]}\nmeasure: energy\n"
        let error = #expect(throws: (any Error).self) { try Self.plan(text) }
        #expect("\(error.map { "\($0)" } ?? "")".split(separator: name).count == 2)
    }

    @Test(
        "What would move a terminal's cursor, or is not in XML, is refused with its line and never printed",
        arguments: [
            ("length: 1 s\nstudy: \"a\\eb\"\n", "a.yaml:2:8: study has a character that cannot be printed, U+001B"),
            ("study: \"a\\x01b\"\n", "U+0001"), ("study: \"a\\uFFFFb\"\n", "U+FFFF"),
            ("study: \"\\u202Eb\"\n", "U+202E"),
            ("\"a\\eb\": 1\n", "a.yaml:1:1: a name has a character that cannot be printed, U+001B"),
            ("\"a\\eb\": 1\n\"a\\eb\": 2\n", "a.yaml:1:1: a\u{FFFD}b is there twice"),
            ("devices: {\"\\e[31m\": {kind: scanner}}\n", "a.yaml:1:11: a name has a character"),
            ("@\nmeasure: energy\nenergy: {source: \"a\\eb\"}\n", "a.yaml:5:18: source has a character"),
        ]
    )
    func unprintable(yaml: String, message: String) {
        let error = #expect(throws: (any Error).self) { try Self.plan(yaml.replacing("@", with: Self.devices)) }
        let text = error.map { "\($0)" } ?? ""
        #expect(text.contains(message) && !text.unicodeScalars.contains("\u{1B}"), "\(text.debugDescription)")
    }

    @Test("A mark at the beginning, as Excel writes it, is passed over, and places are counted without it") func mark()
        throws
    {
        let mark = "\u{FEFF}"
        #expect(try Self.plan("\(mark)study: Café 👩‍🔬\n\(Self.devices)\nmeasure: collisions\n").title == "Café 👩‍🔬")
        let error = #expect(throws: StudyFileError.self) { try Self.plan("\(mark)lenght: 1 s\n") }
        #expect(error?.description.hasPrefix("a.yaml:1:1: a study has no lenght") == true)
    }

    @Test("A hostile file ends with an error, and soon: nesting, length, bytes that are no text")
    func hostile() {
        let depth = 100_000
        let files = [
            String(repeating: "[", count: depth), String(repeating: "{a: ", count: depth),
            String(repeating: "- ", count: depth), String(repeating: "? ", count: depth),
            (0..<2_000).map { String(repeating: " ", count: $0) + "a:\n" }.joined(),
            String(repeating: "a: 1\n", count: 300_000), "a: \u{0}\n", "%YAML 9\n---\n", "\u{FEFF}: !!binary x\n",
            "!!set {a, b}", "--- a\n--- b\n",
        ]
        for file in files { #expect(throws: StudyFileError.self) { try Self.plan(file) } }
    }

    @Test("Any text is read or refused, however it was cut or changed", arguments: 1...300 as ClosedRange<UInt64>)
    func cut(seed: UInt64) throws {
        var text = Array(
            """
            length: 2 min
            air: {loss: 5 %, exponent: 2.7}
            \(Self.devices)
            vary: {beacons.interval: [100 ms, 1.5 s], phone.window: {from: 3 ms, to: 9 ms, step: 3 ms}}
            measure: [received, energy]
            energy: {transmit: {0 dBm: 5 mA}}
            """
            .utf8
        )
        var random = SplitMix(state: seed)
        for _ in 0..<(1 + seed % 3) {
            let place = Int(random.next() % UInt64(text.count))
            switch random.next() % 3 {
            case 0: text.removeSubrange(place..<min(text.count, place + Int(random.next() % 9)))
            case 1: text[place] = UInt8(truncatingIfNeeded: random.next())
            default: text.insert(contentsOf: Array("[{:- \n&*'\"#,".utf8).shuffled(using: &random), at: place)
            }
            if text.isEmpty { text = [0x61] }
        }
        do { _ = try Self.plan(String(decoding: text, as: UTF8.self)) } catch let error as StudyFileError {
            #expect(error.line > 0 && error.column > 0 && !error.message.isEmpty)
        }
    }
}

struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
