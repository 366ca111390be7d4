import Foundation

/// The seeds a swarm is to live through: so many, or as many as `BLUETHROAT_SWARM_SEEDS` says, or the one of
/// `BLUETHROAT_SWARM_SEED`.
func swarmSeeds(_ usual: Int) -> [UInt64] {
    let environment = ProcessInfo.processInfo.environment
    if let one = environment["BLUETHROAT_SWARM_SEED"].flatMap(UInt64.init) { return [one] }
    let count = environment["BLUETHROAT_SWARM_SEEDS"].flatMap(Int.init) ?? usual
    return (0..<max(count, 1)).map(UInt64.init)
}
