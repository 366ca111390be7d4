import Testing

@testable import BluethroatDeviceStudy

@Suite("What varies in a study")
struct VariationTests {
    private static func yaml(_ vary: String) -> String {
        """
        devices:
          b: {kind: advertiser, place: at}
          s: {kind: scanner}
        measure: discovery
        vary: \(vary)
        """
    }

    private static func plan(_ vary: String) throws -> StudyPlan { try StudyFileTests.plan(yaml(vary)) }
    private static func objection(_ vary: String) -> String { StudyFileTests.objection(yaml(vary)) }

    @Test(
        "What varies and makes no difference is refused, unless another row makes it count",
        arguments: [
            (
                "c.value: [20 B, 30 B]",
                "c.value makes no difference without c.traffic: write; give that, or leave value out"
            ),
            ("c.mtu: [23 B, 247 B]", "c.mtu makes no difference without c.traffic: notify or read or write"),
            ("s.power: [0 dBm, 4 dBm]", "a.yaml:6:18: s.power makes no difference without s.active: yes"),
            ("c.mtu: [23 B, 247 B], c.traffic: [none, read]", "nothing"),
            ("s.power: [0 dBm, 4 dBm], s.active: [no, yes]", "nothing"),
        ]
    )
    func withoutEffect(vary: String, message: String) {
        let devices = "  p: {kind: peripheral}\n  c: {kind: central, to: p}\n  s: {kind: scanner}\n"
        let found = StudyFileTests.objection("devices:\n\(devices)measure: connect\nvary: {\(vary)}\n")
        #expect(found.contains(message), "\(found)")
    }

