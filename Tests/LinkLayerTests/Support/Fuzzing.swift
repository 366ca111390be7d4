import BluethroatVirtualTime
import Foundation

/// How long to fuzz: `BLUETHROAT_FUZZ_INPUTS` inputs for each target.
enum Fuzzing {
    static let inputs = ProcessInfo.processInfo.environment["BLUETHROAT_FUZZ_INPUTS"].flatMap(Int.init) ?? 100_000
}

extension SeededRandom {
    /// An index, an element, a byte: what tests draw all the time.
    mutating func index(_ count: Int) -> Int { Int(next(below: UInt64(count))) }
    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[index(elements.count)] }
}
