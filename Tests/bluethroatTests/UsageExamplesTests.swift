import ArgumentParser
import BluethroatTerminal
import Testing

@testable import bluethroat

@Suite("Examples in help")
struct UsageExamplesTests {
    /// Each command with the words that call it.
    private static func commands(
        _ type: any ParsableCommand.Type = Bluethroat.self,
        _ words: [String] = []
    ) -> [(words: [String], type: any ParsableCommand.Type)] {
        let below = type.configuration.subcommands.flatMap { commands($0, words + [name(of: $0)]) }
        return [(words, type)] + below
    }

    private static func name(of type: any ParsableCommand.Type) -> String {
        type.configuration.commandName ?? type._commandName
    }

    /// The words of an example as a shell makes them: quotes are gone, what goes to files is not there.
    private static func words(of example: String) -> [String] {
        var words: [String] = []
        for word in example.split(separator: " ") {
            if word == "<" || word == ">" { break }
            words.append(word.filter { $0 != "\"" })
        }
        if words.first == "sudo" { words.removeFirst() }
        return words
    }

    @Test("Each command has one, and nothing that is no command has")
    func each() {
        let commands = Self.commands().map { $0.words.joined(separator: " ") }
        #expect(commands.count > 35)
        #expect(Set(UsageExamples.all.map(\.key)) == Set(commands))
        #expect(UsageExamples.all.count == commands.count)
        #expect(UsageExamples.all.allSatisfy { !$0.value.isEmpty })
    }

    @Test("Each can be typed: it is understood, by the command that shows it or by one below that")
    func understood() throws {
        for (key, examples) in UsageExamples.all {
            for example in examples {
                let words = Self.words(of: example)
                #expect(words.first == "bluethroat", "\(example)")
                // A file that an example names need not be there.
                _ = try Bluethroat.parseAsRoot(Array(words.dropFirst()))
                #expect(words.dropFirst().joined(separator: " ").hasPrefix(key))
                // A terminal of usual width shows it in one line.
                #expect(example.count <= 90, "\(example)")
            }
        }
    }

    @Test("They stand at the end of a command's help, and of no other text")
    func end() throws {
        for (words, type) in Self.commands() {
            let help = Bluethroat.helpMessage(for: type, columns: 80)
            let shown = UsageExamples.added(to: help)
            let key = words.joined(separator: " ")
            let examples = try #require(UsageExamples.all.first { $0.key == key }?.value, "\(key)")
            #expect(shown.hasPrefix(String(help.reversed().drop { $0 == "\n" }.reversed())))
            #expect(shown.hasSuffix(examples.map { "\n  " + $0 }.joined()), "\(shown)")
        }
        for text in ["bluethroat 0.2.0 (commit 0123456789ab)", "", "#compdef bluethroat\nUSAGE: none\n"] {
            #expect(UsageExamples.added(to: text) == text)
        }
    }
}
