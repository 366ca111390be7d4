/// Text for bytes and back.
extension [UInt8] {
    /// Bytes from hexadecimal digits, upper or lower case, with optional spaces, colons or hyphens between bytes; nil
    /// where anything else stands or a digit has no partner.
    public init?(hex text: some StringProtocol) {
        self.init()
        var high: UInt8?
        for character in text.utf8 {
            let digit: UInt8
            switch character {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = character - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = character - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = character - UInt8(ascii: "A") + 10
            case UInt8(ascii: " "), UInt8(ascii: ":"), UInt8(ascii: "-"):
                if high != nil { return nil }
                continue
            default: return nil
            }
            if let upper = high {
                append(upper << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        if high != nil { return nil }
    }

    /// Lower-case digits, two a byte, nothing between them.
    public var hex: String { hex(separator: "") }

    /// Lower-case digits, two a byte, with `separator` between bytes.
    public func hex(separator: String) -> String {
        var text = ""
        text.reserveCapacity(count * (2 + separator.utf8.count))
        for (index, byte) in enumerated() {
            if index > 0 { text += separator }
            text.unicodeScalars.append(Self.digit(byte >> 4))
            text.unicodeScalars.append(Self.digit(byte & 0xF))
        }
        return text
    }

    private static func digit(_ value: UInt8) -> Unicode.Scalar {
        Unicode.Scalar(value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10)
    }
}
