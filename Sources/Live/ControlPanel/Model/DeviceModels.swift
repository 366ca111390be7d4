/// The world as a whole.
struct WorldView: Described, Hashable {
    var time: Double
    var isVirtual: Bool
    var seed: String
    /// Nil where there are none.
    var parts: [PartView]?

    static let schema = Schema.object(
        named: "World",
        [
            "time": .number("Seconds since the world began."),
            "isVirtual": .boolean("Whether time passes only when it is told to, by /api/world/advance."),
            "seed": .string("What the world's randomness began with."),
            "parts": .array(PartView.schema, "The views that the panel has here besides the usual ones."),
        ],
        optional: ["parts"]
    )
}

/// A view that a command has brought along.
struct PartView: Described, Hashable {
    var name: String
    var title: String

    static let schema = Schema.object(
        named: "Part",
        [
            "name": .string("Its topic of events, and what follows /api/ in its paths."),
            "title": .string("For people."),
        ]
    )
}

struct Advance: Described {
    var seconds: Double

    static let schema = Schema.object(
        named: "Advance",
        [
            "seconds": .number("How much time passes.", 0...86_400)
        ]
    )
}

/// All devices in a world.
struct DeviceList: Described, Hashable {
    var devices: [DeviceView]

    static let schema = Schema.object(named: "DeviceList", ["devices": .array(DeviceView.schema)])
}

/// A device as the map shows it.
struct DeviceView: Described, Hashable {
    var device: Int
    var name: String
    var kind: String
    var x: Double
    var y: Double
    var range: Double?
    var links: [Int]

    static let schema = Schema.object(
        named: "Device",
        [
            "device": .integer("Its number, for paths."),
            "name": .string(),
            "kind": .choice(
                ["keyfob", "keyfob-phone", "central", "phone", "client", "device"],
                "A client's host is elsewhere."
            ),
            "x": .number("Where it is, in metres."),
            "y": .number("Where it is, in metres."),
            "range": .number("How far away a receiver can be to hear it, in metres."),
            "links": .array(.integer(), "The devices that it has connections with."),
        ],
        optional: ["range"]
    )
}

/// Where a device shall be; what is left out stays.
struct Move: Described {
    var x: Double?
    var y: Double?

    static let schema = Schema.object(
        named: "Move",
        ["x": .number("In metres.", -2_000_000...2_000_000), "y": .number("In metres.", -2_000_000...2_000_000)],
        optional: ["x", "y"]
    )
}

struct NewDevice: Described {
    var kind: String
    var name: String?
    var x: Double?
    var y: Double?

    static let schema = Schema.object(
        named: "NewDevice",
        [
            "kind": .choice(["keyfob", "keyfob-phone"], "TI's hardware, or the simulator on a phone."),
            "name": .string("At most 64 characters."), "x": .number("In metres; 1 if left out."),
            "y": .number("In metres; 0 if left out."),
        ],
        optional: ["name", "x", "y"]
    )
}
