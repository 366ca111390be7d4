/// The four digits on a desk's screen, 0000 to 9999. They say which desk is meant, and are no secret.
public struct DeskIdentifier: Hashable, Sendable, Codable, CustomStringConvertible, LosslessStringConvertible {
    public let digits: String

    /// Nil unless these are four digits.
    public init?(_ digits: String) {
        guard digits.utf8.count == 4, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.digits = digits
    }

    /// What somebody has typed, or a camera has read: four digits, or the text of a desk's QR code. Nil for anything else.
    public init?(typed text: String) {
        self.init(text.hasPrefix(Self.scheme) ? String(text.dropFirst(Self.scheme.count)) : text)
    }

    private static let scheme = "bluethroat-desk:"

    /// The text of the QR code on a desk's monitor, such as `bluethroat-desk:4711`.
    public var link: String { Self.scheme + digits }

    /// The code with that text. It says which desk is meant, as the digits do, and nothing about its key.
    public var qrCode: QRCode { QRCode(link)! }

    /// Nil for what does not begin with a desk's mark.
    init?(advertisedName name: String?) {
        guard let name, name.hasPrefix(Self.mark) else { return nil }
        self.init(String(name.dropFirst(Self.mark.count)))
    }

    private static let mark = "GM "

    /// What a desk calls itself on the air.
    var advertisedName: String { Self.mark + digits }

    public var description: String { digits }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let identifier = Self(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not four digits")
        }
        self = identifier
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(digits)
    }
}
