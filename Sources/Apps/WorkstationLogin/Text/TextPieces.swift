import Foundation

/// What is shown of text that comes in packets cut anywhere: whole characters, the rest of one with the next packet.
struct TextPieces {
    private var rest = Data()

    /// The text of a packet, as far as it ends in a whole character. Bytes that can be no character are shown as U+FFFD.
    mutating func take(_ packet: Data) -> String {
        rest += packet
        let end = rest.count - Self.unfinishedCount(rest)
        defer { rest = rest.part(end..<rest.count) }
        return String(decoding: rest.part(0..<end), as: UTF8.self)
    }

    /// What is left of a character that was never finished; nil if there is none.
    mutating func end() -> String? {
        defer { rest = Data() }
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }

    /// How many bytes at the end are the beginning of a character and not all of it.
    private static func unfinishedCount(_ bytes: Data) -> Int {
        for (count, byte) in zip(1...3, bytes.reversed()) {
            switch byte {
            case 0x80...0xBF: continue
            case 0xC2...0xDF: return count < 2 ? count : 0
            case 0xE0...0xEF: return count < 3 ? count : 0
            case 0xF0...0xF4: return count
            default: return 0
            }
        }
        return 0
    }
}
