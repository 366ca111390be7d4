/// Everything that is seen and heard of a key fob.
struct FobView: Described, Hashable {
    struct Keys: Described, Hashable {
        var left: Bool
        var right: Bool

        static let schema = Schema.object(
            named: "Keys",
            ["left": .boolean("Held down."), "right": .boolean("Held down.")]
        )
    }

    struct LEDs: Described, Hashable {
        var left: Bool
        var right: Bool
        var alert: Bool

        static let schema = Schema.object(
            named: "LEDs",
            ["left": .boolean(), "right": .boolean(), "alert": .boolean("Blinks in an alert.")]
        )
    }

    struct Tilt: Described, Hashable {
        var x: Double
        var y: Double
        var z: Double

        static let schema = Schema.object(
            named: "Tilt",
            [
                "x": .number("In g.", -8...8), "y": .number("In g.", -8...8), "z": .number("In g.", -8...8),
            ]
        )
    }

    struct Accelerometer: Described, Hashable {
        var isEnabled: Bool
        var x: Int
        var y: Int
        var z: Int

        static let schema = Schema.object(
            named: "Accelerometer",
            [
                "isEnabled": .boolean("Whether a central has switched it on."),
                "x": .integer("As sent.", -128...127), "y": .integer("As sent.", -128...127),
                "z": .integer("As sent.", -128...127),
            ]
        )
    }

    struct Advertising: Described, Hashable {
        var isOn: Bool
        var isEnabled: Bool

        static let schema = Schema.object(
            named: "Advertising",
            [
                "isOn": .boolean(), "isEnabled": .boolean("Whether it can be switched at the moment."),
            ]
        )
    }

    struct Label: Described, Hashable {
        var text: String
        var colour: String

        static let schema = Schema.object(
            named: "Label",
            [
                "text": .string(), "colour": .choice(["black", "green", "blue", "amber", "red"]),
            ]
        )
    }

    struct Peer: Described, Hashable {
        var peer: String
        var interval: Double
        var latency: Int
        var isEncrypted: Bool
        var signalStrength: Int?
        var subscriptions: [String]

        static let schema = Schema.object(
            named: "Peer",
            [
                "peer": .string("Its address."), "interval": .number("In milliseconds."),
                "latency": .integer("Events that may be left out."), "isEncrypted": .boolean(),
                "signalStrength": .integer("How strongly the peer is received, in dBm."),
                "subscriptions": .array(.string(), "What it wants to be notified of."),
            ],
            optional: ["signalStrength"]
        )
    }

    var device: Int
    var name: String
    var kind: String
    var time: Double
    var isPowered: Bool
    var address: String?
    var x: Double
    var y: Double
    var label: Label
    var keys: Keys
    var leds: LEDs
    var tones: [Int]
    var alert: String
    var battery: Int
    var reportedBattery: Int
    var transmitPower: Int
    var advertising: Advertising
    var accelerometer: Accelerometer
    var tilt: Tilt
    var connections: [Peer]

    static let schema = Schema.object(
        named: "KeyFob",
        [
            "device": .integer("Its number, for paths."), "name": .string(),
            "kind": .choice(["keyfob", "keyfob-phone"], "TI's hardware, or the simulator on a phone."),
            "time": .number("When it looked like this, in seconds."),
            "isPowered": .boolean("Whether it has a battery; of a phone, whether Bluetooth is on."),
            "address": .string(), "x": .number("In metres."),
            "y": .number("In metres."), "label": Label.schema, "keys": Keys.schema, "leds": LEDs.schema,
            "tones": .array(.integer(), "What sounds at this instant, in hertz."),
            "alert": .choice(["none", "mild", "high"]), "battery": .integer("What is in it, in percent.", 0...100),
            "reportedBattery": .integer("What centrals are told, in percent: what was measured last.", 0...100),
            "transmitPower": .integer("In dBm."), "advertising": Advertising.schema,
            "accelerometer": Accelerometer.schema, "tilt": Tilt.schema, "connections": .array(Peer.schema),
        ],
        optional: ["address"]
    )
}

struct BatteryLevel: Described {
    var percent: Int

    static let schema = Schema.object(named: "BatteryLevel", ["percent": .integer(nil, 0...100)])
}

struct OnOff: Described {
    var isOn: Bool

    static let schema = Schema.object(named: "OnOff", ["isOn": .boolean()])
}
