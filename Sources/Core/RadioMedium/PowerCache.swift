/// Path losses that were computed lately: a table in which every pair has one place, shared with other pairs.
///
/// A loss is kept with the distance for which it was computed, so that those who move have nobody else's forgotten.
struct PowerCache: Sendable {
    private struct Entry {
        var pair: UInt64
        /// In mm², squared.
        var squaredDistance: UInt64
        var epoch: UInt32
        var loss: Int32
    }

    private static let leastPlaceBits = 10
    private static let mostPlaceBits = 15
    private var placeBits = Self.leastPlaceBits
    private var entries: [Entry] = []
    private var epoch: UInt32 = 1
    /// How many losses were pushed out by those of other pairs since the table has its size.
    private var pushedOut = 0

    func loss(_ first: RadioID, _ second: RadioID, at squaredDistance: UInt64) -> Int? {
        guard !entries.isEmpty else { return nil }
        let pair = Self.pair(first, second)
        let entry = entries[place(of: pair)]
        guard entry.pair == pair, entry.squaredDistance == squaredDistance, entry.epoch == epoch else { return nil }
        return Int(entry.loss)
    }

    mutating func keep(_ loss: Int, _ first: RadioID, _ second: RadioID, at squaredDistance: UInt64) {
        if pushedOut >= 1 << placeBits, placeBits < Self.mostPlaceBits {
            placeBits += 1
            pushedOut = 0
            entries = []
        }
        if entries.isEmpty {
            let empty = Entry(pair: 0, squaredDistance: 0, epoch: 0, loss: 0)
            entries = [Entry](repeating: empty, count: 1 << placeBits)
        }
        let pair = Self.pair(first, second), place = place(of: pair)
        if entries[place].epoch == epoch, entries[place].pair != pair { pushedOut += 1 }
        entries[place] = Entry(pair: pair, squaredDistance: squaredDistance, epoch: epoch, loss: Int32(loss))
    }

    mutating func forgetAll() { epoch &+= 1 }

    private static func pair(_ first: RadioID, _ second: RadioID) -> UInt64 {
        let low = min(first, second), high = max(first, second)
        return UInt64(low.rawValue) << 32 | UInt64(high.rawValue)
    }

    private func place(of pair: UInt64) -> Int {
        Int(truncatingIfNeeded: (pair &* 0x9e37_79b9_7f4a_7c15) >> UInt64(64 - placeBits))
    }
}
