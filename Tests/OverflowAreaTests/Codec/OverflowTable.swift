import CoreBluetooth
import Foundation
import Testing

/// A row of the table that was put together from what others have published, and not by this code.
struct OverflowRow: Sendable, CustomTestStringConvertible {
    let index: Int
    let service: String
    let byteValue: UInt8
    let number: Int
    let appByte: Int
    let appBit: Int
    let byteOnAir: Int
    let bank: Int

    var testDescription: String { "\(index)" }

    static let all: [Self] = {
        guard
            let file = Bundle.module.url(
                forResource: "overflow-table",
                withExtension: "tsv",
                subdirectory: "Resources"
            ),
            let text = try? String(contentsOf: file, encoding: .utf8)
        else { return [] }
        return text.split(whereSeparator: \.isNewline).dropFirst().map { line in
            let cells = line.split(separator: "\t").map(String.init)
            func number(_ column: Int) -> Int { Int(cells[column]) ?? -1 }
            return Self(
                index: number(0),
                service: cells[1],
                byteValue: UInt8(cells[4], radix: 16) ?? 0,
                number: number(5),
                appByte: number(7),
                appBit: number(8),
                byteOnAir: number(3),
                bank: number(6)
            )
        }
    }()
}

/// Bytes from hexadecimal digits; spaces do not count.
func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { $0 != " " }
    return stride(from: 0, to: digits.count, by: 2).compactMap { offset in
        UInt8(digits.dropFirst(offset).prefix(2), radix: 16)
    }
}
