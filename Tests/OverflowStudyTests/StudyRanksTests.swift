import BluethroatBluetoothValues
import BluethroatRankGroups
import BluethroatRanks
import BluethroatStudies
import BluethroatVirtualTime
import Foundation
import Synchronization
import Testing

@testable import BluethroatOverflowStudy

@Suite("A study on several ranks")
struct StudyRanksTests {
    private static var study: Study {
        let crowds = [12, 20].map { phones in
            var crowd = CrowdTests.nearby
            crowd.phones = phones
            crowd.scanners = 3
            crowd.side = 300
            crowd.length = .seconds(8)
            crowd.interval = AdvertisingInterval(steps: 320)!
            return crowd
        }
        var study = Study(crowds)
        study.worlds = 2
        study.seed = 6
        return study
    }

    private func texts(_ rows: [StudyRow]?) throws -> [String] {
        let report = StudyReport(try #require(rows), varied: .phones, times: [.seconds(5)], seed: 6)
        return report.table + [report.csv, report.svg]
    }

    private func divided(
        _ ranks: Int,
        _ study: Study = Self.study,
        keeping store: OutcomeFolder? = nil
    ) throws -> [StudyRow]? {
        let rows = try RankThreads.run(ranks, looksBeforeSleep: false) {
            try study.run(dividedAmong: $0, keeping: store) { _ in true }
        }
        #expect(rows.allSatisfy { $0 == rows[0] })
        return rows[0]
    }

    @Test("Worlds that are shared out are the same as on one rank, to the last byte of table, CSV and plot")
    func sharedOut() throws {
        let alone = try #require(Self.study.run { _ in true })
        for ranks in 1...4 {
            let rows = try RankThreads.run(ranks, looksBeforeSleep: false) { ranks in
                try Self.study.run(on: RankRunner(ranks, each: ThreadedRunner(threads: 1))) { _ in true }
            }
            #expect(rows.allSatisfy { $0 == alone }, "\(ranks) ranks")
            #expect(try texts(rows[0]) == texts(alone))
        }
    }

    @Test("Worlds that are divided are the same on 1 to 4 ranks: digests, table, CSV and plot")
    func divided() throws {
        let alone = try #require(try divided(1))
        #expect(alone.allSatisfy { $0.results.allSatisfy { $0.digest != 0 && $0.meetings > 0 } })
        for ranks in 2...4 {
            let rows = try divided(ranks)
            #expect(rows == alone, "\(ranks) ranks")
            #expect(try texts(rows) == texts(alone))
        }
    }

    @Test("Conversations of phones on different ranks are the same on 1 to 3")
    func conversations() throws {
        var crowd = CrowdTests.nearby
        crowd.phones = 6
        crowd.sending = .conversation
        crowd.systemVersion = 13
        crowd.length = .seconds(30)
        crowd.side = 20
        let study = Study([crowd])
        let alone = try #require(try divided(1, study))
        #expect(alone[0].results[0].transmissions > 100)
        for ranks in 2...3 { #expect(try divided(ranks, study) == alone) }
    }

    @Test("Divided worlds that were finished are not tried again, and the end is the same")
    func resumed() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("study-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let whole = try divided(2)
        let store = try OutcomeFolder(path: path)
        // A run that is ended after the first world.
        let files: @Sendable () -> Int = { (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0 }
        let ended = try RankThreads.run(2, looksBeforeSleep: false) { ranks in
            try Self.study.run(dividedAmong: ranks, keeping: store) { _ in files() < 1 }
        }
        #expect(ended.allSatisfy { $0 == nil })
        #expect(1...3 ~= files())
        // With another number of ranks.
        #expect(try divided(3, keeping: store) == whole)
        #expect(files() == 4)
        // All of it is there: no world is begun.
        let begun = Mutex(0)
        let rows = try RankThreads.run(2, looksBeforeSleep: false) { ranks in
            try Self.study.run(dividedAmong: ranks, keeping: store) { _ in
                begun.withLock { $0 += 1 }
                return true
            }
        }
        #expect(rows[0] == whole)
        #expect(begun.withLock { $0 } == 0)
        // Worlds that are not divided are others.
        let others = RankRunner(OnlyRank(), each: ThreadedRunner(threads: 1), keeping: store)
        #expect(try Self.study.run(on: others) { _ in true } != whole)
    }
}
