struct NewCentral: Described {
    static let schema = Schema.object(named: "NewCentral", [:])
}

/// A central, apart from what it hears and what it has done.
struct CentralView: Described, Hashable {
    struct Connection: Described, Hashable {
        var address: String
        var since: Double
        var interval: Double
        var latency: Int
        var mtu: Int
        var isEncrypted: Bool
        var isAuthenticated: Bool
        var isBonded: Bool
        var signalStrength: Int?
        var isDiscovered: Bool
        var subscriptions: [Int]
        var values: [SampleView]
        var written: [WrittenView]
        var question: Question?

        static let schema = Schema.object(
            named: "Connection",
            [
                "address": .string(), "since": .number("In seconds."), "interval": .number("In milliseconds."),
                "latency": .integer(), "mtu": .integer("The longest ATT PDU, in bytes."), "isEncrypted": .boolean(),
                "isAuthenticated": .boolean(), "isBonded": .boolean(), "signalStrength": .integer("In dBm."),
                "isDiscovered": .boolean("Whether the services are known."),
                "subscriptions": .array(.integer(), "Handles of values."),
                "values": .array(SampleView.schema, "The latest value of each attribute."),
                "written": .array(WrittenView.schema, "The latest value that was written to each attribute."),
                "question": Question.schema,
            ],
            optional: ["signalStrength", "question"]
        )
    }

    struct Question: Described, Hashable {
        var kind: String
        var digits: String?

        static let schema = Schema.object(
            named: "Question",
            [
                "kind": .choice(["consent", "comparison", "passkey-shown", "passkey-wanted"]),
                "digits": .string("Six digits."),
            ],
            optional: ["digits"]
        )
    }

    var central: Int
    var isScanning: Bool
    var connecting: String?
    var connections: [Connection]

    static let schema = Schema.object(
        named: "Central",
        [
            "central": .integer("Its number, for paths."), "isScanning": .boolean(),
            "connecting": .string("Whom it is connecting to."), "connections": .array(Connection.schema),
        ],
        optional: ["connecting"]
    )
}

struct SightingList: Described, Hashable {
    var time: Double
    var sightings: [SightingView]

    static let schema = Schema.object(
        named: "SightingList",
        [
            "time": .number("In seconds."), "sightings": .array(SightingView.schema),
        ]
    )
}

/// A device that a central has heard.
struct SightingView: Described, Hashable {
    struct Field: Described, Hashable {
        var name: String
        var text: String
        var bytes: String

        static let schema = Schema.object(
            named: "AdvertisingField",
            [
                "name": .string("Of the AD type."), "text": .string("What it says."),
                "bytes": .string("Hexadecimal digits."),
            ]
        )
    }

    var address: String
    var name: String?
    var signalStrength: Int?
    var firstHeard: Double
    var lastHeard: Double
    var isConnectable: Bool
    var services: [String]
    var advertisement: String
    var scanResponse: String?
    var fields: [Field]

    static let schema = Schema.object(
        named: "Sighting",
        [
            "address": .string(), "name": .string(), "signalStrength": .integer("In dBm."),
            "firstHeard": .number("In seconds."), "lastHeard": .number("In seconds."), "isConnectable": .boolean(),
            "services": .array(.string(), "Names of the advertised services."),
            "advertisement": .string("Hexadecimal digits."), "scanResponse": .string("Hexadecimal digits."),
            "fields": .array(Field.schema),
        ],
        optional: ["name", "signalStrength", "scanResponse"]
    )
}

struct PeerAddress: Described {
    var address: String

    static let schema = Schema.object(named: "PeerAddress", ["address": .string("As in a sighting.")])
}

/// The services of a peer.
struct DatabaseView: Described, Hashable {
    struct Service: Described, Hashable {
        var uuid: String
        var name: String
        var isPrimary: Bool
        var first: Int
        var last: Int
        var characteristics: [Characteristic]

        static let schema = Schema.object(
            named: "Service",
            [
                "uuid": .string(), "name": .string(), "isPrimary": .boolean(), "first": .integer("Handle."),
                "last": .integer("Handle."), "characteristics": .array(Characteristic.schema),
            ]
        )
    }

