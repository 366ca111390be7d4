/// One of several ranks cannot go on, and so none can. It prints as one line: which rank, and why.
public struct RankFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public let rank: Int
    /// How many ranks there are.
    public let count: Int
    public let reason: String

    public init(rank: Int, of count: Int, _ reason: String) {
        self.rank = rank
        self.count = count
        self.reason = reason
    }

    /// `rank 2 of 0 to 3 has failed: it ran out of memory`; the reason alone where there is one rank only.
    public var description: String {
        let line = reason.split(whereSeparator: \.isNewline).joined(separator: " ")
        return count == 1 ? line : "rank \(rank) of 0 to \(count - 1) has failed: \(line)"
    }
}
