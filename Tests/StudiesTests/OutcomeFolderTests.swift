import BluethroatEvents
import BluethroatRanks
import BluethroatStudies
import Foundation
import Synchronization
import Testing

extension OutcomeFolder {
    fileprivate func outcome<Outcome: Codable & Sendable>(of key: String, as type: Outcome.Type) throws -> Outcome? {
        try outcome(of: key, as: type) { _ in true }
    }
}

@Suite("Outcomes that are kept")
struct OutcomeFolderTests {
    private let path = FileManager.default.temporaryDirectory.appendingPathComponent("kept-\(UUID().uuidString)").path

    /// Counts what is computed.
    private struct Counting: StudyWork {
        let computed: Counter
        var tasks: [StudyTask] { Squares().tasks }

        func compute(_ task: StudyTask, goesOn: (Double) -> Bool) throws -> Int? {
            computed.count.withLock { $0 += 1 }
            return task.number * task.number
        }
    }

    private final class Counter: Sendable { let count = Mutex(0) }

    @Test("What is in the folder is not computed again, and comes out the same") func resumed() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let counter = Counter(), work = Counting(computed: counter)
        for _ in 0..<2 {
            let store = try OutcomeFolder(path: path)
            let runner = RankRunner(OnlyRank(), each: ThreadedRunner(threads: 2), keeping: store)
            #expect(try runner.outcomes(of: work) { _ in true } == (0..<20).map { $0 * $0 })
            #expect(counter.count.withLock { $0 } == 20)
        }
    }

    @Test("An outcome is there under its key only, also for another process") func kept() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try OutcomeFolder(path: path)
        #expect(try folder.outcome(of: "seed 1", as: [Int].self) == nil)
        try folder.keep([1, 2], of: "seed 1")
        try folder.keep([Int](), of: "seed 2")
        let again = try OutcomeFolder(path: path)
        #expect(try again.outcome(of: "seed 1", as: [Int].self) == [1, 2])
        #expect(try again.outcome(of: "seed 2", as: [Int].self) == [])
        #expect(try again.outcome(of: "seed 3", as: [Int].self) == nil)
    }

    @Test("A file that was cut short or changed is not believed: the error names it and says what to do")
    func damaged() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try OutcomeFolder(path: path)
        try folder.keep([1, 2], of: "seed 1")
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: path).first)
        let whole = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
        let line = "\(path)/\(name) is not what was kept there: remove it, and it is computed again"
        let changed = Data(String(decoding: whole, as: UTF8.self).replacingOccurrences(of: "[1,2]", with: "[1,3]").utf8)
        #expect(changed != whole)
        for wrong in [Data(), whole.dropLast(2), Data("seed 2\n[1,2]".utf8), Data("seed 1\n[1,2]".utf8), changed] {
            try wrong.write(to: URL(fileURLWithPath: "\(path)/\(name)"))
            let failure = #expect(throws: OperationFailure.self) { try folder.outcome(of: "seed 1", as: [Int].self) }
            #expect(failure?.message == line)
        }
        try whole.write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        #expect(throws: OperationFailure.self) { try folder.outcome(of: "seed 1", as: String.self) }
        #expect(try folder.outcome(of: "seed 1", as: [Int].self) == [1, 2])
    }

    @Test(
        "What is there under the right checksum, and cannot be the outcome, is not believed; nor is what is no file, or too long"
    )
    func impossibleOutcomes() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try OutcomeFolder(path: path)
        try folder.keep([1, 2], of: "seed 1")
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: path).first), file = "\(path)/\(name)"
        let line = "\(file) is not what was kept there: remove it, and it is computed again"
        func expectRefused(_ isPossible: ([Int]) -> Bool = { _ in true }) {
            let failure = #expect(throws: OperationFailure.self) {
                try folder.outcome(of: "seed 1", as: [Int].self, where: isPossible)
            }
            #expect(failure?.message == line)
        }
        expectRefused { $0.count == 3 }
        #expect(try folder.outcome(of: "seed 1", as: [Int].self) { $0.count == 2 } == [1, 2])
        truncate(file, 2 << 30)
        expectRefused()
        try FileManager.default.removeItem(atPath: file)
        #expect(mkfifo(file, 0o600) == 0)
        expectRefused()
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/dev/zero")
        expectRefused()
    }

    @Test(
        "What another user has put there is not believed",
        .enabled(if: geteuid() == 0, "only root can make another's file")
    )
    func foreignOutcomes() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try OutcomeFolder(path: path)
        try folder.keep([1, 2], of: "seed 1")
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: path).first), file = "\(path)/\(name)"
        chown(file, 65_534, 65_534)
        let failure = #expect(throws: OperationFailure.self) { try folder.outcome(of: "seed 1", as: [Int].self) }
        #expect(failure?.message == "\(file) is another user's: remove it, and it is computed again")
    }

    @Test("A folder that cannot be is refused with one line") func impossible() {
        let failure = #expect(throws: OperationFailure.self) { try OutcomeFolder(path: "/dev/null/results") }
        #expect(failure?.message == "cannot keep results in /dev/null/results: Not a directory; name another folder")
    }
}
