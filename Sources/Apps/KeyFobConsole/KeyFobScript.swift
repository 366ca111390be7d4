public import BluethroatVirtualTime

/// Words with the times at which they are done: a run of a key fob's world that can be repeated.
///
/// A line is what standard input takes. A line without a time is done at the time of the line before it, in the beginning at 0;
/// an empty one, or one that begins with `#`, does nothing.
public struct KeyFobScript: Hashable, Sendable {
    /// The most lines that a script has.
    public static let lineLimit = 10_000

    /// All words with their times, in the order of the lines.
    public let items: [KeyFobInput.Item]
    /// When it asks for the end, if it does.
    public let end: TimeSpan?

    /// - Parameters:
    ///   - name: what the text is called in an error, such as its file.
    ///   - fobs: how many fobs there are.
    public init(
        parsing text: some StringProtocol,
        named name: String,
        of vocabulary: KeyFobWord.Vocabulary = .hardware,
        fobs: Int = 1
    ) throws(KeyFobWordError) {
        var input = KeyFobInput(.lines, of: vocabulary, fobs: fobs)
        var items: [KeyFobInput.Item] = []
        var end: TimeSpan?
        var now = TimeSpan.zero
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            func wrong(_ why: String) -> KeyFobWordError {
                KeyFobWordError(description: "\(name), line \(index + 1): \(why)")
            }
            guard index < Self.lineLimit else { throw wrong("a script has at most \(Self.lineLimit) lines") }
            for item in input.take(line) + input.end() {
                guard let timed = try Self.timed(item, &now, wrong) else { continue }
                items.append(timed)
                if timed.asksForEnd { end = min(end ?? now, now) }
            }
        }
        self.items = items
        self.end = end
    }

    /// The same with a time; nil for what only says which fob the next lines are for.
    private static func timed(
        _ item: KeyFobInput.Item,
        _ now: inout TimeSpan,
        _ wrong: (String) -> KeyFobWordError
    ) throws(KeyFobWordError) -> KeyFobInput.Item? {
        switch item {
        case .error(let error): throw wrong(error.description)
        case .chosen: return nil
        case .of(let fob, let inner): return try timed(inner, &now, wrong).map { .of(fob: fob, $0) }
        case .word(let word): return .timed(now, word)
        case .timed(let time, _):
            now = time
            return item
        }
    }
}

extension KeyFobInput.Item {
    /// Whether the session is to end with it.
    fileprivate var asksForEnd: Bool {
        switch self {
        case .of(_, let item): item.asksForEnd
        case .timed(_, let word), .word(let word): word == .quit
        case .error, .chosen: false
        }
    }
}
