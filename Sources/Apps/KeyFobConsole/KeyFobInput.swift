public import BluethroatVirtualTime

/// Turns the bytes of standard input into words, however they are cut: whole lines from a script, or single keys from a
/// terminal in raw mode. A line that begins with `@` and seconds, `@12.5 d 100`, is for that time in the world; one that begins
/// with `#` is a comment.
///
/// Where there are several fobs, a number before a word says for which it is: `2 l`, `@12.5 2 d 100`. A number alone, or its
/// key at a terminal, chooses the fob for what has no number; in the beginning that is the first.
public struct KeyFobInput: Sendable {
    /// What a line, or a key, came to.
    public enum Item: Hashable, Sendable {
        case word(KeyFobWord)
        /// A word for later: so long after the world's beginning.
        case timed(TimeSpan, KeyFobWord)
        case error(KeyFobWordError)
        /// Where there are several fobs: a word for this one, the first being 1.
        indirect case of(fob: Int, Item)
        /// Words without a number are for this one of several fobs from now on.
        case chosen(fob: Int)
    }

    public enum Mode: Sendable {
        case lines
        case keys
    }

    /// Longer lines than this are refused without being kept.
    static let lineLimit = 1_000

    private let mode: Mode
    private let vocabulary: KeyFobWord.Vocabulary
    private let fobs: Int
    private var chosen = 1
    private var line: [UInt8] = []
    private var isSkipping = false
    private var escape = EscapeSequence()

    /// - Parameter fobs: how many fobs there are; with 1 no words have numbers.
    public init(_ mode: Mode, of vocabulary: KeyFobWord.Vocabulary = .hardware, fobs: Int = 1) {
        self.mode = mode
        self.vocabulary = vocabulary
        self.fobs = fobs
    }

    /// The words that these bytes complete.
    public mutating func take(_ bytes: some Sequence<UInt8>) -> [Item] {
        var items: [Item] = []
        for byte in bytes {
            switch mode {
            case .keys:
                guard !escape.swallows(byte) else { continue }
                if let word = KeyFobWord(terminalKey: byte) {
                    items.append(item(.word(word)))
                } else if let fob = fob(terminalKey: byte) {
                    choose(fob, into: &items)
                }
            case .lines:
                if byte == UInt8(ascii: "\n") {
                    endLine(into: &items)
                } else if line.count < Self.lineLimit {
                    line.append(byte)
                } else {
                    isSkipping = true
                }
            }
        }
        return items
    }

    /// The input has ended; what stands on an unfinished line counts.
    public mutating func end() -> [Item] {
        var items: [Item] = []
        if !line.isEmpty { endLine(into: &items) }
        return items
    }

    private mutating func endLine(into items: inout [Item]) {
        defer {
            line.removeAll(keepingCapacity: true)
            isSkipping = false
        }
        guard !isSkipping else {
            let description = "a line longer than \(Self.lineLimit) bytes is no word"
            return items.append(.error(KeyFobWordError(description: description)))
        }
        do throws(KeyFobWordError) {
            let text = String(decoding: line, as: UTF8.self)
            if text.first(where: { $0 != " " && $0 != "\t" }) == "#" { return }
            let (time, numbered) = try Self.time(of: text)
            let (fob, rest) = try fob(of: numbered)
            guard let word = try KeyFobWord(line: rest, of: vocabulary) else {
                if time != nil { throw Self.misuse }
                if let fob { choose(fob, into: &items) }
                return
            }
            items.append(item(time.map { .timed($0, word) } ?? .word(word), of: fob))
        } catch {
            items.append(.error(error))
        }
    }

    /// The time at which a line begins, and what is behind it.
    private static func time(of line: String) throws(KeyFobWordError) -> (TimeSpan?, Substring) {
        let text = line.drop { $0 == " " || $0 == "\t" }
        guard text.first == "@" else { return (nil, text) }
        let digits = text.dropFirst().prefix { $0 != " " && $0 != "\t" }
        guard digits.utf8.allSatisfy({ "0123456789.".utf8.contains($0) }), let seconds = Double(digits),
            (0...1e6).contains(seconds)
        else { throw misuse }
        let time = TimeSpan.microseconds(Int64((seconds * 1e6).rounded()))
        return (time, text.dropFirst(1 + digits.count))
    }

    // MARK: Several fobs

    private mutating func choose(_ fob: Int, into items: inout [Item]) {
        chosen = fob
        items.append(.chosen(fob: fob))
    }

    private func item(_ item: Item, of fob: Int? = nil) -> Item {
        fobs == 1 ? item : .of(fob: fob ?? chosen, item)
    }

    private func fob(terminalKey byte: UInt8) -> Int? {
        let number = Int(byte) - Int(UInt8(ascii: "0"))
        return fobs > 1 && (1...fobs).contains(number) ? number : nil
    }

    /// The number before a word, and what is behind it.
    private func fob(of line: Substring) throws(KeyFobWordError) -> (Int?, Substring) {
        guard fobs > 1 else { return (nil, line) }
        let text = line.drop { $0 == " " || $0 == "\t" }
        let digits = text.prefix { ("0"..."9").contains($0) }
        let rest = text.dropFirst(digits.count)
        guard !digits.isEmpty, rest.first.map({ " \t\r".contains($0) }) ?? true else { return (nil, line) }
        guard let number = Int(digits), (1...fobs).contains(number) else {
            throw KeyFobWordError(description: "there is no fob \(digits.prefix(9)); they are 1 to \(fobs)")
        }
        return (number, rest)
    }

    private static let misuse = KeyFobWordError(
        description: "@ is followed by seconds from 0 to 1000000, a space and a word, such as @12.5 d 100"
    )
}

/// Keeps arrow and function keys from being taken for the letters in their sequences. ECMA-48, 5.4.
private struct EscapeSequence {
    private enum State {
        case outside
        case escaped
        case inside
    }

    private var state = State.outside

    mutating func swallows(_ byte: UInt8) -> Bool {
        switch state {
        case .outside:
            if byte == 0x1B { state = .escaped }
            return byte == 0x1B
        case .escaped:
            // CSI and SS3 go on; anything else behind an escape is a key with Alt held.
            state = byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") ? .inside : .outside
            return true
        case .inside:
            if (0x40...0x7E).contains(byte) { state = .outside }
            return true
        }
    }
}
