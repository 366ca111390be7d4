/// A Hamming code: with six parity bits among forty bits of data, one wrong bit is found and put right.
///
/// Parity bits stand at the places 0, 1, 3, 7, 15 and 31, and make the number of ones even among the places whose number,
/// counted from one, has the parity bit's own bit. One more bit at the end is the OR of all others. It was meant to be
/// the parity of all, which would distinguish two wrong bits from one; as it is it is always 1.
enum HammingCode {
    static let dataCount = 40
    /// With parity, and without the last bit.
    static let codeCount = 46
    static let wholeCount = codeCount + 1

    private static func isParity(_ place: Int) -> Bool { (place + 1).nonzeroBitCount == 1 }

    /// Where the bits of data stand in a code word.
    static let dataPlaces = (0..<codeCount).filter { !isParity($0) }

    /// 47 bits for 40.
    static func encode(_ data: [Bool]) -> [Bool] {
        precondition(data.count == dataCount, "the code is for \(dataCount) bits, not \(data.count)")
        var rest = data[...]
        var code = (0..<codeCount).map { isParity($0) ? false : rest.removeFirst() }
        let wrong = syndrome(of: code)
        for bit in 0..<6 where wrong >> bit & 1 == 1 { code[1 << bit - 1] = true }
        return code + [code.contains(true)]
    }

    /// 40 bits from 47, one of which may be wrong, and the place of that one; nil if there must be more.
    static func decode(_ whole: [Bool]) -> (data: [Bool], corrected: Int?)? {
        precondition(whole.count == wholeCount, "a code word has \(wholeCount) bits, not \(whole.count)")
        var code = Array(whole.prefix(codeCount))
        let wrong = syndrome(of: code)
        guard wrong <= codeCount else { return nil }
        if wrong > 0 { code[wrong - 1].toggle() }
        let data = dataPlaces.map { code[$0] }
        guard data.contains(true) == whole[codeCount] else { return nil }
        return (data, wrong > 0 ? wrong - 1 : nil)
    }

    /// The place of the wrong bit, counted from one; 0 if none is, or if there are several by chance.
    private static func syndrome(of code: [Bool]) -> Int {
        code.indices.reduce(0) { code[$1] ? $0 ^ ($1 + 1) : $0 }
    }
}
