import BluethroatRanks
import Foundation
import RankTowns

/// A rank's part of it.
struct RankWork: Sendable {
    struct Failed: Error, CustomStringConvertible { let description = "it was told to" }

    let town: Town
    let failing: Int?
    let dying: Int?

    /// Lines for rank 0; none for the others.
    func run(_ ranks: any Ranks) throws -> [String] {
        if ranks.rank == failing { throw Failed() }
        if ranks.rank == dying { kill(getpid(), SIGKILL) }
        let part = try town.runPart(ranks)
        let sums = try ranks.sum([
            UInt64(part.reports), UInt64(part.reads), UInt64(part.spoiltReceptions), UInt64(part.frames),
        ])
        let costs = part.costs
        let line =
            "rank \(ranks.rank) windows \(costs.windows) messages \(costs.messages) bytes \(costs.bytes) "
            + "own \(costs.ownFrames) heard \(costs.heardFrames)"
        let lines = try ranks.collect(Array(line.utf8))
        guard ranks.rank == 0 else { return [] }
        let first =
            "digest \(String(part.digest, radix: 16)) frames \(sums[3]) reports \(sums[0]) reads \(sums[1]) "
            + "spoilt \(sums[2])"
        return [first] + lines.map { String(decoding: $0, as: UTF8.self) }
    }
}
