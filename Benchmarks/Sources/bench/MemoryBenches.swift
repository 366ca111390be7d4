import BluethroatKeyFob
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation

/// By how much the process grows.
enum MemoryBenches {
    static var all: [Bench] {
        [
            Bench(
                "memoryPerPair",
                "bytes",
                isBetterLow: true,
                target: .below(24 * 1_024),
                needsFreshProcess: true
            ) { _ in try perPair() },
            Bench(
                "memoryPerAdvertiser",
                "bytes",
                isBetterLow: true,
                target: .below(4 * 1_024),
                needsFreshProcess: true
            ) { _ in try perAdvertiser() },
            Bench(
                "memoryPerPhone",
                "bytes",
                isBetterLow: true,
                target: .below(7 * 1_024),
                needsFreshProcess: true
            ) { _ in try perPhone() },
        ]
    }

    /// For each connected pair in a world of many, after the key fob's table has been discovered.
    static func perPair() throws -> Double {
        let world = World(seed: 1)
        return try growth(first: 20, then: 400) { range in
            // A kilometre apart, so that they do not hear each other.
            let pairs = range.map { Pair(in: world, services: KeyFobTable().services, metres: Double($0) * 1_000) }
            for pair in pairs { try pair.beginConnecting() }
            world.run(for: .seconds(5))
            for pair in pairs { pair.begin(.discoverOnce) }
            world.run(for: .seconds(20))
            guard pairs.allSatisfy({ $0.central.count == 1 && $0.central.failure == nil }) else {
                throw BenchError("not all pairs are connected")
            }
            return pairs
        }
    }

    /// For each advertiser in one room.
    static func perAdvertiser() throws -> Double {
        let world = World(seed: 1)
        return try growth(first: 100, then: 2_000) { range in
            try Crowd.add(range.count, to: world)
            world.run(for: .seconds(1))
            return world
        }
    }

    /// For each phone of a crowd, with an app that changes what it advertises, out of everybody's reach.
    static func perPhone() throws -> Double {
        let world = World(seed: 1, air: .crowd)
        return try growth(first: 100, then: 2_000) { range in
            let apps = try range.map { _ in try ChangingApp(in: world) }
            for app in apps { app.change() }
            world.run(for: .seconds(5))
            return apps
        }
    }

    /// What one of many costs. The first few pay for what all share.
    private static func growth<Made>(first: Int, then more: Int, make: (Range<Int>) throws -> Made) throws -> Double {
        let early = try make(0..<first)
        let before = try residentBytes()
        let late = try make(first..<first + more)
        let after = try residentBytes()
        return withExtendedLifetime((early, late)) { Double(after - before) / Double(more) }
    }

    /// The most of the process that was in memory at once.
    static func greatestResidentBytes() throws -> Double {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kibibytes = line.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap({
                Double($0)
            })
        else { throw BenchError("/proc/self/status is not understood") }
        return kibibytes * 1_024
    }

    /// What of the process is in memory; Linux only.
    private static func residentBytes() throws -> Int {
        let statm = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
        guard statm.count > 1, let pages = Int(statm[1]) else { throw BenchError("/proc/self/statm is not understood") }
        return pages * sysconf(Int32(_SC_PAGESIZE))
    }
}
