/// Path losses that were computed lately: a table in which every pair has one place, shared with other pairs.
struct PowerCache: Sendable {
    private struct Entry {
        var pair: UInt64
        var epoch: UInt32
        var loss: Int32
    }

    private static let placeBits = 12
    private var entries: [Entry] = []
    private var epoch: UInt32 = 1

    func loss(_ first: RadioID, _ second: RadioID) -> Int? {
        guard !entries.isEmpty else { return nil }
        let pair = Self.pair(first, second)
        let entry = entries[Self.place(of: pair)]
        return entry.pair == pair && entry.epoch == epoch ? Int(entry.loss) : nil
    }

    mutating func keep(_ loss: Int, _ first: RadioID, _ second: RadioID) {
        if entries.isEmpty {
            entries = [Entry](repeating: Entry(pair: 0, epoch: 0, loss: 0), count: 1 << Self.placeBits)
        }
        let pair = Self.pair(first, second)
        entries[Self.place(of: pair)] = Entry(pair: pair, epoch: epoch, loss: Int32(loss))
    }

    mutating func forgetAll() { epoch &+= 1 }

    private static func pair(_ first: RadioID, _ second: RadioID) -> UInt64 {
        let low = min(first, second), high = max(first, second)
        return UInt64(low.rawValue) << 32 | UInt64(high.rawValue)
    }

    private static func place(of pair: UInt64) -> Int {
        Int(truncatingIfNeeded: (pair &* 0x9e37_79b9_7f4a_7c15) >> UInt64(64 - placeBits))
    }
}
