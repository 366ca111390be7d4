import BluethroatEvents
import BluethroatRankGroups
import BluethroatRanks
import BluethroatStudies
import Foundation
import Testing

@testable import BluethroatDeviceStudy

@Suite("Worlds of a study that ranks have together")
struct DivisionTests {
    /// Threads of tests share processors with other tests.
    private func onThreads<Result: Sendable>(
        _ count: Int,
        _ body: @escaping @Sendable (any Ranks) throws -> Result
    ) throws -> [Result] {
        try RankThreads.run(count, looksBeforeSleep: false, body)
    }

    /// What comes of each world, on so many ranks.
    private func outcomes(_ plan: StudyPlan, ranks count: Int) throws -> [[WorldOutcome]] {
        let all = try onThreads(count) { ranks in
            try plan.results(dividedAmong: ranks)?.outcomes
        }
        let first = try #require(all[0])
        // Each rank knows the same.
        #expect(all.allSatisfy { $0 == first })
        return first
    }

    private static let air = """
        length: 1.5 s
        warmup: 0.5 s
        worlds: 1
        area: {width: 600 m, height: 300 m}
        """

    private static let discovery = """
        \(air)
        devices:
          beacons: {kind: advertiser, count: 40, interval: 100 ms, walk: waypoint, speed: 8 m/s}
          fobs: {kind: keyfob, count: 6}
          tags: {kind: sensortag, count: 4}
          markers: {kind: ibeacon, count: 4}
          phones: {kind: overflow-beacon, count: 6, rotation: 500 ms, walk: streets, speed: 10 m/s}
          scanners: {kind: scanner, count: 5, walk: waypoint, speed: 25 m/s, active: yes}
          listeners: {kind: overflow-listener, count: 3}
        measure: [discovery, received, reach, energy]
        """

    private static let connections = """
        \(air)
        devices:
          sensors: {kind: peripheral, count: 12}
          fobs: {kind: keyfob, count: 4}
          readers: {kind: central, count: 10, to: sensors, traffic: read, power: 4 dBm}
          others: {kind: central, count: 4, to: fobs, traffic: read, hold: 500 ms, walk: waypoint}
          writers: {kind: central, count: 6, to: sensors, traffic: notify, phy: 2M}
        measure: [connect, throughput, roundtrip, energy]
        """

    private static let crowd = """
        \(air)
        air: {mode: crowd, loss: 0.1}
        devices:
          beacons: {kind: advertiser, count: 80, interval: 200 ms, walk: waypoint, speed: 10 m/s}
          asked: {kind: advertiser, count: 20, type: scannable}
          scanners: {kind: scanner, count: 4, walk: waypoint, speed: 20 m/s, active: yes}
        measure: [discovery, reach]
        """

