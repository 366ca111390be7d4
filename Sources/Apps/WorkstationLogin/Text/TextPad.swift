/// A screen of the sample: one text view that is log and input at once, and the buttons around it.
public struct TextPad: Equatable, Sendable {
    /// The lines of the log, oldest first; the oldest are forgotten when there are many.
    public private(set) var lines: [String] = []
    /// How many lines there were in all.
    public private(set) var lineCount = 0
    /// What was typed since editing began; nil while there is no editing.
    public private(set) var typed: String?
    /// How much of the text under way is sent, and how long it is, in bytes; nil while nothing is.
    public internal(set) var sending: Progress?
    /// How many texts wait behind it.
    public internal(set) var waitingCount = 0

    /// A text on its way.
    public struct Progress: Equatable, Sendable {
        public var sent: Int
        public var total: Int
    }

    public static let maximumLines = 1_000
    /// In bytes, unless a single line has more.
    public static let maximumSize = 4 << 20

    private var size = 0

    public init() {}

    /// What the text view shows: each line with a space behind it, and what is being typed.
    public var text: String { lines.map { $0 + " \n" }.joined() + (typed ?? "") }

    public var isSendEnabled: Bool { typed != nil }

    mutating func log(_ line: String) {
        lines.append(line)
        lineCount += 1
        size += line.utf8.count
        while lines.count > Self.maximumLines || size > Self.maximumSize && lines.count > 1 {
            size -= lines.removeFirst().utf8.count
        }
    }

    mutating func clear() { (lines, size) = ([], 0) }

    mutating func beginEditing() { typed = "" }

    mutating func type(_ text: String) { typed = (typed ?? "") + text }

    /// In the original what was deleted was sent all the same.
    mutating func deleteBackward() { if typed?.isEmpty == false { typed!.removeLast() } }

    /// What was typed, and the keyboard is closed.
    mutating func endEditing() -> String {
        defer { typed = nil }
        return typed ?? ""
    }
}
