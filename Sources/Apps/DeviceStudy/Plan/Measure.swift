/// What can be measured, each as one or several columns.
enum Measure: String, CaseIterable, Sendable {
    /// How long a device that listens takes until it has an advertisement of another one.
    case discovery
    /// Which share of advertisements is received.
    case received
    case collisions
    /// How long a central takes to connect.
    case connect
    case throughput
    /// From a request to its answer.
    case roundtrip
    /// How long it takes to do what a phone's owner has to do once.
    case task
    /// Time in reach, and time in which something was received.
    case reach
    /// Average currents.
    case energy
    /// Of `overflow`.
    case crowd

    /// Whether it is made of all frames on the air, also of those that nobody can hear.
    var countsAllFrames: Bool {
        switch self {
        case .received, .collisions, .energy: true
        case .discovery, .connect, .throughput, .roundtrip, .task, .reach, .crowd: false
        }
    }

    func columns(_ plan: StudyPlan) -> [StudyColumn] {
        switch self {
        case .discovery: Self.times("discovery") + [StudyColumn("discovery.share", .share)]
        case .received: [StudyColumn("received.share", .share), StudyColumn("received.frames", .share)]
        case .collisions: [StudyColumn("collisions.share", .share), StudyColumn("collisions.lost", .share)]
        case .connect: Self.times("connect") + [StudyColumn("connect.share", .share)]
        case .throughput: [StudyColumn("throughput", .rate)]
        case .roundtrip: Self.times("roundtrip")
        case .task: Self.times("task") + [StudyColumn("task.share", .share)]
        case .reach:
            [
                StudyColumn("reach.time", .time), StudyColumn("reach.detected", .time),
                StudyColumn("reach.share", .share),
            ]
        case .energy:
            plan.groups.flatMap { group in
                ["current", "transmit", "receive", "sleep"].map { StudyColumn("energy.\(group.name).\($0)", .current) }
            }
        case .crowd:
            [
                StudyColumn("crowd.heard", .share), StudyColumn("crowd.got", .share),
                StudyColumn("crowd.wait", .time), StudyColumn("crowd.mistakes", .number),
            ]
        }
    }

    private static func times(_ name: String) -> [StudyColumn] {
        ["mean", "median", "p95"].map { StudyColumn("\(name).\($0)", .time) }
    }
}

/// One number that each world gives.
struct StudyColumn: Hashable, Sendable {
    enum Unit: Sendable {
        /// In seconds; shown in milliseconds.
        case time
        /// From 0 to 1; shown in per cent.
        case share
        /// In bits a second; shown in kbit/s.
        case rate
        /// In amperes; shown in microamperes.
        case current
        case number

        /// Whether a measured number can be one of these. A share is one of sums that are rounded.
        func has(_ value: Double) -> Bool { value >= 0 && value <= (self == .share ? 1 + 1e-9 : 1e15) }
    }

    let name: String
    let unit: Unit

    init(_ name: String, _ unit: Unit) {
        self.name = name
        self.unit = unit
    }

    /// By what a number is multiplied to be shown, and the unit then.
    var shown: (factor: Double, unit: String) {
        switch unit {
        case .time: (1_000, "ms")
        case .share: (100, "%")
        case .rate: (1e-3, "kbit/s")
        case .current: (1e6, "µA")
        case .number: (1, "")
        }
    }

    var title: String { shown.unit.isEmpty ? name : "\(name), \(shown.unit)" }

    /// The column of a CSV file: numbers are in units without prefix there.
    var column: String {
        switch unit {
        case .time: "\(name)_s"
        case .share, .number: name
        case .rate: "\(name)_bit_per_s"
        case .current: "\(name)_A"
        }
    }
}
