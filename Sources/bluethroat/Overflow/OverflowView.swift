#if canImport(Phones)
    import BluetoothValues
    import ByteCoding
    import ControlPanel
    import Foundation
    import Host
    import OverflowArea
    import PhoneService
    import Phones
    import Simulation
    import Stage
    import VirtualTime

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
                "appState": .choice(PhoneLook.App.Stage.allCases.map(\.rawValue)), "isScreenOn": .boolean(),
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

    extension OverflowView {
        init(_ owner: OverflowWorld) {
            mode = owner.plan.mode.rawValue
            system = owner.plan.version
            // Phones that were taken away are seen no more.
            let players = owner.players.filter { owner.stage[$0.phone.device] != nil }
            // Who an address is.
            var devices: [DeviceAddress: DeviceID] = [:]
            for player in players {
                let id = player.phone.device
                owner.world.perform(on: id) { host, _, _ in if let own = host.identity { devices[own.address] = id } }
            }
            phones = players.map { player in
                OverflowPhoneView(player, owner.plan, in: owner.stage) { address in address.flatMap { devices[$0] } }
            }
        }
    }

    extension OverflowPhoneView {
        fileprivate init(
            _ player: OverflowPlayer,
            _ plan: OverflowPlan,
            in stage: Stage,
            whose: (DeviceAddress?) -> DeviceID?
        ) {
            let service = player.phone.service
            let state = player.state
            device = Int(player.phone.device.rawValue)
            name = stage[player.phone.device]?.name ?? player.phone.name
            app = Int(player.app.id.number)
            appState = PhoneLook.App.Stage(player.app.state).rawValue
            isScreenOn = player.phone.isScreenOn
            onAir = service.overflowMaskOnAir?.hex
            wanted = state.sent.map { $0.bytes(.air).hex }
            payload = player.payload.isEmpty ? nil : player.payload.hex
            (starts, frameLength) = plan.layout(player.payload)
            // A code word does not move.
            position = state.position ?? (starts.count == 1 && state.sent != nil ? 0 : nil)
            isScanning = state.isScanning
            notifications = state.notificationCount
            pollution = player.pollution.map(\.index)
            obstacle = player.app.overflowObstacle?.word
            neighbours = state.neighbours.map { neighbour in
                let other = whose(player.phone.address(of: neighbour.id))
                return BeliefView(neighbour, other, other.flatMap { stage[$0]?.name })
            }
            hidden = service.hiddenReports.filter { $0.app == player.app.id }.map { report in
                let other = whose(report.peer)
                return HiddenView(
                    device: other.map { Int($0.rawValue) },
                    name: other.flatMap { stage[$0]?.name } ?? "\(report.peer)",
                    rule: report.rule.word,
                    count: report.count,
                    time: report.time.sinceStart.seconds
                )
            }
        }
    }

    extension OverflowPlan {
        /// The bytes at which frames begin, and how many they have; none where every service is sent in turn.
        fileprivate func layout(_ payload: [UInt8]) -> (starts: [Int], length: Int) {
            switch mode {
            case .demo: (positions.starts, 1 + payload.count)
            // 47 bits.
            case .hamming: ([(sparesWatches ? HammingFrame.startSparingWatches : HammingFrame.usualStart) / 8], 6)
            case .sequential: ([], 0)
            }
        }
    }

    extension BeliefView {
        fileprivate init(_ neighbour: OverflowNeighbour, _ other: DeviceID?, _ known: String?) {
            id = neighbour.id.uuidString
            device = other.map { Int($0.rawValue) }
            name = known ?? "Somebody"
            mask = neighbour.mask.bytes(.air).hex
            statuses = neighbour.statuses.map(\.rawValue)
            verdict =
                switch neighbour.verdict {
                case .believed: "believed"
                case .notFound: "not-found"
                case .unverified: "unverified"
                case .polluted: "polluted"
                }
            position = neighbour.position
            payload = neighbour.payload?.hex
            since = neighbour.firstBelieved
            sightings = neighbour.sightings
            readings = neighbour.readings
            rssi = neighbour.rssi
        }
    }

    extension OverflowObstacle {
        fileprivate var word: String {
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
        fileprivate var word: String {
            switch self {
            case .noScan: "no-scan"
            case .noServicesListed: "no-services-listed"
            case .darkScreen: "dark-screen"
            case .bothInBackground: "both-in-background"
            case .noRanging: "no-ranging"
            }
        }
    }

    extension TimeSpan {
        fileprivate var seconds: Double { Double(nanoseconds) / 1e9 }
    }
#endif
