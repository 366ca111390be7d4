import ArgumentParser
import BluethroatEvents
import BluethroatTerminal

/// What is said of a command line that cannot be understood: one line, with the help that is about it.
enum UsageError {
    /// - Parameters:
    ///   - message: what the parser has found.
    ///   - root: the command that has all others below it.
    ///   - arguments: what was typed behind its name.
    static func line(_ message: String, of root: any ParsableCommand.Type, _ arguments: [String]) -> String {
        var command = root
        var words = [root._commandName]
        var rest = arguments[...]
        while let next = command.configuration.subcommands.first(where: { $0._commandName == rest.first }) {
            command = next
            words.append(next._commandName)
            rest.removeFirst()
        }
        var message = unknown(rest.first, of: command, words) ?? message
        // Options without a word before them are of the default subcommand.
        if let usual = command.configuration.defaultSubcommand, rest.first?.hasPrefix("-") == true {
            (command, _) = (usual, words.append(usual._commandName))
        }
        message = RefusedValue.explained(message.oneLine, help: command.helpMessage(columns: 1_000))
        return "\(message.oneLine); see \(words.joined(separator: " ")) --help"
    }

    /// Where a command stands in its place, a word that is none.
    private static func unknown(_ word: String?, of command: any ParsableCommand.Type, _ words: [String]) -> String? {
        let names = command.configuration.subcommands.map { $0._commandName }
        guard let word, !word.hasPrefix("-"), !names.isEmpty, words.count > 1 || word != "help" else { return nil }
        return "\(words.joined(separator: " ")) has no \"\(word.oneLine)\"" + Spelling.hint(for: word, among: names)
    }
}

extension String {
    /// Without ends of lines, and without a full stop, so that more can be said.
    fileprivate var oneLine: String {
        let line = split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.hasSuffix(".") ? String(line.dropLast()) : line
    }
}
