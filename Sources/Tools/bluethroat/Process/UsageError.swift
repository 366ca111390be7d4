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
        var (command, words, rest) = place(in: root, arguments)
        // Options without a word before them are of the default subcommand.
        if let usual = command.configuration.defaultSubcommand, rest.first?.hasPrefix("-") == true {
            (command, _) = (usual, words.append(usual._commandName))
        }
        let fault = (unknown(in: root, arguments) ?? message).oneLine
        let message = RefusedValue.explained(fault, help: command.helpMessage(columns: 1_000))
        return "\(message.oneLine); see \(words.joined(separator: " ")) --help"
    }

    /// Where a command stands in its place, a word that is none, also where help about it is asked for.
    static func unknown(in root: any ParsableCommand.Type, _ arguments: [String]) -> String? {
        let (command, words, rest) = place(in: root, arguments)
        let names = command.configuration.subcommands.map { $0._commandName }
        guard let word = rest.first, !word.hasPrefix("-"), !names.isEmpty else { return nil }
        return "\(words.joined(separator: " ")) has no \"\(word.oneLine)\"" + Spelling.hint(for: word, among: names)
    }

    private typealias Place = (command: any ParsableCommand.Type, words: [String], rest: ArraySlice<String>)

    /// Which command is named, behind `help` or not.
    private static func place(in root: any ParsableCommand.Type, _ arguments: [String]) -> Place {
        var place = Place(root, [root._commandName], arguments.first == "help" ? arguments.dropFirst() : arguments[...])
        while let next = place.command.configuration.subcommands.first(where: { $0._commandName == place.rest.first }) {
            place = (next, place.words + [next._commandName], place.rest.dropFirst())
        }
        return place
    }
}

extension String {
    /// Without ends of lines, and without a full stop, so that more can be said.
    fileprivate var oneLine: String {
        let line = split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.hasSuffix(".") ? String(line.dropLast()) : line
    }
}
