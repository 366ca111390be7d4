import BluethroatByteCoding
package import BluethroatEvents

/// How a value is written as text.
package enum ValueForm: String, CaseIterable, Sendable {
    /// `02`, `0a1b`, `0A 1B`
    case hex
    /// UTF-8
    case text
    /// A whole number, in the fewest of 1, 2, 4 or 8 bytes that hold it, least significant first; negative ones in two's
    /// complement.
    case number

    package func bytes(of text: String) throws(InvalidText) -> [UInt8] {
        switch self {
        case .hex:
            guard let bytes = [UInt8](hex: text) else {
                throw InvalidText("\(text) is not hexadecimal; give two digits a byte, as in 0a1b, or --text")
            }
            return bytes
        case .text: return Array(text.utf8)
        case .number:
            guard let number = Int128(text), (Int128(Int64.min)...Int128(UInt64.max)).contains(number) else {
                throw InvalidText("\(text) is no whole number, or one that does not fit into eight bytes")
            }
            return Self.bytes(of: number)
        }
    }

    private static func bytes(of number: Int128) -> [UInt8] {
        let count = [1, 2, 4].first { count in
            let bits = 8 * count
            // Either reading of the bytes will do.
            return number >= -(1 << (bits - 1)) && number < 1 << bits
        }
        return (0..<(count ?? 8)).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
