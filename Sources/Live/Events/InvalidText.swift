/// A text that cannot be what it should be; the description is one line that says what to write instead.
public struct InvalidText: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// With one line that says what to write instead.
    public init(_ description: String) { self.description = description }
}

extension FixedWidthInteger {
    /// A whole number as somebody has typed it; the error says the range of the type, both ends included.
    public init(typed text: String) throws(InvalidText) {
        guard let number = Self(text) else {
            throw InvalidText("\(text) is no whole number from \(Self.min) to \(Self.max)")
        }
        self = number
    }
}
