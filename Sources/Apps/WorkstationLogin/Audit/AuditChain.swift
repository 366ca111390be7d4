import Crypto
import Foundation

/// How the lines of a desk's log hang together. Each is `LINK ENTRY`: 64 hexadecimal digits, a space, and JSON. The link is
/// HMAC-SHA256 of the link before, 32 zeros before the first, and the entry.
struct AuditChain {
    static let start = Data(count: 32)

    private let key: SymmetricKey

    init(_ key: DeskKey) { self.key = key.secret(for: "bluethroat desk log 1") }

    private func code(_ bytes: Data) -> Data { Data(HMAC<SHA256>.authenticationCode(for: bytes, using: key)) }

    /// Without an end of line.
    func line(_ entry: String, after previous: Data) -> (text: String, link: Data) {
        let link = link(Data(entry.utf8), after: previous)
        return (link.hex + " " + entry, link)
    }

    private func link(_ entry: Data, after previous: Data) -> Data { code(Data("line".utf8) + previous + entry) }

    /// The link of a line that follows upon another one; nil if it does not.
    func link(ofLine line: Data, after previous: Data) -> Data? {
        guard line.count > 65, line[line.startIndex + 64] == UInt8(ascii: " "), let stated = Data(hex: line.prefix(64)),
            stated.isEqualInConstantTime(to: link(line.dropFirst(65), after: previous))
        else { return nil }
        return stated
    }

    /// `COUNT LINK SEAL`, and an end of line.
    func head(_ count: Int, _ link: Data) -> Data {
        Data("\(count) \(link.hex) \(code(Data("head \(count) ".utf8) + link).hex)\n".utf8)
    }

    /// What a head says; nil if it was not written with the key.
    func parse(head: Data) -> (count: Int, link: Data)? {
        let parts = String(decoding: head, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, let count = Int(parts[0]), count >= 0, let link = Data(hex: parts[1].utf8),
            link.count == 32, head.isEqualInConstantTime(to: self.head(count, link))
        else { return nil }
        return (count, link)
    }
}

extension Data {
    /// Two digits a byte.
    var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

    /// Nil unless it is an even number of digits, in small letters.
    init?(hex digits: some Collection<UInt8>) {
        self.init(capacity: digits.count / 2)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var high: UInt8?
        for digit in digits {
            let value: UInt8
            switch digit {
            case 0x30...0x39: value = digit - 0x30
            case 0x61...0x66: value = digit - 0x61 + 10
            default: return nil
            }
            if let first = high {
                append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
    }
}
