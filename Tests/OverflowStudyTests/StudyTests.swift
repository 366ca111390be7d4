import BluethroatBluetoothValues
import BluethroatVirtualTime
import Foundation
import Testing

@testable import BluethroatOverflowStudy

@Suite("A study")
struct StudyTests {
    static func report(threads: Int, seed: UInt64 = 3) throws -> StudyReport {
        let crowds = [10, 20, 15].map { phones in
            var crowd = CrowdTests.nearby
            crowd.phones = phones
            crowd.scanners = 2
            crowd.side = 120
            crowd.length = .seconds(15)
            crowd.interval = AdvertisingInterval(steps: 800)!
            return crowd
        }
        var study = Study(crowds)
        study.worlds = 2
        study.seed = seed
        let rows = try #require(study.run(threads: threads) { _ in true })
        return StudyReport(rows, varied: .phones, times: [.seconds(10), .seconds(5)], seed: seed)
    }

    @Test("The same seed gives the same bytes, however many threads there are, and another one others")
    func threads() throws {
        let alone = try Self.report(threads: 1), together = try Self.report(threads: 4)
        #expect(alone.rows == together.rows)
        #expect(alone.table == together.table && alone.csv == together.csv && alone.svg == together.svg)
        let other = try Self.report(threads: 4, seed: 4)
        #expect(other.csv != alone.csv && other.rows.map(\.results) != alone.rows.map(\.results))
    }

    @Test("A number that is out of its range counts as the nearest one in it")
    func outOfRange() throws {
        var crowd = CrowdSettings()
        (crowd.phones, crowd.scanners, crowd.foreignBits) = (-1, -1, .min)
        (crowd.side, crowd.speed) = (.nan, .nan)
        (crowd.length, crowd.rotation) = (.nanoseconds(.min), .nanoseconds(.min))
        var study = Study([crowd])
        let rows = try #require(study.run { _ in true })
        #expect(rows[0].results.map(\.phones.count) == [0])
        study.worlds = -1
        let none = try #require(study.run { _ in true })
        #expect(none[0].results.isEmpty && study.memory.isEmpty)
        (crowd.phones, crowd.scanners, crowd.foreignBits) = (.max, .max, .max)
        (crowd.side, crowd.speed) = (.infinity, .infinity)
        (crowd.length, crowd.rotation) = (.nanoseconds(.max), .nanoseconds(.max))
        crowd = crowd.inRange
        #expect(crowd.phones == 2_000_000 && crowd.scanners == 10_000 && crowd.foreignBits == 64)
        #expect(crowd.side == 100_000 && crowd.speed == 100 && crowd.memory > 0)
        #expect(crowd.overture + crowd.length < .seconds(61 * 365 * 86_400))
    }

    @Test("Rows differ in nothing but what they are to differ in: fewer phones are the first of more")
    func commonWorlds() throws {
        let rows = try Self.report(threads: 2).rows
        // Whether a phone can be heard follows from where it is.
        for world in 0..<2 {
            let few = rows[0].results[world].phones, many = rows[1].results[world].phones
            let agreed = zip(few, many).count { ($0.heard == nil) == ($1.heard == nil) }
            #expect(few.count == 10 && many.count == 20 && agreed >= 9, "world \(world): \(agreed)")
        }
    }

    @Test("A study that is not wanted any more ends")
    func cancelled() {
        var study = Study([CrowdTests.nearby, CrowdTests.nearby])
        study.worlds = 3
        #expect(study.run(threads: 2) { $0 < 0.4 } == nil)
    }

    @Test("Progress grows from nothing to nearly all")
    func progress() throws {
        let shares = Shares()
        var study = Study([CrowdTests.nearby])
        study.worlds = 2
        _ = study.run { share in
            shares.add(share)
            return true
        }
        #expect(shares.all.first == 0)
        #expect(shares.all == shares.all.sorted())
        #expect(try #require(shares.all.last) > 0.9)
    }
}

/// Told on one thread here.
private final class Shares: @unchecked Sendable {
    private(set) var all: [Double] = []
    func add(_ share: Double) { all.append(share) }
}

@Suite("What a study is asked")
struct StudyRowTests {
    /// Ten phones in a minute: five heard after 0, 10, …, 40 s, of which the first four are read 5 s later.
    static var row: StudyRow {
        var crowd = CrowdSettings()
        crowd.phones = 10
        crowd.length = .seconds(60)
        var result = CrowdResult(phones: 10)
        for number in 0..<5 {
            result.phones[number].heard = .seconds(10 * Int64(number))
            if number < 4 {
                result.phones[number].got = .seconds(10 * Int64(number) + 5)
                result.waits.append(.seconds(5 - Int64(number)))
            }
        }
        result.meetings = 6
        result.waited = .seconds(12)
        result.changes = 8
        result.mistakes = 1
        return StudyRow(crowd: crowd, results: [result, CrowdResult(phones: 10)])
    }

    @Test("Since the start, shares are of all phones")
    func sinceStart() {
        #expect(Self.row.heard == StudyRow.Share(count: 5, total: 20))
        let counts = [4, 5, 24, 25, 60].map { Self.row.got(within: .seconds($0)).count }
        #expect(counts == [0, 1, 2, 3, 4])
        #expect(Self.row.got(within: .seconds(60)).value == 0.2)
    }

    @Test("Since contact, shares are of the phones that were heard so early that there was as much time")
    func sinceContact() {
        #expect(Self.row.got(within: .seconds(4), since: .contact) == StudyRow.Share(count: 0, total: 5))
        #expect(Self.row.got(within: .seconds(5), since: .contact) == StudyRow.Share(count: 4, total: 5))
        #expect(Self.row.got(within: .seconds(30), since: .contact) == StudyRow.Share(count: 4, total: 4))
        #expect(Self.row.got(within: .seconds(61), since: .contact).value == nil)
    }

    @Test("The median wait is one that occurs, and all worlds count")
    func sums() {
        #expect(Self.row.medianWait == .seconds(3))
        #expect(Self.row.meetings == StudyRow.Share(count: 4, total: 6))
        #expect(Self.row.mistakes == 1)
    }
}
