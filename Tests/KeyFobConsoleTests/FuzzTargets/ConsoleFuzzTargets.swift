import BluethroatVirtualTime
import FuzzInputs

@testable import BluethroatByteCoding
@testable import BluethroatKeyFobConsole

/// What people and programs write to a key fob: scripts, lines of standard input, and keys at a terminal. However it is cut,
/// the same is understood, and what is not understood is said in one line.
enum ConsoleFuzzTargets {
    static let all = [scripts]

    /// The first byte says for how many fobs it is, of which kind they are, whether it is typed, and how long the pieces are in
    /// which the bytes come.
    static let scripts = FuzzTarget(decoder: "keyfob-scripts", upTo: 120) { bytes in
        guard let first = bytes.first else { return }
        let fobs = first & 1 == 0 ? 1 : 3, piece = 1 + Int(first >> 4)
        let vocabulary: KeyFobWord.Vocabulary = first & 2 == 0 ? .hardware : .phone
        let rest = Array(bytes.dropFirst())
        let mode: KeyFobInput.Mode = first & 4 == 0 ? .lines : .keys
        let whole = items(rest, by: rest.count, mode, vocabulary, fobs)
        let inPieces = items(rest, by: piece, mode, vocabulary, fobs)
        hold(whole == inPieces, "\(rest.hex) is another in pieces of \(piece)")
        hold(whole.count <= rest.count, "\(rest.hex) has \(whole.count) words")
        for item in whole { check(item, fobs, rest) }
        checkScript(String(decoding: rest, as: UTF8.self), vocabulary, fobs)
    }

    private static func items(
        _ bytes: [UInt8],
        by count: Int,
        _ mode: KeyFobInput.Mode,
        _ vocabulary: KeyFobWord.Vocabulary,
        _ fobs: Int
    ) -> [KeyFobInput.Item] {
        var input = KeyFobInput(mode, of: vocabulary, fobs: fobs)
        var items: [KeyFobInput.Item] = [], left = bytes[...]
        while !left.isEmpty {
            items += input.take(left.prefix(count))
            left = left.dropFirst(count)
        }
        return items + input.end()
    }

    private static func check(_ item: KeyFobInput.Item, _ fobs: Int, _ bytes: [UInt8]) {
        switch item {
        case .word: break
        case .timed(let time, _): hold(isPossible(time), "\(bytes.hex) is for \(time)")
        case .error(let error): hold(isOneLine(error.description), "\(error.description.debugDescription) is said")
        case .of(let fob, let inner):
            hold(fobs > 1 && (1...fobs).contains(fob), "\(bytes.hex) is for fob \(fob)")
            check(inner, 1, bytes)
        case .chosen(let fob): hold((1...fobs).contains(fob), "\(bytes.hex) chooses fob \(fob)")
        }
    }

    private static func checkScript(_ text: String, _ vocabulary: KeyFobWord.Vocabulary, _ fobs: Int) {
        do throws(KeyFobWordError) {
            let script = try KeyFobScript(parsing: text, named: "words", of: vocabulary, fobs: fobs)
            var ends: [TimeSpan] = []
            for item in script.items {
                var inner = item
                if case .of(let fob, let own) = item {
                    hold(fobs > 1 && (1...fobs).contains(fob), "\(text.debugDescription) is for fob \(fob)")
                    inner = own
                }
                guard case .timed(let time, let word) = inner else {
                    return hold(false, "\(text.debugDescription) has \(item), which has no time")
                }
                hold(isPossible(time), "\(text.debugDescription) is for \(time)")
                if word == .quit { ends.append(time) }
            }
            hold(script.end == ends.min(), "\(text.debugDescription) ends at \(String(describing: script.end))")
        } catch {
            let line = error.description
            hold(line.hasPrefix("words, line ") && isOneLine(line), "\(line.debugDescription) is said")
        }
    }

    private static func isPossible(_ time: TimeSpan) -> Bool { .zero <= time && time <= .seconds(1_000_000) }

    private static func isOneLine(_ text: String) -> Bool {
        !text.isEmpty && text.firstUnshown == nil && text.utf8.count <= 600
    }
}
