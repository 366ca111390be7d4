struct NewCentral: Described {
    static let schemaName = "NewCentral"
}

/// A central, apart from what it hears and what it has done.
struct CentralView: Described, Hashable {
    static let schemaName = "Central"

    struct Connection: Described, Hashable {
        static let schemaName = "Connection"

        @Property var address = ""
        @Property("In seconds.") var since = 0.0
        @Property("In milliseconds.") var interval = 0.0
        @Property var latency = 0
        @Property("The longest ATT PDU, in bytes.") var mtu = 0
        @Property var isEncrypted = false
        @Property var isAuthenticated = false
        @Property var isBonded = false
        @Property("In dBm.") var signalStrength: Int? = nil
        @Property("Whether the services are known.") var isDiscovered = false
        @Property("Handles of values.") var subscriptions: [Int] = []
        @Property("The latest value of each attribute.") var values: [SampleView] = []
        @Property("The latest value that was written to each attribute.") var written: [WrittenView] = []
        @Property var question: Question? = nil
    }

    struct Question: Described, Hashable {
        static let schemaName = "Question"

        enum Kind: String, CaseIterable, SchemaValue {
            case consent
            case comparison
            case passkeyShown = "passkey-shown"
            case passkeyWanted = "passkey-wanted"
        }

        @Property var kind = Kind.consent
        @Property("Six digits.") var digits: String? = nil
    }

    @Property("Its number, for paths.") var central = 0
    @Property var isScanning = false
    @Property("Whom it is connecting to.") var connecting: String? = nil
    @Property var connections: [Connection] = []
}

struct SightingList: Described, Hashable {
    static let schemaName = "SightingList"

    @Property("In seconds.") var time = 0.0
    @Property var sightings: [SightingView] = []
}

/// A device that a central has heard.
struct SightingView: Described, Hashable {
    static let schemaName = "Sighting"

    struct Field: Described, Hashable {
        static let schemaName = "AdvertisingField"

        @Property("Of the AD type.") var name = ""
        @Property("What it says.") var text = ""
        @Property("Hexadecimal digits.") var bytes = ""
    }

    @Property var address = ""
    @Property var name: String? = nil
    @Property("In dBm.") var signalStrength: Int? = nil
    @Property("In seconds.") var firstHeard = 0.0
    @Property("In seconds.") var lastHeard = 0.0
    @Property var isConnectable = false
    @Property("Names of the advertised services.") var services: [String] = []
    @Property("Hexadecimal digits.") var advertisement = ""
    @Property("Hexadecimal digits.") var scanResponse: String? = nil
    @Property var fields: [Field] = []
}

struct PeerAddress: Described {
    static let schemaName = "PeerAddress"

    @Property("As in a sighting.") var address = ""
}

/// The services of a peer.
struct DatabaseView: Described, Hashable {
    static let schemaName = "Database"

    struct Service: Described, Hashable {
        static let schemaName = "Service"

        @Property var uuid = ""
        @Property var name = ""
        @Property var isPrimary = false
        @Property("Handle.") var first = 0
        @Property("Handle.") var last = 0
        @Property var characteristics: [Characteristic] = []
    }

    struct Characteristic: Described, Hashable {
        static let schemaName = "Characteristic"

        @Property var uuid = ""
        @Property var name = ""
        @Property("Of its value.") var handle = 0
        @Property var properties: [String] = []
        @Property var descriptors: [Descriptor] = []
    }

    struct Descriptor: Described, Hashable {
        static let schemaName = "Descriptor"

        @Property var uuid = ""
        @Property var name = ""
        @Property var handle = 0
        @Property("What was read last, hexadecimal digits.") var value: String? = nil
        @Property("What that says.") var text: String? = nil
    }

    @Property var address = ""
    @Property var services: [Service] = []
}

/// A value of an attribute at some time.
struct SampleView: Described, Hashable {
    static let schemaName = "Sample"

    @Property var address = ""
    @Property var handle = 0
    @Property("In seconds.") var time = 0.0
    @Property("Hexadecimal digits.") var value = ""
    @Property("What it says, where the format is known.") var text: String? = nil
    @Property("What can be drawn.") var numbers: [Double] = []
    @Property("Whether the peer sent it by itself.") var isPushed = false
}

/// A value that was written to an attribute; the peer may have made something else of it.
struct WrittenView: Described, Hashable {
    static let schemaName = "WrittenValue"

    @Property var handle = 0
    @Property("When it was written, in seconds.") var time = 0.0
    @Property("Hexadecimal digits.") var value = ""
    @Property("What it says, where the format is known.") var text: String? = nil
    @Property("Whether the peer has answered that it has the value.") var withResponse = false
}

struct SampleList: Described, Hashable {
    static let schemaName = "SampleList"

    @Property var samples: [SampleView] = []
}

struct NewValue: Described {
    static let schemaName = "NewValue"

    @Property(as: .string("Hexadecimal digits.", pattern: "^([0-9A-Fa-f]{2})*$")) var value = ""
    @Property("True unless said otherwise: the peer says that it has it.") var withResponse: Bool? = nil
}

struct PersonsAnswer: Described {
    static let schemaName = "PersonsAnswer"

    @Property("Yes or no.") var agrees: Bool? = nil
    @Property(as: .string("Six digits.", pattern: "^[0-9]{6}$")) var passkey: String? = nil
}

struct LogView: Described, Hashable {
    static let schemaName = "Log"

    struct Entry: Described, Hashable {
        static let schemaName = "LogEntry"

        @Property var number = 0
        @Property("In seconds.") var began = 0.0
        @Property("In seconds.") var ended: Double? = nil
        @Property var kind = ""
        @Property var peer: String? = nil
        @Property var handle: Int? = nil
        @Property var uuid: String? = nil
        @Property var name: String? = nil
        @Property("Hexadecimal digits.") var value: String? = nil
        @Property var text: String? = nil
        @Property var outcome: String? = nil
        @Property var hasFailed = false
    }

    @Property var entries: [Entry] = []
}
