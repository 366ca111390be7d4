public import BluethroatEvents

/// How many fobs a session has: as many as there are keys of a terminal to choose one.
public struct KeyFobCount: Hashable, Sendable {
    /// The least and the most.
    public static let range = 1...9

    /// From 1 to 9.
    public let value: Int

    /// Reads a number from 1 to 9.
    public init(parsing text: String) throws(InvalidText) {
        guard let value = Int(text), Self.range.contains(value) else {
            throw InvalidText("\(text) is no number of fobs; give \(Self.range.lowerBound) to \(Self.range.upperBound)")
        }
        self.value = value
    }
}
