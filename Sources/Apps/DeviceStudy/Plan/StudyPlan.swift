import BluethroatEvents
import BluethroatSimulation
import BluethroatStudies
import BluethroatVirtualTime

/// A study of any world: its devices, what varies, what is measured. `init(yaml:named:)` reads one from a file.
public struct StudyPlan: Sendable {
    public internal(set) var title = "study"
    /// How many worlds each row has, 1 to 10 000; they differ in their seed.
    public var worlds = 3
    public var seed: UInt64 = 1

    var groups: [DeviceGroup] = []
    /// All that can be set, in the order of the manual.
    var parameters: [WorldParameter] = []
    /// What varies, in the order of the file.
    var varied: [String] = []
    /// A row each.
    var rows: [WorldSettings] = []
    var measures: [Measure] = []
    var currents = CurrentTable.nRF52840
    var plot = PlotChoice()
    /// By path of the file.
    var traces: [String: Trace] = [:]
    /// What it was read from: its file and its traces.
    var files: [String] = []

    /// What is drawn; nil for what follows from what varies and is measured.
    struct PlotChoice: Hashable, Sendable {
        var x: String?
        var y: String?
        var curves: String?
    }

    init() {}

    var columns: [StudyColumn] { measures.flatMap { $0.columns(self) } }

    func parameter(_ path: String) -> WorldParameter? { parameters.first { $0.path == path } }

    /// Whether it is a crowd of phones with beacons in the overflow area, which has its own settings.
    var isCrowd: Bool { measures.contains(.crowd) }

    /// Whether something is measured of pairs of a device that listens and one that advertises.
    var measuresPairs: Bool { measures.contains { [.discovery, .received, .reach].contains($0) } }

    // MARK: What every study has

    private static let air = WorldParameter.Kind.choice(AirMode.allCases.map(\.rawValue))

    static let general = [
        WorldParameter("length", .number(.time, 0.1...2_592_000), .number(30)),
        WorldParameter("warmup", .number(.time, 0...3_600), .number(2)),
        WorldParameter("area.width", .number(.length, 0.01...1e5), .number(20)),
        WorldParameter("area.height", .number(.length, 0.01...1e5), .number(20)),
        WorldParameter("air.loss-at-1m", .number(.ratio, -60...120), .number(40)),
        WorldParameter("air.exponent", .number(.number, 1...8, steps: 10), .number(3)),
        WorldParameter("air.shadowing", .number(.ratio, 0...40), .number(2)),
        WorldParameter("air.sensitivity", .number(.power, -127...0, isWhole: true), .number(-95)),
        WorldParameter("air.capture", .number(.ratio, 0...60, isWhole: true), .number(8)),
        WorldParameter("air.loss", .number(.share, 0...1, steps: 1_000_000), .number(0)),
        WorldParameter("air.mode", air, .word("exact")),
    ]

    static let crowd = [
        WorldParameter("overflow.phones", .number(.number, 1...2_000_000, isWhole: true), .number(200)),
        WorldParameter("overflow.scanners", .number(.number, 1...10_000, isWhole: true), .number(4)),
        WorldParameter("overflow.area", .number(.length, 1...1e5), .number(200)),
        WorldParameter("overflow.rotation", .number(.time, 0.1...3_600), .number(5)),
        WorldParameter(
            "overflow.interval",
            .number(.time, 0.02...10.24, steps: WorldParameter.slotsPerSecond),
            .number(1.0225)
        ),
        WorldParameter("overflow.pollution", .number(.share, 0...1, steps: 1_000_000), .number(0)),
        WorldParameter("overflow.speed", .number(.speed, 0...100), .number(1.4)),
        WorldParameter("overflow.foreign", .number(.number, 0...64, isWhole: true), .number(0)),
        WorldParameter("overflow.mode", .choice(["demo", "hamming", "bch", "conversation"]), .word("demo")),
        WorldParameter("overflow.air", air, .word("exact")),
        WorldParameter("overflow.ios", .number(.number, 8...99, isWhole: true), .number(13)),
    ]
}
