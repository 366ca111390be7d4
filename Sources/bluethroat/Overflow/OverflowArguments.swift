#if canImport(Phones)
    import ArgumentParser
    import ByteCoding
    import CoreBluetooth
    import Foundation
    import OverflowArea

    /// How bytes become bits, as it is typed.
    enum OverflowOrder: String, ExpressibleByArgument, CaseIterable {
        case air
        case app

        var order: OverflowMask.BitOrder { self == .air ? .air : .app }
    }

    /// How a payload is put into the overflow area.
    enum OverflowMode: String, ExpressibleByArgument, CaseIterable, Sendable {
        /// In two positions, one after the other.
        case demo
        /// No payload: every service, one a second.
        case sequential
        /// As a code word in which one foreign bit does no harm.
        case hamming
    }

    /// What is typed in hexadecimal digits.
    enum OverflowInput {
        /// Up to so many bytes, with or without spaces and colons between them and 0x in front.
        static func bytes(_ text: String, upTo limit: Int, what: String) throws -> [UInt8] {
            var digits = text.filter { !$0.isWhitespace && $0 != ":" }
            if digits.lowercased().hasPrefix("0x") { digits.removeFirst(2) }
            guard digits.utf8.count == digits.count, let bytes = [UInt8](hex: digits), !bytes.isEmpty else {
                throw ValidationError(
                    "\(shown(text)) is no \(what) in hexadecimal; give two digits a byte, as in 01020304"
                )
            }
            guard bytes.count <= limit else {
                throw ValidationError("\(what) has \(bytes.count) bytes; give \(limit) at most")
            }
            return bytes
        }

        static func byte(_ text: String) throws -> UInt8 {
            let byte = try bytes(text, upTo: 1, what: "matching byte")[0]
            guard byte != 0 else {
                throw ValidationError("a matching byte of 00 cannot be told from nothing; give another")
            }
            return byte
        }

        /// A service as its 4, 8 or 36 characters.
        static func service(_ text: String) throws -> CBUUID {
            let isLong = text.utf8.count == 36 && UUID(uuidString: text) != nil
            let isShort = [4, 8].contains(text.utf8.count) && [UInt8](hex: text) != nil
            guard isLong || isShort else {
                throw ValidationError("\(shown(text)) is no service; give 4, 8 or 36 characters, as in 180F")
            }
            return CBUUID(string: text)
        }

        static func bit(_ text: String) throws -> OverflowBit {
            guard let index = Int(text), let bit = OverflowBit(index: index) else {
                throw ValidationError("\(shown(text)) is no bit; give its place from the left, 0 to 127")
            }
            return bit
        }

        /// Not more of what was typed than fits on a line.
        static func shown(_ text: String) -> String {
            let line = text.filter { !$0.isNewline }
            return line.count > 60 ? line.prefix(57) + "..." : "\"\(line)\""
        }
    }
#endif
