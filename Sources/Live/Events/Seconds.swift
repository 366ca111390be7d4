public import BluethroatVirtualTime

/// A length of time as people type it: more than nothing, at most a day.
public struct Seconds: Hashable, Sendable, CustomStringConvertible {
    /// The length of time.
    public let span: TimeSpan

    /// Of any length.
    public init(span: TimeSpan) { self.span = span }

    /// Reads a number of seconds, above 0 and up to 86400.
    public init(parsing text: String) throws(InvalidText) {
        guard let number = Double(decimal: text), let span = TimeSpan.seconds(approximating: number),
            span > .zero, span <= .seconds(86_400)
        else { throw InvalidText("\(text) is no number of seconds from above 0 to 86400, a day") }
        self.span = span
    }

    /// `5` or `0.25`
    public var description: String {
        let seconds = span.inSeconds
        return seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
    }
}
