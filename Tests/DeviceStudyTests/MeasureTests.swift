import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatStudies
import Foundation
import Testing

@testable import BluethroatDeviceStudy

@Suite("What a study measures")
struct MeasureTests {
    private func results(_ yaml: String) throws -> StudyResults {
        let plan = try StudyFileTests.plan(yaml)
        return try #require(try plan.results(on: ThreadedRunner(threads: 2)))
    }

    private func mean(_ name: String, _ results: StudyResults, row: Int = 0) throws -> Double {
        let column = try #require(results.plan.columns.firstIndex { $0.name == name })
        return try #require(results.estimate(row: row, column: column)).mean
    }

    @Test(
        "A beacon beside a scanner that always listens is received in every event, one PDU of three, with no collision"
    )
    func alone() throws {
        let results = try results(
            """
            length: 20 s
            worlds: 2
            devices:
              beacon: {kind: advertiser, place: at}
              phone: {kind: scanner, place: at, x: 1 m, interval: 10.24 s, window: 10.24 s}
            measure: [received, collisions, discovery, reach]
            """
        )
        #expect(try mean("received.share", results) > 0.985)
        #expect(abs(try mean("received.frames", results) - 1 / 3) < 0.005)
        #expect(try mean("collisions.share", results) == 0 && mean("collisions.lost", results) == 0)
        #expect(try mean("discovery.share", results) == 1 && mean("discovery.mean", results) < 0.12)
        #expect(try mean("reach.time", results) == 20 && mean("reach.share", results) == 1)
    }

    @Test(
        "In a crowd's air what beacons' scanners find and when, and where they are in reach, is the same to the digit"
    )
    func crowdsAir() throws {
        let results = try results(
            """
            length: 20 s
            area: {width: 400 m, height: 400 m}
            devices:
              beacons: {kind: advertiser, count: 60, interval: 200 ms}
              phones: {kind: scanner, count: 3, walk: waypoint, speed: 10 m/s, interval: 100 ms, window: 30 ms}
            vary: {air.mode: [exact, crowd]}
            measure: [discovery, reach]
            """
        )
        #expect(try mean("discovery.share", results) > 0.5)
        for column in results.plan.columns.indices {
            #expect(results.estimate(row: 0, column: column) == results.estimate(row: 1, column: column))
        }
    }

    @Test("In a crowd's air no measure is taken that counts frames which nobody can hear", arguments: Measure.allCases)
    func crowdsAirMeasures(measure: Measure) throws {
        guard measure != .crowd else { return }
        let yaml = """
            devices:
              fob: {kind: keyfob}
              phone: {kind: central, to: fob, traffic: read}
              scanner: {kind: scanner}
              writer: {kind: text-client}
            measure: \(measure.rawValue)
            air: {mode: crowd}
            """
        let objection = StudyFileTests.objection(yaml)
        let isRefused = [.received, .collisions, .energy].contains(measure)
        #expect(objection.hasPrefix("a.yaml:7:13: \(measure.rawValue) counts all frames") == isRefused, "\(objection)")
        #expect((objection == "nothing") != isRefused, "\(objection)")
    }

