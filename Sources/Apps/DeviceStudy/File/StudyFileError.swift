/// What is wrong in a study's file, where, and what to do about it: `walk.yaml:7:15: …`.
public struct StudyFileError: Error, Hashable, Sendable, CustomStringConvertible {
    public let file: String
    /// From 1.
    public let line: Int
    /// From 1, in characters.
    public let column: Int
    public let message: String

    public var description: String { "\(file):\(line):\(column): \(message)" }
}
