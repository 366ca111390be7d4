/// A text that cannot be what it should be; the description is one line that says what to write instead.
public struct InvalidText: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String

    /// With one line that says what to write instead.
    public init(_ description: String) { self.description = description }
}
