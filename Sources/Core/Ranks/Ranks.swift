/// How several processes, or threads, that work on one task talk to each other: as many as there are of them have the
/// ranks 0, 1 and so on, and each calls the same functions in the same order.
///
/// What is sent is kept until it is received, so that all may send before any receives. Between two ranks messages come
/// in the order in which they were sent. A call fails when another rank has failed.
public protocol Ranks: AnyObject, Sendable {
    /// The caller's own, from 0.
    var rank: Int { get }
    /// How many there are.
    var count: Int { get }

    /// Whether a rank is known to have failed, so that nothing that is computed here is of use. From any thread.
    var hasFailed: Bool { get }

    /// Sends bytes, at most 2³¹ - 1, to another rank; does not wait for it.
    func send(_ bytes: [UInt8], to rank: Int) throws(RankFailure)

    /// Waits for the next message of another rank.
    func receive(from rank: Int) throws(RankFailure) -> [UInt8]

    /// Waits for all ranks, each of which brings as many numbers, and answers the same to each: the least of the first
    /// numbers, of the second, and so on.
    func least(_ numbers: [Int64]) throws(RankFailure) -> [Int64]

    /// The same with sums, modulo 2⁶⁴.
    func sum(_ numbers: [UInt64]) throws(RankFailure) -> [UInt64]
}

extension Ranks {
    /// Where a failure ends the others by itself.
    public var hasFailed: Bool { false }

    /// Waits for all ranks.
    public func meet() throws(RankFailure) { _ = try least([]) }

    /// Whether it is so for all ranks, which call this together.
    public func all(_ isSo: Bool) throws(RankFailure) -> Bool { try least([isSo ? 1 : 0])[0] == 1 }

    /// Everybody gets what everybody brings, in the order of the ranks.
    public func share(_ bytes: [UInt8]) throws(RankFailure) -> [[UInt8]] {
        for other in 0..<count where other != rank { try send(bytes, to: other) }
        var all: [[UInt8]] = []
        for other in 0..<count { all.append(other == rank ? bytes : try receive(from: other)) }
        return all
    }

    /// The numbers that everybody brings, in the order of the ranks; the same for each.
    package func gather(_ numbers: [UInt64]) throws(RankFailure) -> [UInt64] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * numbers.count)
        for number in numbers {
            withUnsafeBytes(of: number.littleEndian) { unsafe bytes.append(contentsOf: $0) }
        }
        return try share(bytes).flatMap { bytes in
            stride(from: 0, to: bytes.count - bytes.count % 8, by: 8).map { start in
                (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) }
            }
        }
    }

    /// Rank 0 gets what everybody brings, in the order of the ranks; the others get nothing.
    public func collect(_ bytes: [UInt8]) throws(RankFailure) -> [[UInt8]] {
        guard rank == 0 else {
            try send(bytes, to: 0)
            return []
        }
        var all = [bytes]
        for other in 1..<max(count, 1) { all.append(try receive(from: other)) }
        return all
    }
}

/// The only rank there is.
public final class OnlyRank: Ranks {
    public init() {}

    public var rank: Int { 0 }
    public var count: Int { 1 }

    public func send(_ bytes: [UInt8], to rank: Int) throws(RankFailure) {
        throw RankFailure(rank: 0, of: 1, "there is no rank \(rank) to send to")
    }

    public func receive(from rank: Int) throws(RankFailure) -> [UInt8] {
        throw RankFailure(rank: 0, of: 1, "there is no rank \(rank) to receive from")
    }

    public func least(_ numbers: [Int64]) -> [Int64] { numbers }
    public func sum(_ numbers: [UInt64]) -> [UInt64] { numbers }
}
