import BluethroatByteCoding
import BluethroatEvents
import Yams

/// A file's one YAML document. What could make a reader work without end is refused first: much text, deep nesting, and
/// references from one place to another; and explicit types (`!!bool`), which would have no effect.
enum YAMLDocument {
    private static let longest = 1 << 20
    private static let deepest = 32

    static func root(_ marked: String, named file: String) throws(StudyFileError) -> Node {
        let text = String(marked.withoutByteOrderMark)
        guard text.utf8.count <= longest else {
            throw StudyFileError(file: file, line: 1, column: 1, message: "the file is longer than 1 MiB")
        }
        try refuseUnusual(text, file)
        let node: Node?
        // With the encoding named: Yams would read the environment for it each time.
        do { node = try Yams.compose(yaml: text, .default, .default, .utf8) } catch { throw Self.error(error, file) }
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
        var tokens = YAMLTokens(text)
        let message: String, place: (line: Int, column: Int)
        switch tokens.firstTrouble(deepest: deepest) {
        case .nesting?: (message, place) = ("that is nested too deeply", (tokens.tokenLine, tokens.tokenColumn))
        case .reference?:
            message = "references (& and *) are not taken; write the value out, or put it in quotes"
            place = (tokens.tokenLine, tokens.tokenColumn)
        case nil:
            guard let type = tokens.firstType else { return }
            (message, place) = ("types (!) are not taken; leave it out, or put the value in quotes", type)
        }
        throw StudyFileError(file: file, line: place.line, column: place.column, message: message)
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
            return made(context.mark, "\(duplicates.joined(separator: ", ").shown) is there twice; leave one out")
        case .reader(let problem, let offset, _, let text):
            let lines = text.prefix(offset ?? 0).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            return StudyFileError(
                file: file,
                line: max(1, lines.count),
                column: (lines.last?.count ?? 0) + 1,
                message: "this is no text: \(problem)"
            )
        default: return made(nil, "this is no YAML: \(error)")
        }
    }
}