    struct Characteristic: Described, Hashable {
        var uuid: String
        var name: String
        var handle: Int
        var properties: [String]
        var descriptors: [Descriptor]

        static let schema = Schema.object(
            named: "Characteristic",
            [
                "uuid": .string(), "name": .string(), "handle": .integer("Of its value."),
                "properties": .array(.string()),
                "descriptors": .array(Descriptor.schema),
            ]
        )
    }

    struct Descriptor: Described, Hashable {
        var uuid: String
        var name: String
        var handle: Int
        var value: String?
        var text: String?

        static let schema = Schema.object(
            named: "Descriptor",
            [
                "uuid": .string(), "name": .string(), "handle": .integer(),
                "value": .string("What was read last, hexadecimal digits."), "text": .string("What that says."),
            ],
            optional: ["value", "text"]
        )
    }

    var address: String
    var services: [Service]

    static let schema = Schema.object(named: "Database", ["address": .string(), "services": .array(Service.schema)])
}

/// A value of an attribute at some time.
struct SampleView: Described, Hashable {
    var address: String
    var handle: Int
    var time: Double
    var value: String
    var text: String?
    var numbers: [Double]
    var isPushed: Bool

    static let schema = Schema.object(
        named: "Sample",
        [
            "address": .string(), "handle": .integer(), "time": .number("In seconds."),
            "value": .string("Hexadecimal digits."), "text": .string("What it says, where the format is known."),
            "numbers": .array(.number(), "What can be drawn."),
            "isPushed": .boolean("Whether the peer sent it by itself."),
        ],
        optional: ["text"]
    )
}

/// A value that was written to an attribute; the peer may have made something else of it.
struct WrittenView: Described, Hashable {
    var handle: Int
    var time: Double
    var value: String
    var text: String?
    var withResponse: Bool

    static let schema = Schema.object(
        named: "WrittenValue",
        [
            "handle": .integer(), "time": .number("When it was written, in seconds."),
            "value": .string("Hexadecimal digits."), "text": .string("What it says, where the format is known."),
            "withResponse": .boolean("Whether the peer has answered that it has the value."),
        ],
        optional: ["text"]
    )
}

struct SampleList: Described, Hashable {
    var samples: [SampleView]

    static let schema = Schema.object(named: "SampleList", ["samples": .array(SampleView.schema)])
}

struct NewValue: Described {
    var value: String
    var withResponse: Bool?

    static let schema = Schema.object(
        named: "NewValue",
        [
            "value": .string("Hexadecimal digits.", pattern: "^([0-9A-Fa-f]{2})*$"),
            "withResponse": .boolean("True unless said otherwise: the peer says that it has it."),
        ],
        optional: ["withResponse"]
    )
}

struct PersonsAnswer: Described {
    var agrees: Bool?
    var passkey: String?

    static let schema = Schema.object(
        named: "PersonsAnswer",
        ["agrees": .boolean("Yes or no."), "passkey": .string("Six digits.", pattern: "^[0-9]{6}$")],
        optional: ["agrees", "passkey"]
    )
}

struct LogView: Described, Hashable {
    struct Entry: Described, Hashable {
        var number: Int
        var began: Double
        var ended: Double?
        var kind: String
        var peer: String?
        var handle: Int?
        var uuid: String?
        var name: String?
        var value: String?
        var text: String?
        var outcome: String?
        var hasFailed: Bool

        static let schema = Schema.object(
            named: "LogEntry",
            [
                "number": .integer(), "began": .number("In seconds."), "ended": .number("In seconds."),
                "kind": .string(), "peer": .string(), "handle": .integer(), "uuid": .string(), "name": .string(),
                "value": .string("Hexadecimal digits."), "text": .string(), "outcome": .string(),
                "hasFailed": .boolean(),
            ],
            optional: ["ended", "peer", "handle", "uuid", "name", "value", "text", "outcome"]
        )
    }

    var entries: [Entry]

    static let schema = Schema.object(named: "Log", ["entries": .array(Entry.schema)])
}
