/// Why bytes from outside could not be understood.
public enum DecodeError: Error, Hashable, Sendable {
    /// The bytes ended before the field did.
    case truncated(needed: Int, available: Int)
    /// Bytes were left over after the last field.
    case trailingBytes(Int)
    /// A length field contradicts the bytes that follow it, or a rule about them.
    case invalidLength(Int)
    /// A field holds a value that its definition does not allow.
    case invalidValue(field: StaticName, value: Int)

    /// A field's name, kept as a static string so that an error costs no allocation.
    public struct StaticName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        private let text: StaticString

        public init(stringLiteral value: StaticString) { text = value }

        public var description: String { text.description }

        public static func == (left: Self, right: Self) -> Bool { left.description == right.description }

        public func hash(into hasher: inout Hasher) { hasher.combine(description) }
    }
}

extension DecodeError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .truncated(let needed, let available): "truncated: \(needed) bytes needed, \(available) left"
        case .trailingBytes(let count): "\(count) bytes left over"
        case .invalidLength(let length): "invalid length \(length)"
        case .invalidValue(let field, let value): "\(field) may not be \(value)"
        }
    }
}