    @Test("A world comes to the same on 1, 2, 3 and 4 ranks", arguments: [discovery, connections, crowd])
    func equal(yaml: String) throws {
        let plan = try StudyFileTests.plan(yaml)
        let alone = try outcomes(plan, ranks: 1)
        for count in 2...4 { #expect(try outcomes(plan, ranks: count) == alone, "\(count) ranks") }
        // There was something to measure.
        let values = alone[0][0].values
        #expect(values.count { $0 ?? 0 > 0 } > values.count / 2, "\(values)")
    }

    @Test("What is measured in a divided world is what is measured in one that is not, but for its air's delay")
    func alike() throws {
        var plan = try StudyFileTests.plan(
            """
            length: 5 s
            warmup: 0 s
            worlds: 2
            area: {width: 300 m, height: 150 m}
            devices:
              beacons: {kind: advertiser, count: 30, interval: 100 ms}
              scanners: {kind: scanner, count: 3}
            measure: [received, reach]
            """
        )
        plan.seed = 5
        let divided = try outcomes(plan, ranks: 2)[0]
        let whole = try #require(try plan.results(on: ThreadedRunner(threads: 2))).outcomes[0]
        // Who is in reach is the same to the digit, and beacons that ask nobody send the same frames.
        for (one, other) in zip(divided, whole) {
            #expect(one.values[2] == other.values[2] && one.transmissions == other.transmissions)
            for column in 0..<2 {
                let (first, second) = (try #require(one.values[column]), try #require(other.values[column]))
                #expect(abs(first - second) < 0.02)
            }
        }
    }

    @Test("A crowd that a file describes is divided, too")
    func overflow() throws {
        let plan = try StudyFileTests.plan(
            """
            length: 2 s
            worlds: 1
            overflow: {phones: 30, scanners: 4, area: 300 m}
            """
        )
        let alone = try outcomes(plan, ranks: 1)
        #expect(try outcomes(plan, ranks: 3) == alone && alone[0][0].transmissions > 0)
    }

    @Test("A finished world is kept as one that was divided, and found again on any number of ranks")
    func kept() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("divided-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let plan = try StudyFileTests.plan(Self.crowd)
        let store = try OutcomeFolder(path: folder.path)
        let first = try onThreads(2) { try plan.results(dividedAmong: $0, keeping: store)?.outcomes }[0]
        let again = try onThreads(3) { ranks in
            try plan.results(dividedAmong: ranks, keeping: store) { _ in
                Issue.record("something is computed")
                return false
            }?.outcomes
        }[0]
        #expect(again == first && first != nil)
        // Worlds that are not divided are others.
        let undivided = PlanWork(plan: plan).tasks.map(\.key)
        #expect(Set(undivided).isDisjoint(with: PlanWork(plan: plan, isDivided: true).tasks.map(\.key)))
    }

    @Test("A study that is ended on one rank ends on all, and none waits")
    func ended() throws {
        let plan = try StudyFileTests.plan(Self.connections)
        let all = try onThreads(3) { ranks in
            try plan.results(dividedAmong: ranks) { ranks.rank != 1 || $0 < 0.3 } == nil
        }
        #expect(all == [true, true, true])
    }

    @Test(
        "What cannot be divided is refused in a line before anything is computed",
        arguments: [
            ("a: {kind: moneydrop}", "discovery", "a: a moneydrop has to do with more than the air"),
            ("a: {kind: desk}", "energy", "a: a desk has to do with more than the air"),
            ("a: {kind: text-client}", "task", "a: a text-client has to do with more than the air"),
            ("a: {kind: advertiser}", "collisions", "collisions counts all frames of a world"),
            (
                "a: {kind: advertiser, walk: streets, speed: 31 m/s}", "energy",
                "a.speed is more than 30 m/s"
            ),
        ]
    )
    func refused(devices: String, measure: String, reason: String) throws {
        let plan = try StudyFileTests.plan(
            """
            devices:
              \(devices)
              b: {kind: scanner}
            measure: \(measure)
            """
        )
        #expect(plan.objectionToDivision?.hasPrefix(reason) == true, "\(plan.objectionToDivision ?? "none")")
        #expect(plan.objectionToDivision?.contains("leave out --divide") == true)
        #expect(throws: OperationFailure.self) { try plan.results(dividedAmong: OnlyRank()) }
    }

    @Test("Somebody who walks a trace with a leap ends the run with a line that names them")
    func leap() throws {
        let yaml = """
            length: 5 s
            devices:
              runner: {kind: advertiser, walk: trace, trace: leap.csv}
              scanner: {kind: scanner, place: at}
            measure: discovery
            """
        let plan = try StudyPlan(yaml: yaml, named: "a.yaml") { _ in "a,0,0,0\na,3.5,0,0\na,3.6,500,0\n" }
        let failure = #expect(throws: RankFailure.self) {
            try onThreads(2) { try plan.results(dividedAmong: $0) == nil }
        }
        #expect(failure?.description.contains("has moved more than 30 m at once") == true, "\(failure as Any)")
    }
}
