/// Goes over the tokens of a text as the YAML parser does, and finds what could keep that parser busy for very long: deep
/// nesting, and references from one place to another. Comments, text in quotes and block text are passed over.
///
/// It does not find errors. A text that is no YAML is left to the parser, which has a limit of its own of a thousand levels.
struct YAMLTokens {
    enum Trouble { case nesting, reference }

    private let text: [Unicode.Scalar]
    private var place = 0
    /// Where the token is that was read last. From 1.
    private(set) var tokenLine = 1, tokenColumn = 1
    /// Where the first type is that was named, as `!!bool`. From 1.
    private(set) var firstType: (line: Int, column: Int)?
    private var line = 1
    /// From 0.
    private var column = 0
    /// How many `[` and `{` are open.
    private var openBrackets = 0
    /// The columns of the lists and sections that are written without brackets, one inside the other.
    private var indents: [Int] = []
    /// The column of what becomes a name if a colon follows on its line.
    private var nameColumn: Int?

    init(_ text: String) { self.text = Array(text.unicodeScalars) }

    /// The first trouble; `tokenLine` and `tokenColumn` say where it is.
    mutating func firstTrouble(deepest: Int) -> Trouble? {
        while skipToToken() {
            if openBrackets == 0 { leaveIndents(beyond: column) }
            (tokenLine, tokenColumn) = (line, column + 1)
            if readToken() { return .reference }
            if openBrackets + indents.count > deepest { return .nesting }
        }
        return nil
    }

    // MARK: Tokens

    /// Reads one token; true if it is a reference.
    private mutating func readToken() -> Bool {
        guard let first = peek() else { return false }
        let isIndicator = isBlankOrEnd(1) || (openBrackets > 0 && first != "-")
        switch first {
        case "&", "*": return true
        case "[", "{":
            noteName()
            openBrackets += 1
            advance()
        case "]", "}":
            openBrackets = max(0, openBrackets - 1)
            advance()
        case ",", "@", "`": advance()
        case "%": if column == 0 { skipLine() } else { advance() }
        case "-" where isDocumentMark, "." where isDocumentMark:
            indents = []
            for _ in 0..<3 { advance() }
        case "-" where isIndicator, "?" where isIndicator:
            enterIndent(column)
            nameColumn = nil
            advance()
        case ":" where isIndicator:
            enterIndent(nameColumn ?? column)
            nameColumn = nil
            advance()
        case "\"", "'":
            noteName()
            readQuoted(first)
        case "|" where openBrackets == 0, ">" where openBrackets == 0: readBlockText()
        case "!":
            noteName()
            firstType = firstType ?? (tokenLine, tokenColumn)
            while !isBlankOrEnd(0), peek() != "," { advance() }
        default:
            noteName()
            readPlain()
        }
        return false
    }

    private mutating func readQuoted(_ quote: Unicode.Scalar) {
        advance()
        while let scalar = peek() {
            advance()
            if scalar == quote {
                guard quote == "'", peek() == "'" else { return }
                advance()
            } else if scalar == "\\", quote == "\"", peek() != nil {
                advance()
            }
        }
    }

    /// Text without quotes, which may go on in the next lines if they are indented.
    private mutating func readPlain() {
        let indent = (indents.last ?? -1) + 1
        while !isDocumentMark, peek() != "#" {
            while !isBlankOrEnd(0) {
                if peek() == ":", isBlankOrEnd(1) { return }
                if openBrackets > 0, isFlowIndicator { return }
                advance()
            }
            while peek() != nil, isBlankOrEnd(0) { advance() }
            if peek() == nil || (openBrackets == 0 && column < indent) { return }
        }
    }

    /// The lines behind `|` or `>`, as far as they are indented.
    private mutating func readBlockText() {
        let outer = indents.last ?? -1
        var indent: Int?
        while let scalar = peek(), !scalar.isLineBreak {
            // A number says how far; a comment may follow, in which it says nothing.
            if scalar == "#" { skipLine() } else { advance() }
            if indent == nil, ("1"..."9").contains(scalar) { indent = max(0, outer) + Int(scalar.value - 0x30) }
        }
        if peek() != nil { advance() }
        skipIndentation(&indent, outer)
        while peek() != nil, column == indent {
            skipLine()
            if peek() != nil { advance() }
            skipIndentation(&indent, outer)
        }
    }

    /// Spaces and empty lines. The first line that is not empty says how far block text is indented, unless that is known.
    private mutating func skipIndentation(_ indent: inout Int?, _ outer: Int) {
        var widest = 0
        while let scalar = peek() {
            if scalar == " ", column < indent ?? .max {
                advance()
                widest = max(widest, column)
            } else if scalar.isLineBreak {
                advance()
            } else {
                break
            }
        }
        if indent == nil { indent = max(widest, outer + 1, 1) }
    }

    // MARK: Structure

    private mutating func enterIndent(_ column: Int) {
        if openBrackets == 0, indents.last ?? -1 < column { indents.append(column) }
    }

    private mutating func leaveIndents(beyond column: Int) {
        while let last = indents.last, last > column { indents.removeLast() }
    }

    private mutating func noteName() {
        if openBrackets == 0, nameColumn == nil { nameColumn = column }
    }

    // MARK: Characters

    /// False at the end of the text.
    private mutating func skipToToken() -> Bool {
        while let scalar = peek() {
            if scalar == "#" {
                skipLine()
            } else if scalar == " " || scalar == "\t" || scalar.isLineBreak {
                advance()
            } else if scalar == "\u{FEFF}", column == 0 {
                // The parser passes over such a mark at the beginning of any line, not of the file alone.
                advance()
            } else {
                return true
            }
        }
        return false
    }

    private mutating func skipLine() {
        while let scalar = peek(), !scalar.isLineBreak { advance() }
    }

    private mutating func advance() {
        let scalar = text[place]
        place += 1
        guard scalar.isLineBreak else { return column += 1 }
        if scalar == "\r", peek() == "\n" { place += 1 }
        (line, column, nameColumn) = (line + 1, 0, nil)
    }

    private func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        place + offset < text.count ? text[place + offset] : nil
    }

    private func isBlankOrEnd(_ offset: Int) -> Bool {
        guard let scalar = peek(offset) else { return true }
        return scalar == " " || scalar == "\t" || scalar.isLineBreak
    }

    private var isFlowIndicator: Bool {
        switch peek() {
        case ",", "[", "]", "{", "}": true
        default: false
        }
    }

    /// `---` or `...` alone at the beginning of a line.
    private var isDocumentMark: Bool {
        guard column == 0, let mark = peek(), mark == "-" || mark == "." else { return false }
        return peek(1) == mark && peek(2) == mark && isBlankOrEnd(3)
    }
}

extension Unicode.Scalar {
    /// What the YAML parser takes for the end of a line.
    fileprivate var isLineBreak: Bool {
        switch self {
        case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": true
        default: false
        }
    }
}
