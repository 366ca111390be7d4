import BluethroatRankGroups
import BluethroatRanks
import BluethroatStudies
import Foundation
import Testing

@Suite("Worlds shared out among ranks")
struct RankRunnerTests {
    private let path = FileManager.default.temporaryDirectory.appendingPathComponent("ranks-\(UUID().uuidString)").path

    private func run(_ ranks: Int, keeping store: OutcomeFolder? = nil) throws -> [[Int]?] {
        try RankThreads.run(ranks) { ranks in
            let runner = RankRunner(ranks, each: ThreadedRunner(threads: 1), keeping: store)
            return try runner.outcomes(of: Squares()) { _ in true }
        }
    }

    @Test("Each rank has all outcomes in the order of tasks, however many ranks there are", arguments: [1, 2, 3, 4, 8])
    func shared(ranks: Int) throws {
        let outcomes = try run(ranks)
        #expect(outcomes.count == ranks)
        #expect(outcomes.allSatisfy { $0 == (0..<20).map { $0 * $0 } })
    }

    @Test("What rank 0 finds kept is computed by none; the rest is, and is kept") func resumed() throws {
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = try OutcomeFolder(path: path)
        // Values that no rank would compute.
        for task in Squares().tasks where task.number < 12 { try store.keep(-task.number, of: task.key) }
        let wanted = (0..<20).map { $0 < 12 ? -$0 : $0 * $0 }
        #expect(try run(3, keeping: store).allSatisfy { $0 == wanted })
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 20)
    }

    @Test("A rank that is not to go on ends all of them, and one that fails does so with its reason") func ended()
        throws
    {
        let ended = try RankThreads.run(3) { ranks in
            let runner = RankRunner(ranks, each: ThreadedRunner(threads: 1))
            return try runner.outcomes(of: Squares()) { _ in ranks.rank != 1 }
        }
        #expect(ended.allSatisfy { $0 == nil })
        let failure = #expect(throws: RankFailure.self) {
            try RankThreads.run(3) { ranks in
                let runner = RankRunner(ranks, each: ThreadedRunner(threads: 1))
                return try runner.outcomes(of: Squares(failing: [7])) { _ in true }
            }
        }
        #expect(failure?.description.contains("Failure(number: 7)") == true)
    }
}
