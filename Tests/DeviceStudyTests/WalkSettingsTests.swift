import Testing

@testable import BluethroatDeviceStudy

@Suite("Settings of walks and places in a study")
struct WalkSettingsTests {
    private static func plan(_ beacon: String, vary: String = "length: [1 s]") throws -> StudyPlan {
        try StudyFileTests.plan(
            """
            devices:
              b: {kind: advertiser\(beacon)}
              s: {kind: scanner}
            measure: reach
            vary: {\(vary)}
            """
        )
    }

    @Test(
        "What does not count, because of how devices walk or are placed, is refused where it stands",
        arguments: [
            (", walk: waypoint, place: at", "a.yaml:2:48: b.place is for walk: still, and b has walk: waypoint"),
            (", walk: streets, x: 5 m", "b.x is for walk: still, and b has walk: streets"),
            (", walk: trace, trace: ways.csv, y: 5 m", "b.y is for walk: still, and b has walk: trace"),
            (", walk: waypoint, distance: 5 m", "b.distance is for walk: still"),
            (", walk: waypoint, block: 5 m", "b.block is for walk: streets"),
            (", speed: 5 m/s", "b.speed is for walk: waypoint or streets, and b has walk: still"),
            (", trace: ways.csv", "b.trace is for walk: trace, and b has walk: still; leave it out, or change walk"),
            (", x: 5 m", "b.x is for place: at or line or grid or circle, and b has place: random; leave it out, or"),
            (", place: random, y: 5 m", "b.y is for place: at or line or grid or circle, and b has place: random"),
            (", place: at, distance: 5 m", "b.distance is for place: line or grid or circle, and b has place: at"),
        ]
    )
    func unused(beacon: String, message: String) {
        let error = #expect(throws: StudyFileError.self) { try Self.plan(beacon) }
        #expect(error?.description.contains(message) == true, "\(error.map { "\($0)" } ?? "nothing")")
    }

    @Test("What counts in one row at least is taken, and what varies without counting is refused")
    func varied() throws {
        let walks = "b.walk: [still, waypoint]"
        #expect(try Self.plan(", place: at, x: 5 m, speed: 2 m/s", vary: walks).rows.count == 2)
        #expect(try Self.plan(", place: at", vary: "\(walks), b.x: [1 m, 2 m]").rows.count == 4)
        #expect(try Self.plan(", x: 5 m", vary: "b.place: [random, at]").rows.count == 2)
        for place in ["line", "grid", "circle"] {
            #expect(try Self.plan(", place: \(place), x: 5 m, y: 2 m, distance: 3 m").rows.count == 1)
        }
        let error = #expect(throws: StudyFileError.self) { try Self.plan(", walk: waypoint", vary: "b.x: [1 m, 2 m]") }
        #expect(error?.description.hasPrefix("a.yaml:5:14: b.x is for walk: still") == true, "\(error as Any)")
        // Each row lacks something else.
        let rows = "b.walk: waypoint, b.place: at}, {b.walk: still, b.place: random"
        let devices = "devices: {b: {kind: advertiser, x: 5 m}, s: {kind: scanner}}"
        let yaml = "\(devices)\nmeasure: reach\nvary: [{\(rows)}]\n"
        let neither = #expect(throws: StudyFileError.self) { try StudyFileTests.plan(yaml) }
        #expect(neither?.description.contains("circle, and b has place: random; leave") == true, "\(neither as Any)")
    }
}
