import BluethroatEvents
import Foundation
import FuzzInputs

@testable import BluethroatByteCoding
@testable import BluethroatDeviceStudy
@testable import BluethroatStudies

/// What somebody else has written in place of the outcome of a study that was kept.
struct KeptOutcome {
    private static let plan: StudyPlan = {
        let text = """
            devices:
              beacons: {kind: advertiser, count: 3}
              phone: {kind: scanner}
            worlds: 2
            measure: [discovery, received, collisions, energy]
            """
        do {
            return try StudyPlan(yaml: text, named: "a.yaml") { path in throw OperationFailure("cannot read \(path)") }
        } catch { preconditionFailure("\(error)") }
    }()

    private static let work = PlanWork(plan: plan)
    private static let task = work.tasks[0]
    private static let sound = WorldOutcome(values: plan.columns.map { _ in 0.5 }, transmissions: 7, digest: 1)

    /// The contents of the file.
    private let whole: Data

    /// Without bytes there is none. The first one says whether the others are JSON with its checksum, or all that there is.
    init?(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return nil }
        let rest = Array(bytes.dropFirst())
        whole = first & 1 == 1 ? Data((Self.task.key + "\n" + Self.checksum(of: rest) + "\n").utf8) + rest : Data(rest)
    }

    func check() throws {
        guard let outcome = OutcomeFolder.outcome(WorldOutcome.self, in: whole, of: Self.task.key),
            Self.work.isPossible(outcome, for: Self.task)
        else { return }
        checkReports(outcome)
        let again = try OutcomeFolder.bytes(outcome, of: Self.task.key)
        let read = OutcomeFolder.outcome(WorldOutcome.self, in: again, of: Self.task.key)
        hold(read == outcome, "\(outcome) is kept as another")
    }

    func checkFile() throws {
        let folder = fuzzFolder.appendingPathComponent("bluethroat-fuzz-\(getpid())-outcomes", isDirectory: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try OutcomeFolder(path: folder.path), key = Self.task.key
        try store.keep(Self.sound, of: key)
        hold(try kept(in: store) == Self.sound, "what was kept is another")
        guard let name = try FileManager.default.contentsOfDirectory(atPath: folder.path).first else {
            return hold(false, "nothing is kept")
        }
        let file = folder.appendingPathComponent(name)
        try whole.write(to: file)
        do {
            guard let outcome = try kept(in: store) else { return hold(false, "a file that is there is not seen") }
            hold(Self.work.isPossible(outcome, for: Self.task), "\(outcome) is believed")
            try store.keep(outcome, of: key)
            hold(try kept(in: store) == outcome, "\(outcome) is kept as another")
        } catch let failure as OperationFailure {
            let message = failure.message
            hold(message.contains(name) && message.firstUnshown == nil, "\(message.debugDescription) is said")
            hold((try? Data(contentsOf: file)) == whole, "what is refused was changed")
        }
    }

    private func kept(in store: OutcomeFolder) throws -> WorldOutcome? {
        try store.outcome(of: Self.task.key, as: WorldOutcome.self) { Self.work.isPossible($0, for: Self.task) }
    }

    /// All that is printed of it are numbers.
    private func checkReports(_ outcome: WorldOutcome) {
        let results = StudyResults(plan: Self.plan, outcomes: [[outcome, Self.sound]])
        for text in results.table + results.json + [results.csv, results.svg] {
            let words = text.split { !$0.isLetter }
            hold(!words.contains("nan") && !words.contains("inf"), "\(outcome) is printed as \(text)")
        }
        for line in results.json {
            hold((try? JSONSerialization.jsonObject(with: Data(line.utf8))) != nil, "\(line) is no JSON")
        }
    }

    /// As the folder computes it: FNV-1a with two beginnings. It guards against damage, not against people.
    private static func checksum(of bytes: [UInt8]) -> String {
        [0xcbf2_9ce4_8422_2325, 0x8422_2325_cbf2_9ce4].map { (start: UInt64) in
            let hash = bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01b3 }
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        .joined()
    }
}
