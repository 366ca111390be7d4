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

    private static let discovery = """
        length: 1.5 s
        warmup: 0.5 s
        worlds: 1
        area: {width: 600 m, height: 300 m}
        devices:
          beacons: {kind: advertiser, count: 40, interval: 100 ms, walk: waypoint, speed: 8 m/s}
          loud: {kind: advertiser, count: 2, power: 8 dBm}
          fobs: {kind: keyfob, count: 6}
          tags: {kind: sensortag, count: 4}
          markers: {kind: ibeacon, count: 4}
          players: {kind: keyfob-phone, count: 3}
          phones: {kind: overflow-beacon, count: 6, rotation: 500 ms, walk: streets, speed: 10 m/s}
          nobody: {kind: ibeacon, count: 0}
          scanners: {kind: scanner, count: 5, walk: waypoint, speed: 29 m/s, active: yes}
          listeners: {kind: overflow-listener, count: 3}
        measure: [discovery, received, reach, energy]
        """

    /// Devices on two lines, each central 30 m from its peer, so that regions cut between some of them.
    private static let connections = """
        length: 2 s
        warmup: 0 s
        worlds: 1
        area: {width: 400 m, height: 20 m}
        air: {sensitivity: -93 dBm}
        devices:
          sensors: {kind: peripheral, count: 8, place: line, distance: 50 m}
          fobs: {kind: keyfob, count: 8, place: line, distance: 50 m, y: 10 m}
          readers: {kind: central, count: 8, to: sensors, traffic: read, power: 4 dBm, place: line, x: 30 m, distance: 50 m}
          others: {kind: central, count: 8, to: fobs, traffic: read, hold: 500 ms, place: line, x: 30 m, y: 10 m, distance: 50 m}
          writers: {kind: central, count: 8, to: sensors, traffic: write, phy: 2M, walk: waypoint}
        measure: [connect, throughput, roundtrip, energy]
        """

    private static let crowd = """
        length: 1.5 s
        warmup: 0.5 s
        worlds: 1
        area: {width: 600 m, height: 300 m}
        air: {mode: crowd, loss: 0.1}
        devices:
          beacons: {kind: advertiser, count: 80, interval: 200 ms, walk: waypoint, speed: 10 m/s}
          asked: {kind: advertiser, count: 20, type: scannable}
          sensors: {kind: peripheral, count: 4, place: line, distance: 100 m}
          scanners: {kind: scanner, count: 4, walk: waypoint, speed: 20 m/s, active: yes}
          readers: {kind: central, count: 4, to: sensors, traffic: read, place: line, distance: 100 m, x: 30 m}
        measure: [discovery, reach, connect]
        """

    @Test("A world comes to the same on 1, 2, 3 and 4 ranks", arguments: [discovery, connections, crowd])
    func equal(yaml: String) throws {
        let plan = try StudyFileTests.plan(yaml)
        let alone = try outcomes(plan, ranks: 1)
        for count in 2...4 { #expect(try outcomes(plan, ranks: count) == alone, "\(count) ranks") }
        // There was something to measure, each time. Not all devices receive.
        let columns = zip(plan.columns, alone[0][0].values)
        for (column, value) in columns where !column.name.hasPrefix("energy.nobody") {
            #expect(value ?? 0 > 0 || value == 0 && column.name.hasSuffix(".receive"), "\(column.name)")
        }
    }

    @Test("Centrals and their peers are on different ranks, and find each other")
    func across() throws {
        let plan = try StudyFileTests.plan(Self.connections)
        let counts = try onThreads(3) { ranks in
            let world = DeviceWorld(plan, plan.rows[0], seed: 7, dividedAmong: ranks)
            let owns = Dictionary(uniqueKeysWithValues: world.members.map { ($0.id, $0.isOwn) })
            return world.members.filter { $0.group.kind == .central && $0.isOwn }.count { member in
                let peers = world.members.filter { $0.group.name == plan.rows[0].word("\(member.group.name).to") }
                let number = world.members.filter { $0.group == member.group }.firstIndex { $0.id == member.id } ?? 0
                return owns[peers[number % peers.count].id] == false
            }
        }
        #expect(counts.reduce(0, +) > 3, "\(counts)")
    }

    @Test("There may be more ranks than devices")
    func few() throws {
        let plan = try StudyFileTests.plan(
            """
            length: 1 s
            worlds: 1
            devices:
              fob: {kind: keyfob, place: at}
              reader: {kind: central, to: fob, traffic: read, place: at, x: 2 m}
            measure: [connect, roundtrip]
            """
        )
        let alone = try outcomes(plan, ranks: 1)
        #expect(try outcomes(plan, ranks: 5) == alone && alone[0][0].values.allSatisfy { $0 ?? 0 > 0 })
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
        let ended = try onThreads(2) { ranks in try plan.results(dividedAmong: ranks) { $0 < 0.5 } == nil }
        #expect(ended == [true, true])
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
            ("a: {kind: moneydrop}", "discovery", "a: a world with a moneydrop cannot be divided"),
            ("a: {kind: desk}", "energy", "a: a world with a desk cannot be divided"),
            ("a: {kind: text-client}", "task", "a: a world with a text-client cannot be divided"),
            ("a: {kind: advertiser}", "collisions", "collisions counts all frames of a world"),
            (
                "a: {kind: advertiser, walk: streets, speed: 29.5 m/s}", "energy",
                "a.speed is more than 29 m/s"
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
        #expect(throws: OperationFailure.self) { try plan.results(dividedAmong: OnlyRank()) }
    }

    @Test("A recorded way with a leap is refused before anything is computed, as far as it is walked")
    func leap() throws {
        func plan(length: Double, count: Int = 2) throws -> StudyPlan {
            let yaml = """
                length: \(length) s
                warmup: 0.5 s
                devices:
                  runner: {kind: advertiser, walk: trace, trace: leap.csv, count: \(count)}
                  scanner: {kind: scanner, place: at}
                measure: discovery
                """
            return try StudyPlan(yaml: yaml, named: "a.yaml") { _ in
                "a,0,0,0\na,9,9,0\nb,0,0,0\nb,3.6,0,0\nb,3.7,29,0\nb,3.8,0,0\nb,6.8,0,0\nb,6.9,500,0\n"
            }
        }
        let far = try plan(length: 7)
        let reason = "leap.csv: device 2 moves more than 30 m in the second from 6.5 s on, which is too fast"
        #expect(far.objectionToDivision?.hasPrefix(reason) == true, "\(far.objectionToDivision ?? "none")")
        #expect(throws: OperationFailure.self) { try far.results(dividedAmong: OnlyRank()) }
        // Nobody leaps so far before, and the first of them never does.
        let near = try plan(length: 6)
        #expect(try near.objectionToDivision == nil && plan(length: 7, count: 1).objectionToDivision == nil)
        #expect(try onThreads(2) { try near.results(dividedAmong: $0) != nil } == [true, true])
    }
}
