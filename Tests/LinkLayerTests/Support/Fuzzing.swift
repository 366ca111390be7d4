import Foundation
import VirtualTime

/// How long to fuzz: `BLUETHROAT_FUZZ_INPUTS` inputs for each target.
enum Fuzzing {
    static let inputs = ProcessInfo.processInfo.environment["BLUETHROAT_FUZZ_INPUTS"].flatMap(Int.init) ?? 100_000
}

extension SeededRandom {
    /// An index, an element, a byte: what fuzzers draw all the time.
    mutating func index(_ count: Int) -> Int { Int(next(below: UInt64(count))) }
    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[index(elements.count)] }

    /// The bytes with a few of them changed, some cut off or some added.
    mutating func mutate(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0...index(3) where !bytes.isEmpty {
            switch index(6) {
            case 0: bytes[index(bytes.count)] = byte()
            case 1: bytes[index(bytes.count)] ^= 1 << UInt8(index(8))
            case 2: bytes[index(bytes.count)] = pick([0, 1, 0x7F, 0x80, 0xFE, 0xFF])
            case 3: bytes.removeLast(min(bytes.count, 1 + index(3)))
            case 4: bytes += self.bytes(1 + index(4))
            default: bytes.swapAt(index(bytes.count), index(bytes.count))
            }
        }
        return bytes
    }
}
