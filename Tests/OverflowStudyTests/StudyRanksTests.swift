import BluethroatBluetoothValues
import BluethroatRankGroups
import BluethroatRanks
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

    private func run(_ ranks: Int, _ sharing: StudySharing, _ study: Study = Self.study) throws -> [StudyRow]? {
        let rows = try RankThreads.run(ranks) { try study.run(on: $0, sharing: sharing) { _ in true } }
        #expect(rows.dropFirst().allSatisfy { $0?.isEmpty == true })
        return rows[0]
    }

    @Test("Worlds that are shared out are the same as on one rank, to the last byte of table, CSV and plot")
    func sharedOut() throws {
        let alone = try #require(Self.study.run { _ in true })
        for ranks in 1...4 {
            let rows = try run(ranks, StudySharing())
            #expect(rows == alone, "\(ranks) ranks")
            #expect(try texts(rows) == texts(alone))
        }
    }

    @Test("Worlds that are divided are the same on 1 to 4 ranks: digests, table, CSV and plot")
    func divided() throws {
        var sharing = StudySharing()
        sharing.dividesWorlds = true
        let alone = try #require(try run(1, sharing))
        #expect(alone.allSatisfy { $0.results.allSatisfy { $0.digest != 0 && $0.meetings > 0 } })
        for ranks in 2...4 {
            let rows = try run(ranks, sharing)
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
        crowd.length = .seconds(60)
        crowd.side = 20
        let study = Study([crowd])
        var sharing = StudySharing()
        sharing.dividesWorlds = true
        let alone = try #require(try run(1, sharing, study))
        #expect(alone[0].results[0].transmissions > 100)
        for ranks in 2...3 { #expect(try run(ranks, sharing, study) == alone) }
    }

    @Test("Worlds that were finished are not tried again, and the end is the same", arguments: [false, true])
    func resumed(isDivided: Bool) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("study-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var sharing = StudySharing()
        sharing.dividesWorlds = isDivided
        let whole = try run(2, sharing)
        sharing.folder = try ResultFolder(path)
        // A run that is ended after the first world or two.
        let files: @Sendable () -> Int = { (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0 }
        let shared = sharing
        let ended = try RankThreads.run(2) { try Self.study.run(on: $0, sharing: shared) { _ in files() < 1 } }
        #expect(ended[0] == nil)
        let kept = files()
        #expect(1...3 ~= kept)
        // With another number of ranks, and half of the seconds still to go.
        #expect(try run(3, sharing) == whole)
        #expect(files() == 4)
        // All of it is there: no world is begun.
        let begun = Mutex(0)
        let rows = try RankThreads.run(2) { ranks in
            try Self.study.run(on: ranks, sharing: shared) { _ in
                begun.withLock { $0 += 1 }
                return true
            }
        }
        #expect(rows[0] == whole)
        #expect(begun.withLock { $0 } == 0)
    }

    @Test("A result as text is the same after the way, and what is none is refused")
    func text() throws {
        let result = try #require(Self.study.run { _ in true })[0].results[0]
        #expect(CrowdResult(text: result.text) == result)
        for wrong in ["", "1 2 3", result.text + " 1", result.text + " x", String(result.text.dropLast())] {
            #expect(CrowdResult(text: wrong) != result)
        }
    }
}
