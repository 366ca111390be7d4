import Foundation

/// One text on its way in packets that have no header.
///
/// Only its end differs from the original's rule: a packet does not end within a character, so that the other side,
/// which shows each packet by itself, can show it. For ASCII the packets are the same.
struct RawTransmission {
    private let text: Data
    private let longest: Int
    private var index = 0
    /// What there was no room for; it is sent again as it is.
    private var saved: Data?

    /// - Parameter longest: how many bytes a packet may have, at least 4.
    init(_ text: Data, longest: Int) {
        self.text = text
        self.longest = max(longest, 4)
    }

    var sentCount: Int { index - (saved?.count ?? 0) }

    /// The packet to send now; nil when all are sent.
    mutating func packet() -> Data? {
        if saved == nil {
            guard index < text.count else { return nil }
            let end = endOfCharacter(notAfter: min(index + longest, text.count))
            saved = text.part(index..<end)
            index = end
        }
        return saved
    }

    /// The packet was taken.
    mutating func sent() { saved = nil }

    private func endOfCharacter(notAfter limit: Int) -> Int {
        guard limit < text.count else { return limit }
        // A byte 10xxxxxx continues a character, of which there are at most three.
        for end in stride(from: limit, to: max(index, limit - 4), by: -1)
        where text[text.startIndex + end] & 0xC0 != 0x80 { return end }
        return limit
    }
}
