import BluethroatHost
import BluethroatPrivateFiles
import Foundation
import FuzzInputs
import Testing

@testable import BluethroatBondDatabase
@testable import bond_writer

@Suite("A bond file and the ends of processes", .serialized)
struct BondFileProcessTests {
    /// What the promises come to: the last revision of each peer.
    private func outcome(_ promises: [(peer: UInt64, revision: UInt64)]) -> [UInt64: UInt64] {
        var last: [UInt64: UInt64] = [:]
        for promise in promises { last[promise.peer] = promise.revision }
        return last
    }

    private func bonds(_ outcome: [UInt64: UInt64]) -> Set<Bond> {
        Set(outcome.filter { $0.value > 0 }.map { BondPlan.bond(peer: $0.key, revision: $0.value) })
    }

    /// How many processes are killed.
    private static let kills = Effort.count(200, usually: 60) as UInt64

    @Test("Killed at any of many moments, a process takes no bond with it that it has acknowledged")
    func killed() throws {
        var random: UInt64 = 0x0060
        func draw(_ limit: UInt64) -> UInt64 {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return (random >> 33) % limit
        }
        var promised = 0
        for seed in 0..<Self.kills {
            let folder = TestFolder()
            var writer = try BondWriterProcess(file: folder.file, seed: seed)
            // Some are killed while they make the file, the others after a few bonds, and then a little later.
            if seed % 8 == 0 { usleep(UInt32(draw(15_000))) } else { writer.read(Int(draw(8)) + 1) }
            usleep(UInt32(draw(3_000)))
            writer.kill()
            let promises = writer.promises().promises
            promised += promises.count

            let database = try BondDatabase(path: folder.file)
            #expect(database.damage == nil, "seed \(seed)")
            // One more may be done of which the process could not tell any more.
            var plan = BondPlan(seed: seed, process: 0)
            for _ in promises { _ = plan.next() }
            let next = plan.next()
            var done = outcome(promises)
            let found = Set(try database.bonds())
            let isExact = found == bonds(done)
            done[next.peer] = next.revision
            #expect(isExact || found == bonds(done), "seed \(seed), \(promises.count) promises")
            #expect(folder.mode(folder.file) == 0o600)
        }
        #expect(promised > Int(Self.kills) * 5 / 2)
    }

    @Test("Processes that write one file at the same time lose nothing of each other's")
    func together() throws {
        let folder = TestFolder()
        // None of them finds the file; one makes it.
        var writers = try (0..<4).map { try BondWriterProcess(file: folder.file, seed: 5, process: $0, count: 25) }
        var all: [UInt64: UInt64] = [:]
        for index in writers.indices {
            let (promises, status) = writers[index].promises()
            #expect(status == 0)
            #expect(promises.count == 25)
            all.merge(outcome(promises)) { _, new in new }
        }
        let database = try BondDatabase(path: folder.file)
        #expect(database.damage == nil)
        #expect(try Set(database.bonds()) == bonds(all))
        #expect(folder.contents == ["bonds.sqlite"])
    }

    @Test("A file that another process moves aside between two looks at it is not there, and no error")
    func movedMeanwhile() throws {
        let folder = TestFolder()
        try folder.write([1, 2, 3], to: folder.file)
        let file = try BondFile(folder.file)
        guard let pinned = try file.pin() else { return _ = Issue.record("not there") }
        #expect(pinned.size == 3)
        rename(file.path, file.path + ".damaged-1")
        let isThere = try file.pin() != nil
        #expect(!isThere)
        var isSame = true
        do { try pinned.confirm() } catch { isSame = false }
        #expect(!isSame)
    }

    @Test("Processes that find a damaged file at the same time move it aside once")
    func damagedTogether() throws {
        let folder = TestFolder()
        try folder.write(Array("SQLite format 3\0".utf8), to: folder.file)
        var writers = try (0..<3).map { try BondWriterProcess(file: folder.file, seed: 5, process: $0, count: 3) }
        var promises: [UInt64: UInt64] = [:]
        var complaints = 0
        for index in writers.indices {
            let (made, status) = writers[index].promises()
            // Who finds the damage says so and ends.
            if status != 0 { complaints += 1 }
            promises.merge(outcome(made)) { _, new in new }
        }
        #expect(complaints == 1)
        #expect(try Set(BondDatabase(path: folder.file).bonds()) == bonds(promises))
        #expect(folder.contents == ["bonds.sqlite", "bonds.sqlite.damaged-1"])
    }
}
