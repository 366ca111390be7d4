import BluethroatByteCoding
package import BluethroatEvents
package import BluethroatOverflowArea
package import CoreBluetooth
import Foundation

/// How bytes become bits, as it is typed.
package enum OverflowOrder: String, CaseIterable, Sendable {
    case air
    case app

    package var order: OverflowMask.BitOrder { self == .air ? .air : .app }
}

/// What is typed in hexadecimal digits.
package enum OverflowInput {
    /// Up to so many bytes, with or without spaces and colons between them and 0x in front.
    package static func bytes(_ text: String, upTo limit: Int, what: String) throws(InvalidText) -> [UInt8] {
        var digits = text.filter { !$0.isWhitespace && $0 != ":" }
        if digits.lowercased().hasPrefix("0x") { digits.removeFirst(2) }
        guard digits.utf8.count == digits.count, let bytes = [UInt8](hex: digits), !bytes.isEmpty else {
            throw InvalidText(
                "\(shown(text)) is no \(what) in hexadecimal; give two digits a byte, as in 01020304"
            )
        }
        guard bytes.count <= limit else {
            throw InvalidText("\(what) has \(bytes.count) bytes; give \(limit) at most")
        }
        return bytes
    }

    /// The masks in what is typed: services with hyphens, a whole advertisement, Apple's manufacturer data, or 16 bytes for
    /// each mask; at least one.
    package static func masks(_ input: [String], _ order: OverflowOrder) throws(InvalidText) -> [OverflowMask] {
        if input.contains(where: { $0.contains("-") }) {
            var services: [CBUUID] = []
            for text in input { services.append(try service(text)) }
            return [OverflowMask(services: services)]
        }
        let bytes = try bytes(input.joined(), upTo: 4_096, what: "overflow area")
        if bytes.count != 16,
            let mask = OverflowMask(advertisement: bytes) ?? OverflowMask(manufacturerData: Data(bytes))
        {
            return [mask]
        }
        guard bytes.count % 16 == 0 else {
            throw InvalidText(
                "no overflow area in these \(bytes.count) bytes; give the 16 bytes of each mask, or a whole advertisement"
            )
        }
        return stride(from: 0, to: bytes.count, by: 16).compactMap {
            OverflowMask(bytes[$0..<$0 + 16], order: order.order)
        }
    }

    package static func byte(_ text: String) throws(InvalidText) -> UInt8 {
        let byte = try bytes(text, upTo: 1, what: "matching byte")[0]
        guard byte != 0 else {
            throw InvalidText("a matching byte of 00 cannot be told from nothing; give another")
        }
        return byte
    }

    /// A service as its 4, 8 or 36 characters.
    package static func service(_ text: String) throws(InvalidText) -> CBUUID {
        let isLong = text.utf8.count == 36 && UUID(uuidString: text) != nil
        let isShort = [4, 8].contains(text.utf8.count) && [UInt8](hex: text) != nil
        guard isLong || isShort else {
            throw InvalidText("\(shown(text)) is no service; give 4, 8 or 36 characters, as in 180F")
        }
        return CBUUID(string: text)
    }

    package static func bit(_ text: String) throws(InvalidText) -> OverflowBit {
        guard let index = Int(text), let bit = OverflowBit(index: index) else {
            throw InvalidText("\(shown(text)) is no bit; give its place from the left, 0 to 127")
        }
        return bit
    }

    /// Not more of what was typed than fits on a line.
    package static func shown(_ text: String) -> String {
        let line = text.filter { !$0.isNewline }
        return line.utf8.count > 60 ? line.beginning(57) + "..." : "\"\(line)\""
    }
}