    @Test("Equal values are the same, in whichever unit, and whole bytes are whole; one byte holds no structure")
    func equalValues() {
        for list in ["b.speed: [1.5 m/s, 5.4 km/h]", "b.speed: [3.6 km/h, 1 m/s]", "b.x: [1.001 km, 1001 m]"] {
            let walk = list.hasPrefix("b.x") ? "" : ", walk: waypoint"
            let yaml =
                "devices:\n  b: {kind: advertiser\(walk)}\n  s: {kind: scanner}\nmeasure: discovery\nvary: {\(list)}"
            #expect(StudyFileTests.objection(yaml).contains("twice"), "\(list): \(StudyFileTests.objection(yaml))")
        }
        for size in ["16.1 kB", "1.1 kB", "2.3 kB", "4.35 kB", "1.001 kB", "64.1 kB"] {
            let yaml = "devices:\n  o: {kind: moneydrop, photo: \(size)}\nmeasure: energy\n"
            #expect(StudyFileTests.objection(yaml) == "nothing", "\(size)")
        }
        // Greek letters look like the sign.
        #expect(Self.objection("{b.interval: [100000 \u{3BC}s, 200000 \u{B5}s]}") == "nothing")
        #expect(
            Self.objection("{b.payload: [0 B, 1 B]}").contains("1 B holds no AD structure; give 0 B, or 2 B and more")
        )
    }

    @Test("What is measured of values is refused where no central has any")
    func withoutTraffic() {
        func yaml(_ more: String) -> String {
            "length: 3 s\ndevices:\n  p: {kind: peripheral, place: at}\n  c: {kind: central, to: p, place: at\(more)\n"
        }
        let none = StudyFileTests.objection(yaml("}\nmeasure: [connect, throughput]"))
        #expect(
            none == "a.yaml:5:10: throughput: no central has such values; give c.traffic: notify or read or write"
        )
        let notified = StudyFileTests.objection(yaml(", traffic: notify}\nmeasure: roundtrip"))
        #expect(notified == "a.yaml:5:10: roundtrip: no central has such values; give c.traffic: read or write")
        let varied = yaml("}\nvary: {c.traffic: [none, read]}\nmeasure: [throughput, roundtrip]")
        #expect(StudyFileTests.objection(varied) == "nothing")
    }

    @Test("A range whose steps are smaller than those on the air is refused")
    func tooFine() {
        let fine = Self.objection("{b.interval: {from: 100 ms, to: 110 ms, step: 0.1 ms}}")
        #expect(fine.contains("100 ms comes twice; give a larger step"), "\(fine)")
    }

    @Test("Traffic that a key fob has no answer to, and power that no current is known for, are told at their values")
    func noAnswer() {
        func objection(_ more: String) -> String {
            StudyFileTests.objection("devices:\n  fob: {kind: keyfob}\n  b: {kind: advertiser}\n\(more)")
        }
        let central = "  c: {kind: central, to: fob, traffic: write}\nmeasure: throughput"
        #expect(objection(central) == "a.yaml:4:40: a key fob is only read here; give c.traffic: read")
        #expect(objection(central.replacing("write", with: "read")) == "nothing")
        let power = "  s: {kind: advertiser, power: 9 dBm}\nmeasure: energy"
        #expect(objection(power).hasPrefix("a.yaml:4:32: the table of currents ends at 8 dBm; give less power"))
        #expect(objection(power.replacing("9", with: "8")) == "nothing")
        #expect(objection(power + "\nenergy: {transmit: {0 dBm: 5 mA, 20 dBm: 60 mA}}") == "nothing")
        #expect(objection(power + "\nenergy: {transmit: 5 mA}") == "nothing")
        #expect(objection(power.replacing("energy", with: "collisions")) == "nothing")
        let single = "\nenergy: {transmit: {-8 dBm: 3 mA}}"
        #expect(objection(power + single).contains("the table of currents ends at -8 dBm, and fob sends with 0 dBm"))
        let low = power.replacing("9", with: "-20") + "\nenergy: {transmit: {-20 dBm: 3 mA, -8 dBm: 4 mA}}"
        #expect(objection(low).hasSuffix("ends at -8 dBm, and fob sends with 0 dBm; give another table as energy"))
    }

    @Test(
        "A range without end, or with steps that lead nowhere, is one line that says so, before there are many values",
        arguments: [
            ("{from: 1 m, to: 1e308 km, factor: 2}", "a.yaml:5:29: to: 1e308 km is too large a number"),
            ("{from: 1 m, to: inf m, factor: 2}", "to: inf m is no number"),
            ("{from: 1 m, to: 1e300 km, factor: 2}", "b.x: 1e300 km is not possible; give -1000000 m to 1000000 m"),
            ("{from: -1e308 m, to: 1e308 m, step: 5 m}", "a.yaml:5:20: b.x: -1e308 m is not possible"),
            ("{from: 1 m, to: 2 m, step: 1e-300 m}", "more than 10000 values; give a larger step"),
            ("{from: 1 m, to: 2 m, step: 1e-320 m}", "more than 10000 values; give a larger step"),
            ("{from: 1 m, to: 1.0000001 m, step: 1e-8 m}", "the step is too small: 1 m comes twice"),
            ("{from: 1 m, to: 2 m, step: 0 m}", "give one of these: a step above 0"),
            ("{from: 1 m, to: 2 m, factor: 1}", "a factor above 1"),
            ("{from: 1 m, to: 2 m, factor: 1.0000000000000001}", "a factor above 1"),
            ("{from: 1 m, to: 2 m, factor: 1.0000001}", "more than 10000 values; give a larger factor"),
            ("{from: 5e-324 m, to: 2 m, factor: 1.0001}", "more than 10000 values; give a larger factor"),
            ("{from: 1e-9 m, to: 2 m, factor: 2}", "the factor is too small: 0 m comes twice"),
        ]
    )
    func endless(range: String, message: String) {
        let objection = Self.objection("{b.x: \(range)}")
        #expect(objection.contains(message), "\(objection)")
    }

    @Test("A range's last value is not lost to rounding, and a range from a number to itself is that number")
    func lastValue() throws {
        let last = { (range: String) in try Self.plan("{b.x: \(range)}").rows.map { $0.number("b.x") } }
        #expect(try last("{from: 0.1 m, to: 0.3 m, step: 0.1 m}") == [0.1, 0.2, 0.3])
        #expect(try last("{from: 1 m, to: 1.331 m, factor: 1.1}") == [1, 1.1, 1.21, 1.331])
        #expect(try last("{from: 0 m, to: 9 m, step: 5 m}") == [0, 5])
        #expect(try last("{from: 7 m, to: 7 m, step: 1e-12 m}") == [7])
    }

    @Test("There are 1000 names of devices at most, and fewer rows for many: a small file takes no gigabytes")
    func manyNames() {
        func objection(names: Int, rows: Int) -> String {
            let groups = (0..<names).map { "  a\($0): {kind: advertiser, count: 0}\n" }.joined()
            let rows = (0..<rows).map { "  - {a0.count: \($0)}\n" }.joined()
            return StudyFileTests.objection(
                "devices:\n\(groups)  s: {kind: scanner}\nmeasure: received\nvary:\n\(rows)"
            )
        }
        let names = objection(names: 1_001, rows: 1)
        #expect(names.contains("a.yaml:1002:3: there are more than 1000 names of devices"), "\(names)")
        let rows = objection(names: 499, rows: 201)
        #expect(rows.contains("that makes more than 200 rows for 500 names of devices"), "\(rows)")
    }

    @Test("There are 10 000 rows at most, in a grid and in a list, and the first one too many is named")
    func limit() throws {
        let rows = (0...10_000).map { "  - {b.x: \($0) m}\n" }
        #expect(try Self.plan("\n" + rows.dropLast().joined()).rows.count == 10_000)
        #expect(Self.objection("\n" + rows.joined()).contains("a.yaml:10006:5: that makes more than 10000 rows"))
        let grid = "{b.x: {from: 0 m, to: 100 m, step: 1 m}, b.y: {from: 0 m, to: 99 m, step: 1 m}}"
        #expect(Self.objection(grid).contains("more than 10000 rows"))
        let values = (0...10_000).map { "\($0) m" }.joined(separator: ", ")
        #expect(Self.objection("{b.x: [\(values)]}").contains("more than 10000 rows"))
    }

    @Test(
        "A row that is there twice is refused, however its numbers are written",
        arguments: [
            ("[{b.x: 1 m}, {b.x: 2 m}, {b.x: 1.0 m}]", "a.yaml:5:32: this row is there twice"),
            ("[{b.x: 1 m, b.count: 2}, {b.count: 2, b.x: 100 cm}]", "this row is there twice"),
            ("{b.x: [0 m, -0 m]}", "is there twice"),
            ("{b.interval: [1 s, 1000 ms]}", "a.yaml:5:26: 1 s is there twice"),
        ]
    )
    func twice(vary: String, message: String) {
        let objection = Self.objection(vary)
        #expect(objection.contains(message), "\(objection)")
    }
}
