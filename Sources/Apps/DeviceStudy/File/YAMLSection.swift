import BluethroatByteCoding
import BluethroatEvents
import Yams

/// A mapping of a YAML file, whose keys are checked.
struct YAMLSection {
    struct Entry {
        let key: String
        let keyNode: Node
        let value: Node
    }

    let node: Node
    let file: String
    let entries: [Entry]

    /// - Parameter allowed: the keys that there may be; nil for any.
    init(_ node: Node, in file: String, what: String, allowed: [String]?) throws(StudyFileError) {
        self.node = node
        self.file = file
        guard case .mapping(let mapping) = node else {
            throw Self.error(node, file, "\(what) is no list of `name: value`; write one a line")
        }
        var entries: [Entry] = [], known: Set<String> = []
        for (keyNode, value) in mapping {
            guard case .scalar(let scalar) = keyNode else { throw Self.error(keyNode, file, "a name has to be a word") }
            let key = try Self.line(scalar, keyNode, file, "a name")
            // The parser takes a word with quotes for another one than without, if that means something in YAML.
            guard known.insert(key).inserted else {
                throw Self.error(keyNode, file, "\(key) is there twice; leave one out")
            }
            if let allowed, !allowed.contains(key) {
                throw Self.error(keyNode, file, "\(what) has no \(key)" + Spelling.hint(for: key, among: allowed))
            }
            entries.append(Entry(key: key, keyNode: keyNode, value: value))
        }
        self.entries = entries
    }

    subscript(key: String) -> Node? { entries.first { $0.key == key }?.value }

    func error(_ node: Node, _ message: String) -> StudyFileError { Self.error(node, file, message) }

    /// The text of a value, on one line.
    func text(_ node: Node, _ what: String) throws(StudyFileError) -> String {
        guard case .scalar(let scalar) = node else {
            throw error(node, "\(what) is one value, not a list or a section")
        }
        return try Self.line(scalar, node, file, what)
    }

    /// On one line, and so that it can be printed.
    private static func line(
        _ scalar: Node.Scalar,
        _ node: Node,
        _ file: String,
        _ what: String
    ) throws(StudyFileError) -> String {
        let line = scalar.string.split { $0.isNewline || $0 == "\t" }.joined(separator: " ")
        if let unshown = line.firstUnshown {
            throw error(node, file, "\(what) has a character that cannot be printed, \(unshown); leave it out")
        }
        return line
    }

    func value(_ node: Node, of parameter: WorldParameter) throws(StudyFileError) -> StudyValue {
        let text = try text(node, parameter.path)
        do throws(InvalidText) { return try parameter.value(text) } catch {
            throw self.error(node, "\(parameter.path): \(error)")
        }
    }

    static func error(_ node: Node, _ file: String, _ message: String) -> StudyFileError {
        StudyFileError(file: file, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1, message: message)
    }
}
