/// What a phone sends in a conversation: the four bytes of a code word.
///
///     0     1              2      3
///     f|t   nnn|www|kk     data   data
///
/// `f` and `t` are the numbers of the phones from which and to which it is, 0 to 15. `n` is the number of the piece of
/// a message that is in the data, `w` that of the piece which is wanted next, both modulo 8. `k` says what the data are: 1 and 2
/// are the last one or two bytes of a message, 3 two bytes after which more come. 0 are two session numbers, with `n` 7
/// while the conversation opens and `n` 0 when there is nothing to say.
public struct ConversationFrame: Hashable, Sendable {
    public enum Content: Hashable, Sendable {
        /// The sender's session, 1 to 255, and that of the receiver as far as the sender knows it, otherwise 0.
        case opening(own: UInt8, partner: UInt8)
        /// Both sessions, with nothing to say.
        case quiet(own: UInt8, partner: UInt8)
        /// One or two bytes of a message; two unless they are the last ones.
        case piece(UInt8, [UInt8], isLast: Bool)
    }

    public let sender: UInt8
    public let receiver: UInt8
    public let content: Content
    /// The number of the piece that is wanted next, 0 to 7; 0 while the conversation opens.
    public let wanted: UInt8

    init(from sender: UInt8, to receiver: UInt8, _ content: Content, wanted: UInt8) {
        (self.sender, self.receiver, self.content, self.wanted) = (sender, receiver, content, wanted)
    }

    /// Nil unless there are four bytes that mean something.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 4, bytes[0] >> 4 != bytes[0] & 15 else { return nil }
        let number = bytes[1] >> 5, wanted = bytes[1] >> 2 & 7
        let content: Content
        switch (bytes[1] & 3, number) {
        case (0, 7) where bytes[2] != 0 && wanted == 0: content = .opening(own: bytes[2], partner: bytes[3])
        case (0, 0) where bytes[2] != 0 && bytes[3] != 0: content = .quiet(own: bytes[2], partner: bytes[3])
        case (1, _) where bytes[3] == 0: content = .piece(number, [bytes[2]], isLast: true)
        case (2, _): content = .piece(number, Array(bytes[2...]), isLast: true)
        case (3, _): content = .piece(number, Array(bytes[2...]), isLast: false)
        default: return nil
        }
        self.init(from: bytes[0] >> 4, to: bytes[0] & 15, content, wanted: wanted)
    }

    /// Four bytes.
    public var bytes: [UInt8] {
        let phones = sender << 4 | receiver, acknowledgement = wanted << 2
        switch content {
        case .opening(let own, let partner): return [phones, 7 << 5 | acknowledgement, own, partner]
        case .quiet(let own, let partner): return [phones, acknowledgement, own, partner]
        case .piece(let number, let data, let isLast):
            let kind: UInt8 = isLast ? UInt8(data.count) : 3
            return [phones, number << 5 | acknowledgement | kind, data[0], data.count > 1 ? data[1] : 0]
        }
    }
}

extension ConversationFrame: CustomStringConvertible {
    /// `piece 3 (57 68) wants 2`
    public var description: String {
        switch content {
        case .opening(let own, let partner): "opening \(own) to \(partner == 0 ? "?" : "\(partner)")"
        case .quiet: "nothing, wants \(wanted)"
        case .piece(let number, let data, let isLast):
            "piece \(number) (\(data.map(Self.digits).joined(separator: " "))\(isLast ? ", the last" : "")), wants \(wanted)"
        }
    }

    private static func digits(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}
