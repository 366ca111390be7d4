import BluethroatVirtualTime
import Foundation

/// A picture for an invented guest: a BMP of one colour, with some noise behind it.
enum GuestPicture {
    static func make(_ number: Int, size: Int, using random: inout SeededRandom) -> Data {
        let side = 32, header = 54
        var data = Data("BM".utf8)
        func append(_ value: Int, _ count: Int) {
            for shift in 0..<count { data.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) }
        }
        append(header + side * side * 3, 4)
        append(0, 4)
        append(header, 4)
        for (value, count) in [
            (40, 4), (side, 4), (side, 4), (1, 2), (24, 2), (0, 4), (0, 4), (2_835, 4), (2_835, 4), (0, 4), (0, 4),
        ] {
            append(value, count)
        }
        let hue = Double(number) * 0.61803
        for row in 0..<side {
            for column in 0..<side {
                let isHead = hypot(Double(column) - 15.5, Double(row) - 18) < 8
                let shade = isHead ? 0.95 : 0.55 + 0.2 * Double(row) / Double(side)
                for offset in [0.66, 0.33, 0] {
                    let wave = 0.5 + 0.5 * cos(2 * Double.pi * (hue + offset))
                    data.append(UInt8((shade * (0.5 + 0.5 * wave) * 255).rounded()))
                }
            }
        }
        while data.count < size { data.append(UInt8.random(in: .min ... .max, using: &random)) }
        return data
    }
}
