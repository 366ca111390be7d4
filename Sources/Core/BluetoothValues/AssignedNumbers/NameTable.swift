/// Names of 16-bit numbers, as text that is searched where it lies: nothing is built, at launch or later.
///
/// A line is four upper-case hexadecimal digits, a space and the name; lines ascend by number.
struct NameTable: Sendable {
    private let text: StaticString

    init(_ text: StaticString) { self.text = text }

    /// The name of a number, found by bisection; nil if it has none.
    func name(of number: UInt16) -> String? {
        text.withUTF8Buffer { bytes in
            var low = 0
            var high = bytes.count
            while low < high {
                var start = low + (high - low) / 2
                while start > low, bytes[start - 1] != Self.lineFeed { start -= 1 }
                var end = start
                while end < high, bytes[end] != Self.lineFeed { end += 1 }
                let found = Self.number(bytes, at: start)
                if found == number {
                    return String(decoding: bytes[(start + 5)..<end], as: UTF8.self)
                } else if found < number {
                    low = end + 1
                } else {
                    high = start
                }
            }
            return nil
        }
    }

    private static let lineFeed = UInt8(ascii: "\n")

    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt16 {
        var value: UInt16 = 0
        for digit in bytes[start..<(start + 4)] {
            let isDecimal = digit <= UInt8(ascii: "9")
            value = value << 4 | UInt16(isDecimal ? digit - UInt8(ascii: "0") : digit - UInt8(ascii: "A") + 10)
        }
        return value
    }
}
