import Yams

/// A file's one YAML document. What could make a reader work without end is refused first: much text, deep nesting, and
/// references from one place to another.
enum YAMLDocument {
    private static let longest = 1 << 20
    private static let deepest = 32

    static func root(_ text: String, named file: String) throws(StudyFileError) -> Node {
        guard text.utf8.count <= longest else {
            throw StudyFileError(file: file, line: 1, column: 1, message: "the file is longer than 1 MiB")
        }
        try refuseUnusual(text, file)
        let node: Node?
        do { node = try Yams.compose(yaml: text) } catch { throw Self.error(error, file) }
        guard let node else {
            throw StudyFileError(
                file: file,
                line: 1,
                column: 1,
                message: "the file is empty; docs/studies.md shows what belongs into it"
            )
        }
        return node
    }

    private static func refuseUnusual(_ text: String, _ file: String) throws(StudyFileError) {
        var depth = 0
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            func refuse(_ column: Int, _ message: String) -> StudyFileError {
                StudyFileError(file: file, line: number + 1, column: column, message: message)
            }
            var quote: Character?, previous: Character = " ", dashes = 0
            for (column, character) in line.enumerated() {
                defer { previous = character }
                if let open = quote {
                    if character == open { quote = nil }
                    continue
                }
                let isStart = " \t[{,:?-".contains(previous)
                if character == "#", isStart { break }
                switch character {
                case "\"", "'": if isStart { quote = character }
                case "[", "{": depth += 1
                case "]", "}": depth = max(0, depth - 1)
                case "-", "?", ":": dashes += 1
                case "&" where isStart, "*" where isStart:
                    throw refuse(
                        column + 1,
                        "references (& and *) are not taken; write the value out, or put it in quotes"
                    )
                default: break
                }
                if depth > deepest || dashes > 2 * deepest || column > 4_000 {
                    throw refuse(column + 1, "that is nested too deeply, or too long a line")
                }
            }
            if line.prefix(while: { $0 == " " }).count > 4 * deepest {
                throw refuse(1, "that is indented too far")
            }
        }
    }

    private static func error(_ error: any Error, _ file: String) -> StudyFileError {
        func made(_ mark: Mark?, _ message: String) -> StudyFileError {
            StudyFileError(file: file, line: mark?.line ?? 1, column: mark?.column ?? 1, message: message)
        }
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            return made(mark, "this is no YAML: \(problem)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            return made(context.mark, "\(duplicates.joined(separator: ", ")) is there twice; leave one out")
        case .reader(let problem, _, _, _): return made(nil, "this is no text: \(problem)")
        default: return made(nil, "this is no YAML: \(error)")
        }
    }
}
