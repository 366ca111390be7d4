import BluethroatVirtualTime
import Foundation
import FuzzInputs

/// How long to fuzz: `BLUETHROAT_FUZZ_INPUTS` inputs for each target; 25,000 if it
/// says nothing, 100,000 with `BLUETHROAT_EFFORT=all`.
enum Fuzzing {
    static let inputs =
        ProcessInfo.processInfo.environment["BLUETHROAT_FUZZ_INPUTS"].flatMap(Int.init)
        ?? Effort.count(100_000, usually: 25_000)
}

extension SeededRandom {
    /// An index, an element, a byte: what tests draw all the time.
    mutating func index(_ count: Int) -> Int { Int(next(below: UInt64(count))) }
    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[index(elements.count)] }
}