    @Test(
        "A task is done by everybody who can: a payment, a text, a login, each as one does it, and as many do it at once",
        arguments: [
            "a: {kind: moneydrop, count: N}\n  b: {kind: moneydrop-payer, to: a, count: N",
            "a: {kind: moneydrop, photo: 8 kB, count: N}\n  b: {kind: moneydrop-payer, to: a, count: N",
            "a: {kind: text-server}\n  b: {kind: text-client, text: 600 B, count: N",
            "a: {kind: desk, count: N, place: line}\n  b: {kind: login-phone, to: a, count: N, place: line, y: 1 m",
        ]
    )
    func tasks(devices: String) throws {
        // Two who wait for one server at the same phase may be in each other's way for ever: docs/model.md.
        for count in [1, devices.contains("text") ? 2 : 3] {
            let yaml = """
                length: 30 s
                worlds: \(min(count, 2))
                area: {width: 3 m, height: 3 m}
                devices:
                  \(devices.replacing("N", with: "\(count)"))}
                measure: [task, energy]
                """
            let results = try results(yaml)
            #expect(try mean("task.share", results) == 1, "\(yaml)")
            let time = try mean("task.mean", results)
            #expect(time > 0.05 && time < 30, "\(yaml): \(time)")
            for group in ["a", "b"] { #expect(try mean("energy.\(group).current", results) > 1e-5) }
            guard count > 1 else { continue }
            let again = try #require(try results.plan.results(on: ThreadedRunner(threads: 1)))
            #expect(results.csv == again.csv)
        }
    }

    @Test(
        "A task that cannot be done is none that was: nobody there, or out of reach",
        arguments: [
            "a: {kind: moneydrop, count: 0}\n  b: {kind: moneydrop-payer, to: a}",
            "a: {kind: moneydrop, place: at}\n  b: {kind: moneydrop-payer, to: a, place: at, x: 1 km}",
            "a: {kind: text-server, place: at}\n  b: {kind: text-client, place: at, x: 1 km}",
            "a: {kind: desk, count: 0}\n  b: {kind: login-phone, to: a}",
            "a: {kind: desk, place: at}\n  b: {kind: login-phone, to: a, place: at, x: 1 km}",
        ]
    )
    func tasksNotDone(devices: String) throws {
        let results = try results("length: 40 s\nworlds: 1\ndevices:\n  \(devices)\nmeasure: task")
        #expect(try mean("task.share", results) == 0)
        let column = try #require(results.plan.columns.firstIndex { $0.name == "task.mean" })
        #expect(results.estimate(row: 0, column: column) == nil)
    }

    @Test("Phones of MoneyDrop and desks are advertisers, which scanners find")
    func foundApps() throws {
        let results = try results(
            """
            length: 10 s
            worlds: 1
            area: {width: 3 m, height: 3 m}
            devices:
              a: {kind: moneydrop}
              b: {kind: desk}
              c: {kind: text-server}
              scanner: {kind: scanner}
            measure: [discovery, received]
            """
        )
        #expect(try mean("discovery.share", results) == 1 && mean("received.share", results) > 0.9)
    }

    @Test("Who is out of reach is neither in reach nor missed") func outOfReach() throws {
        let results = try results(
            """
            length: 5 s
            devices:
              beacon: {kind: advertiser, place: at}
              phone: {kind: scanner, place: at, x: 1 km}
            measure: [received, discovery, reach]
            """
        )
        for column in results.plan.columns.indices { #expect(results.estimate(row: 0, column: column) == nil) }
        #expect(results.table.last?.contains("–") == true)
        #expect(results.csv.contains(",,,"))
    }

    @Test("A sender on a recorded way is in reach for as long as the way says") func wayThroughReach() throws {
        // Without shadowing a beacon of 0 dBm is heard for 55 dB behind the first metre, 55.5 before rounding: 70.8 m.
        let plan = try StudyPlan(
            yaml: """
                length: 100 s
                warmup: 0 s
                worlds: 1
                air: {shadowing: 0 dB}
                devices:
                  walker: {kind: advertiser, walk: trace, trace: way.csv}
                  door: {kind: scanner, place: at}
                measure: reach
                """,
            named: "way"
        ) { _ in "w,0,-100,0\nw,100,100,0\n" }
        let results = try #require(try plan.results(on: ThreadedRunner(threads: 1)))
        let time = try mean("reach.time", results)
        // 2 m a second.
        #expect(abs(time - 70.8) <= 1.5, "\(time)")
        #expect(try mean("reach.share", results) > 0.9)
    }

    @Test(
        "Who comes in reach before it is measured and leaves before counts from when it comes back",
        arguments: ["0 s", "4 s"]
    )
    func cameBefore(warmup: String) throws {
        // At the door until 1 s, far away until 33 s, then back.
        let plan = try StudyPlan(
            yaml: """
                length: 60 s
                warmup: \(warmup)
                worlds: 1
                air: {shadowing: 0 dB}
                devices:
                  walker: {kind: advertiser, walk: trace, trace: way.csv}
                  door: {kind: scanner, place: at, interval: 30 ms, window: 30 ms}
                measure: [discovery, reach]
                """,
            named: "way"
        ) { _ in "w,0,1,0\nw,1,1,0\nw,2,5000,0\nw,33,5000,0\nw,34,1,0\nw,100,1,0\n" }
        let results = try #require(try plan.results(on: ThreadedRunner(threads: 1)))
        #expect(try mean("discovery.share", results) == 1)
        #expect(try mean("discovery.mean", results) < 0.5)
    }

    @Test("Who is in reach all the time is discovered after the same time, however long the warm-up is")
    func longWarmup() throws {
        for warmup in ["0 s", "2 s", "60 s"] {
            let results = try results(
                """
                length: 20 s
                warmup: \(warmup)
                worlds: 2
                devices:
                  beacon: {kind: advertiser, place: at}
                  phone: {kind: scanner, walk: waypoint}
                measure: [discovery, reach]
                """
            )
            #expect(try mean("discovery.share", results) == 1 && mean("discovery.mean", results) < 1, "\(warmup)")
        }
    }

    @Test("A central connects to a key fob of the group that it is told, not to one of another group")
    func twoGroupsOfKeyFobs() throws {
        let results = try results(
            """
            length: 20 s
            devices:
              near: {kind: keyfob, place: at, x: 1 m}
              far: {kind: keyfob, place: at, x: 5 km}
              phone: {kind: central, to: far, place: at, traffic: read}
              other: {kind: central, to: near, place: at, y: 1 m, traffic: read}
            measure: [connect]
            """
        )
        // One of two centrals gets there.
        #expect(try mean("connect.share", results) < 1)
        let plan = try StudyFileTests.plan(
            "devices:\n  a: {kind: keyfob, count: 3}\n  b: {kind: keyfob, count: 3}\nmeasure: collisions\nlength: 1 s"
        )
        let world = DeviceWorld(plan, plan.rows[0], seed: 1)
        let addresses = world.members.compactMap { world.world.publicAddress(of: $0.id) }
        #expect(addresses.count == 6 && Set(addresses).count == 6)
    }

    @Test("The phone that plays a key fob advertises as often as the fob does, and is found")
    func playedFob() throws {
        let results = try results(
            """
            length: 20 s
            warmup: 5 s
            worlds: 2
            devices:
              fob: {kind: keyfob-phone, place: at, interval: 152.5 ms}
              phone: {kind: scanner, place: at, x: 1 m, interval: 10.24 s, window: 10.24 s}
            measure: [received, discovery, reach]
            """
        )
        #expect(try mean("discovery.share", results) == 1 && mean("discovery.mean", results) < 0.2)
        #expect(try mean("received.share", results) > 0.97)
    }

    @Test("Less power takes less current, by the data sheet's table")
    func currentByPower() throws {
        let results = try results(
            """
            length: 10 s
            worlds: 1
            devices:
              beacon: {kind: advertiser, place: at}
            vary: {beacon.power: [-40 dBm, -20 dBm, -10 dBm, 0 dBm, 8 dBm]}
            measure: energy
            """
        )
        let currents = try results.plan.rows.indices.map { try mean("energy.beacon.transmit", results, row: $0) }
        for (current, milliamperes) in zip(currents, [2.3, 2.7, 3.3, 4.8, 14.8]) {
            #expect(abs(current / currents[3] - milliamperes / 4.8) < 1e-9)
        }
    }

    @Test("A beacon's current is that of its frames and waits, by hand") func beaconCurrent() throws {
        let results = try results(
            """
            length: 100 s
            worlds: 2
            devices:
              beacon: {kind: advertiser, place: at, interval: 1 s, payload: 31 B}
              server: {kind: advertiser, place: at, type: connectable, interval: 1 s, payload: 31 B}
              phone: {kind: scanner, place: at, x: 500 m, interval: 1 s, window: 100 ms}
            measure: energy
            energy: {transmit: 5 mA, receive: 10 mA, sleep: 1 uA}
            """
        )
        // Three frames of 376 µs in 1.005 s.
        let sending = 3 * 0.000_376 / 1.005 * 5e-3
        #expect(abs(try mean("energy.beacon.transmit", results) / sending - 1) < 0.02)
        #expect(try mean("energy.beacon.receive", results) == 0)
        #expect(abs(try mean("energy.beacon.sleep", results) - 1e-6) < 1e-8)
        // Behind each of them 40 µs for the access address of an answer.
        #expect(abs(try mean("energy.server.receive", results) / (3 * 0.000_040 / 1.005 * 10e-3) - 1) < 0.02)
        #expect(abs(try mean("energy.phone.receive", results) - 1e-3) < 1e-5)
        let parts = try ["transmit", "receive", "sleep"].map { try mean("energy.server.\($0)", results) }
        #expect(abs(parts.reduce(0, +) - (try mean("energy.server.current", results))) < 1e-12)
    }

    @Test("A round trip takes one connection interval, two for a read that the next event answers") func roundTrip()
        throws
    {
        let results = try results(
            """
            length: 10 s
            devices:
              sensor: {kind: peripheral, place: at}
              phone: {kind: central, to: sensor, place: at, x: 1 m, traffic: read, interval: 50 ms}
            measure: [roundtrip, connect]
            """
        )
        let median = try mean("roundtrip.median", results)
        #expect((0.045...0.105).contains(median), "\(median)")
        #expect(try mean("connect.share", results) == 1)
        // Within an advertising interval, its random delay, and the six intervals that an answer may take.
        #expect(try mean("connect.mean", results) < 0.11 + 0.3)
    }

    @Test("What varies together is one curve in a plot, on which each row has its point")
    func togetherPlotted() throws {
        let svg = try results(
            """
            length: 1 s
            worlds: 1
            devices:
              a: {kind: advertiser, place: at}
              s: {kind: scanner, interval: 100 ms, window: 100 ms, place: at, x: 1 m}
            vary:
              - {a.count: 1, s.count: 1, s.x: 1 m}
              - {a.count: 2, s.count: 2, s.x: 2 m}
              - {a.count: 4, s.count: 3, s.x: 1 m}
            measure: collisions
            plot: {x: a.count}
            """
        )
        .svg
        let curves = svg.split(separator: "<polyline").dropFirst().compactMap { line -> Int? in
            guard let points = line.split(separator: "points=\"").dropFirst().first?.prefix(while: { $0 != "\"" })
            else {
                return nil
            }
            return points.split(separator: " ").count
        }
        // The second one is the legend's.
        #expect(curves == [3, 2], "\(svg)")
    }

    @Test(
        "Of two frames that meet at one distance both are lost; of a near one and a far one the far one, whichever came first"
    )
    func lost() throws {
        func shares(_ first: String, _ second: String) throws -> (share: Double, lost: Double) {
            let results = try results(
                """
                length: 60 s
                air: {shadowing: 0 dB}
                devices:
                  one: {kind: advertiser, interval: 20 ms, place: at, x: \(first)}
                  two: {kind: advertiser, interval: 20 ms, place: at, x: \(second)}
                  ear: {kind: scanner, interval: 1 s, window: 1 s, place: at}
                measure: collisions
                """
            )
            return (try mean("collisions.share", results), try mean("collisions.lost", results))
        }
        let same = try shares("1 m", "-1 m")
        #expect((0.02...0.04).contains(same.share) && abs(same.lost / same.share - 1) < 0.25, "\(same)")
        let apart = try shares("1 m", "-20 m")
        #expect((0.35...0.9).contains(apart.lost / apart.share), "\(apart)")
    }

    @Test("Where one value has come and the next is on its way there is no throughput yet, rather than none")
    func throughputOfOneValue() throws {
        func throughput(_ length: String) throws -> Double? {
            let results = try results(
                """
                length: \(length)
                worlds: 1
                devices:
                  sensor: {kind: peripheral, place: at}
                  phone: {kind: central, to: sensor, place: at, x: 1 m, traffic: read, interval: 4 s}
                measure: throughput
                """
            )
            return results.estimate(row: 0, column: 0)?.mean
        }
        #expect(try throughput("30 s") == nil)
        #expect(try throughput("60 s").map { (20...60).contains($0) } == true)
    }

    @Test("The throughput is that of the centrals with traffic, whoever else is connected") func throughputOfSome()
        throws
    {
        func throughput(_ more: String) throws -> Double {
            let yaml = """
                length: 5 s
                worlds: 1
                devices:
                  sensor: {kind: peripheral, place: at}
                  spare: {kind: peripheral, place: at, y: 1 m}
                  phone: {kind: central, to: sensor, place: at, x: 1 m, traffic: notify, interval: 50 ms}
                \(more)
                measure: throughput
                """
            return try mean("throughput", results(yaml))
        }
        let alone = try throughput("")
        let beside = try throughput(
            "  other: {kind: central, to: spare, place: at, x: 1 m, interval: 50 ms}"
        )
        #expect(alone > 10_000 && abs(beside / alone - 1) < 0.2, "\(alone) and \(beside)")
    }

    @Test("The first devices of a larger group are those of a smaller one, and rows have the same seeds")
    func nested() throws {
        let plan = try StudyFileTests.plan(
            """
            length: 5 s
            area: {width: 200 m, height: 200 m}
            devices:
              phone: {kind: scanner, walk: waypoint}
              beacons: {kind: advertiser}
            vary: {beacons.count: [1, 5]}
            measure: [received]
            """
        )
        let worlds = plan.rows.map { DeviceWorld(plan, $0, seed: 7) }
        for world in worlds { _ = try world.run { _ in true } }
        for number in 0..<2 {
            let places = worlds.map { $0.world.position(of: $0.members[number].id) }
            #expect(places[0] != nil && places[0] == places[1])
        }
        #expect(
            worlds[1].members.count == 6
                && Set(worlds[1].members.map { worlds[1].world.position(of: $0.id) }).count == 6
        )
        let seeds = PlanWork(plan: plan).tasks.map { $0.key.split(separator: " ").last }
        #expect(Array(seeds.prefix(3)) == Array(seeds.suffix(3)) && Set(seeds).count == 3)
        #expect(Set(PlanWork(plan: plan).tasks.map(\.key)).count == 6)
    }

    @Test("A loss of half of all frames is measured as such") func loss() throws {
        let results = try results(
            """
            length: 60 s
            worlds: 4
            air: {loss: 50 %}
            devices:
              beacon: {kind: advertiser, place: at}
              phone: {kind: scanner, place: at, x: 1 m, interval: 10.24 s, window: 10.24 s}
            measure: [received]
            """
        )
        #expect(abs(try mean("received.frames", results) * 3 - 0.5) < 0.05)
    }
}
