/// Whole numbers from 0 on, each once or not at all, with the next one found in a few steps however many there may be: a bit
/// for each, and above 64 bits a bit that says whether one of them is set.
struct NumberSet {
    /// The lowest level first; the last one is of one word.
    private var levels: [[UInt64]] = [[0]]

    mutating func insert(_ number: Int) {
        while number >> (6 * levels.count) > 0 { levels.append([levels[levels.count - 1][0] == 0 ? 0 : 1]) }
        var place = number
        for level in levels.indices {
            let word = place >> 6
            while levels[level].count <= word { levels[level].append(0) }
            levels[level][word] |= 1 << UInt64(place & 63)
            place = word
        }
    }

    /// Takes out the lowest number that is no less than `start`; nil if there is none.
    mutating func removeFirst(from start: Int) -> Int? {
        // Mostly there is none at all.
        guard levels[levels.count - 1][0] != 0 else { return nil }
        guard let number = first(from: start) else { return nil }
        var place = number
        for level in levels.indices {
            levels[level][place >> 6] &= ~(1 << UInt64(place & 63))
            guard levels[level][place >> 6] == 0 else { break }
            place >>= 6
        }
        return number
    }

    private func first(from start: Int) -> Int? {
        var level = 0, place = start
        // Up, until a word has something at or behind the place.
        while true {
            guard level < levels.count else { return nil }
            let word = place >> 6
            let left = word < levels[level].count ? levels[level][word] & (.max << UInt64(place & 63)) : 0
            if left != 0 {
                place = word << 6 | left.trailingZeroBitCount
                break
            }
            level += 1
            place = word + 1
        }
        // Down again, to the first one below.
        while level > 0 {
            level -= 1
            place = place << 6 | levels[level][place].trailingZeroBitCount
        }
        return place
    }
}
