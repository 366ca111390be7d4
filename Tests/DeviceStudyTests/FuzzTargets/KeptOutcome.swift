import BluethroatEvents
import Foundation
import FuzzInputs

@testable import BluethroatByteCoding
@testable import BluethroatDeviceStudy
@testable import BluethroatStudies

/// One outcome of a study in a folder of its own, in place of which somebody else has written another file.
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

    private let folder: URL
    private let work = PlanWork(plan: plan)
    private let task: StudyTask
    private let store: OutcomeFolder
    private let sound: WorldOutcome

    init(named name: String) throws {
        // In memory, where there is such a folder.
        let root = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : NSTemporaryDirectory()
        folder = URL(fileURLWithPath: "\(root)/bluethroat-fuzz-\(getpid())-\(name)", isDirectory: true)
        task = work.tasks[0]
        store = try OutcomeFolder(path: folder.path)
        sound = WorldOutcome(values: Self.plan.columns.map { _ in 0.5 }, transmissions: 7, digest: 1)
    }

    func check(_ bytes: [UInt8], hasChecksum: Bool) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try store.keep(sound, of: task.key)
        hold(try kept() == sound, "what was kept is another")
        guard let name = try FileManager.default.contentsOfDirectory(atPath: folder.path).first else {
            return hold(false, "nothing is kept")
        }
        let file = folder.appendingPathComponent(name)
        let whole = hasChecksum ? Data((task.key + "\n" + Self.checksum(of: bytes) + "\n").utf8) + bytes : Data(bytes)
        try whole.write(to: file)
        do {
            guard let outcome = try kept() else { return hold(false, "a file that is there is not seen") }
            hold(work.isPossible(outcome, for: task), "\(outcome) is believed")
            checkReports(outcome)
            try store.keep(outcome, of: task.key)
            hold(try kept() == outcome, "\(outcome) is kept as another")
        } catch let failure as OperationFailure {
            let message = failure.message
            hold(message.contains(name) && message.firstUnshown == nil, "\(message.debugDescription) is said")
            hold((try? Data(contentsOf: file)) == whole, "what is refused was changed")
        }
    }

    private func kept() throws -> WorldOutcome? {
        try store.outcome(of: task.key, as: WorldOutcome.self) { work.isPossible($0, for: task) }
    }

    /// All that is printed of it are numbers.
    private func checkReports(_ outcome: WorldOutcome) {
        let results = StudyResults(plan: Self.plan, outcomes: [[outcome, sound]])
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
