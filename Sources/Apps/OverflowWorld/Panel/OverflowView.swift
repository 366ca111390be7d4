public import BluethroatControlPanel
import BluethroatOverflowArea
import BluethroatPhoneService
import BluethroatWorkbench

/// What the panel shows of overflow areas.
struct OverflowView: Described, Hashable {
    static let schemaName = "OverflowArea"

    @Property var mode = OverflowMode.demo
    @Property("The major version of iOS that the phones behave like.") var system = 0
    @Property var phones: [OverflowPhoneView] = []
}

struct OverflowPhoneView: Described, Hashable {
    static let schemaName = "OverflowPhone"

    @Property("Its number, for paths.") var device = 0
    @Property var name = ""
    @Property("The number of the app that is meant, for /api/phones/{device}/apps/{app}.") var app = 0
    @Property var appState = PhoneLook.App.Phase.notRunning
    @Property var isScreenOn = false
    @Property("The mask that the phone sends, 32 hexadecimal digits as on the air.") var onAir: String? = nil
    @Property("The mask that the app wants sent, likewise.") var wanted: String? = nil
    @Property("Hexadecimal digits.") var payload: String? = nil
    @Property("Where it is, from 0.") var position: Int? = nil
    @Property("The byte at which each position begins.") var starts: [Int] = []
    @Property("How many bytes a frame has, matching byte and payload.") var frameLength = 0
    @Property var isScanning = false
    @Property("How often the app had the screen lit.") var notifications = 0
    @Property("The bits that another app on the phone sets.", 0...127) var pollution: [Int] = []
    @Property(
        as: .choice(OverflowObstacle.allCases.map(\.word), "Why the app learns of nothing in overflow areas now.")
    )
    var obstacle: String? = nil
    @Property("What the app believes of others.") var neighbours: [BeliefView] = []
    @Property("What the radio has heard and the system has not told the app.") var hidden: [HiddenView] = []
}

struct BeliefView: Described, Hashable {
    static let schemaName = "OverflowBelief"

    enum Verdict: String, CaseIterable, SchemaValue {
        case believed
        case notFound = "not-found"
        case unverified
        case polluted
    }

    @Property("What the system of the phone calls the other.") var id = ""
    @Property var device: Int? = nil
    @Property var name = ""
    @Property("What was heard last, as on the air.") var mask = ""
    @Property("Of each position.") var statuses: [BankStatuses.Status] = []
    @Property("On what was heard last.") var verdict = Verdict.notFound
    @Property("Where something was found.") var position: Int? = nil
    @Property("The last one believed.") var payload: String? = nil
    @Property("How sure each byte of that is, 0 to 1.") var confidence: [Double] = []
    @Property("When it was believed first, in seconds.") var since: Double? = nil
    @Property var sightings = 0
    @Property("How often a payload was believed.") var readings = 0
    @Property("In dBm; 127 if unknown.") var rssi = 0
}

struct HiddenView: Described, Hashable {
    static let schemaName = "OverflowHidden"

    @Property("Whose advertisements.") var device: Int? = nil
    @Property var name = ""
    @Property(as: .choice(HiddenReport.Rule.allCases.map(\.word), "By which rule of iOS.")) var rule = ""
    @Property("How many advertisements.") var count = 0
    @Property("When the latest came, in seconds.") var time = 0.0
}

struct PollutionRequest: Described {
    static let schemaName = "Pollution"

    @Property("By their index in the table: 0 is the first bit on the air.", 0...127) var bits: [Int] = []
}

// How the interface calls what the service does.

extension OverflowMode: SchemaValue {}
extension BankStatuses.Status: SchemaValue {}

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
