/// What futures themselves fail with.
public enum FuturesError: Int, Error, Sendable {
    /// A filter let nothing through.
    case noSuchElement
    /// A function called back with neither a value nor an error.
    case invalidValue
}
