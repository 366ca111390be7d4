import BluethroatControlPanel
import BluethroatPhoneService
import BluethroatWorkbench

/// What the panel shows of overflow areas.
struct OverflowView: Described, Hashable {
    var mode: String
    var system: Int
    var phones: [OverflowPhoneView]

    static let schema = Schema.object(
        named: "OverflowArea",
        [
            "mode": .choice(["demo", "sequential", "hamming"]),
            "system": .integer("The major version of iOS that the phones behave like."),
            "phones": .array(OverflowPhoneView.schema),
        ]
    )
}

struct OverflowPhoneView: Described, Hashable {
    var device: Int
    var name: String
    var app: Int
    var appState: String
    var isScreenOn: Bool
    var onAir: String?
    var wanted: String?
    var payload: String?
    var position: Int?
    var starts: [Int]
    var frameLength: Int
    var isScanning: Bool
    var notifications: Int
    var pollution: [Int]
    var obstacle: String?
    var neighbours: [BeliefView]
    var hidden: [HiddenView]

    static let schema = Schema.object(
        named: "OverflowPhone",
        [
            "device": .integer("Its number, for paths."), "name": .string(),
            "app": .integer("The number of the app that is meant, for /api/phones/{device}/apps/{app}."),
            "appState": .choice(PhoneLook.App.Phase.allCases.map(\.rawValue)), "isScreenOn": .boolean(),
            "onAir": .string("The mask that the phone sends, 32 hexadecimal digits as on the air."),
            "wanted": .string("The mask that the app wants sent, likewise."),
            "payload": .string("Hexadecimal digits."), "position": .integer("Where it is, from 0."),
            "starts": .array(.integer(), "The byte at which each position begins."),
            "frameLength": .integer("How many bytes a frame has, matching byte and payload."),
            "isScanning": .boolean(), "notifications": .integer("How often the app had the screen lit."),
            "pollution": .array(.integer(nil, 0...127), "The bits that another app on the phone sets."),
            "obstacle": .choice(
                OverflowObstacle.allCases.map(\.word),
                "Why the app learns of nothing in overflow areas now."
            ),
            "neighbours": .array(BeliefView.schema, "What the app believes of others."),
            "hidden": .array(HiddenView.schema, "What the radio has heard and the system has not told the app."),
        ],
        optional: ["onAir", "wanted", "payload", "position", "obstacle"]
    )
}

struct BeliefView: Described, Hashable {
    var id: String
    var device: Int?
    var name: String
    var mask: String
    var statuses: [String]
    var verdict: String
    var position: Int?
    var payload: String?
    var since: Double?
    var sightings: Int
    var readings: Int
    var rssi: Int

    static let schema = Schema.object(
        named: "OverflowBelief",
        [
            "id": .string("What the system of the phone calls the other."), "device": .integer(),
            "name": .string(), "mask": .string("What was heard last, as on the air."),
            "statuses": .array(.choice(["unknown", "unpolluted", "polluted"]), "Of each position."),
            "verdict": .choice(["believed", "not-found", "unverified", "polluted"], "On what was heard last."),
            "position": .integer("Where something was found."), "payload": .string("The last one believed."),
            "since": .number("When it was believed first, in seconds."), "sightings": .integer(),
            "readings": .integer("How often a payload was believed."), "rssi": .integer("In dBm; 127 if unknown."),
        ],
        optional: ["device", "position", "payload", "since"]
    )
}

struct HiddenView: Described, Hashable {
    var device: Int?
    var name: String
    var rule: String
    var count: Int
    var time: Double

    static let schema = Schema.object(
        named: "OverflowHidden",
        [
            "device": .integer("Whose advertisements."), "name": .string(),
            "rule": .choice(HiddenReport.Rule.allCases.map(\.word), "By which rule of iOS."),
            "count": .integer("How many advertisements."), "time": .number("When the latest came, in seconds."),
        ],
        optional: ["device"]
    )
}

struct PollutionWish: Described {
    var bits: [Int]

    static let schema = Schema.object(
        named: "Pollution",
        ["bits": .array(.integer(nil, 0...127), "By their index in the table: 0 is the first bit on the air.")]
    )
}

// How the interface calls what the service does.

extension OverflowObstacle {
    var word: String {
        switch self {
        case .poweredOff: "powered-off"
        case .noScan: "no-scan"
        case .noServicesListed: "no-services-listed"
        case .darkScreen: "dark-screen"
        case .noRanging: "no-ranging"
        }
    }
}

extension HiddenReport.Rule {
    var word: String {
        switch self {
        case .noScan: "no-scan"
        case .noServicesListed: "no-services-listed"
        case .darkScreen: "dark-screen"
        case .bothInBackground: "both-in-background"
        case .noRanging: "no-ranging"
        }
    }
}
