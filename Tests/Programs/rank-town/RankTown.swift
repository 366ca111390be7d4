import BluethroatMPIRanks
import BluethroatRankGroups
import BluethroatRanks
import BluethroatSimulation
import BluethroatVirtualTime
import Foundation
import RankTowns

/// Runs a town on ranks and prints what came of it, and what each rank did for it:
/// `rank-town ranks=4 beacons=1000 side=1000 seconds=10`. With `ranks=mpi` it is one of the processes that mpirun has
/// started; with `fails=2` rank 2 fails, with `dies=2` it kills itself; `air=crowd` computes what may be heard;
/// with `looks=0` threads that wait sleep at once.
@main
enum RankTown {
    static func main() {
        var town = Town()
        var ranks = "1", failing: Int?, dying: Int?, looks: Bool?
        for argument in CommandLine.arguments.dropFirst() {
            let parts = argument.split(separator: "=", maxSplits: 1)
            if argument == "air=crowd" {
                town.air = .crowd
                continue
            }
            guard parts.count == 2, let number = Double(parts[1] == "mpi" ? "0" : parts[1]), number >= 0 else {
                refuse("not understood: \(argument)")
            }
            switch parts[0] {
            case "ranks": ranks = String(parts[1])
            case "seed": town.seed = UInt64(number)
            case "side": town.side = number
            case "beacons": town.beacons = Int(number)
            case "scanners": town.scanners = Int(number)
            case "pairs": town.pairs = Int(number)
            case "speed": town.speed = number
            case "seconds": town.length = .milliseconds(Int64(number * 1_000))
            case "looks": looks = number > 0
            case "fails": failing = Int(number)
            case "dies": dying = Int(number)
            default: refuse("not understood: \(argument)")
            }
        }
        let work = RankWork(town: town, failing: failing, dying: dying)
        do {
            if ranks == "mpi" {
                RankWatch.begin { say("\($0)") }
                let lines = try MPIRanks.run(report: { say("\($0)") }) { try work.run($0) }
                lines.forEach { print($0) }
            } else {
                // What is done once in a process would be counted as the work of whichever rank comes first.
                if looks == false {
                    var beginning = town
                    beginning.length = .milliseconds(50)
                    _ = try beginning.runPart(OnlyRank())
                }
                let lines = try RankThreads.run(Int(ranks) ?? 1, looksBeforeSleep: looks) { try work.run($0) }
                lines[0].forEach { print($0) }
            }
        } catch {
            refuse("\(error)")
        }
    }

    private static func say(_ reason: String) {
        FileHandle.standardError.write(Data("rank-town: \(reason)\n".utf8))
    }

    private static func refuse(_ reason: String) -> Never {
        say(reason)
        exit(1)
    }
}
