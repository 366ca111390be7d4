/// Which rank does which of many jobs that do not need each other: the longest first, each for the rank that has the least
/// to do. Every rank computes the same from the same efforts.
public struct JobShares: Hashable, Sendable {
    /// The jobs of each rank, by their numbers, in ascending order.
    public let jobs: [[Int]]

    /// - Parameters:
    ///   - efforts: about how much each job costs, in any unit; nil for one that is done already.
    ///   - ranks: how many ranks there are, at least 1.
    public init(_ efforts: [Double?], ranks: Int) {
        precondition(ranks > 0, "jobs need a rank")
        var shares = [[Int]](repeating: [], count: ranks)
        var loads = [Double](repeating: 0, count: ranks)
        let order = efforts.indices.filter { efforts[$0] != nil }.sorted { left, right in
            let (first, second) = (efforts[left] ?? 0, efforts[right] ?? 0)
            return first == second ? left < right : first > second
        }
        for job in order {
            var least = 0
            for rank in 1..<max(ranks, 1) where loads[rank] < loads[least] { least = rank }
            shares[least].append(job)
            loads[least] += efforts[job] ?? 0
        }
        jobs = shares.map { $0.sorted() }
    }
}
