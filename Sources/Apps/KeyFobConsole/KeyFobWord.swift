import BluethroatByteCoding
public import BluethroatKeyFob
import BluethroatVirtualTime

/// One thing that a line of a script, or a key at a terminal, makes happen to a key fob.
public enum KeyFobWord: Hashable, Sendable {
    /// `l`, `r`: the key goes down, and up again after 200 ms.
    case click(KeyFobKey)
    /// `l down`, `r down`
    case hold(KeyFobKey)
    /// `l up`, `r up`
    case release(KeyFobKey)
    /// `a`
    case toggleAdvertising
    /// `b 80`: the battery's charge, 0 to 100 %.
    case battery(percent: Int)
    /// `t X Y Z`: the acceleration in sensor counts.
    case tilt(Acceleration)
    /// `tg X Y Z`: the acceleration in g.
    case tiltInG(x: Double, y: Double, z: Double)
    /// `d METRES`: the distance of the fob from all other devices.
    case distance(metres: Double)
    /// `q`
    case quit
    /// `central …`: what a central in the same world does, which comes there with the first such word.
    case central(CentralWord)

    /// `bluetooth on`, `bluetooth off`: what the user switches in the phone's settings.
    case bluetooth(Bool)
    /// `background`, `foreground`: another app comes before the phone's, or goes.
    case background(Bool)
    /// `about`, `back`: the page behind the About button.
    case about(Bool)

    /// Which words a device understands.
    public enum Vocabulary: Hashable, Sendable {
        /// TI's key fob.
        case hardware
        /// The app that plays one on a phone.
        case phone

        var words: String {
            switch self {
            case .hardware: "l, r, a, b, t, tg, d, central and q"
            case .phone: "l, r, a, b, t, tg, d, bluetooth, background, foreground, about, back, central and q"
            }
        }
    }
}

/// Why a line is none of the words. The description is one line.
public struct KeyFobWordError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}

extension KeyFobWord {
    /// Reads a line without its end; nil if there is nothing on it.
    public init?(line: some StringProtocol, of vocabulary: Vocabulary = .hardware) throws(KeyFobWordError) {
        let parts = String(line).split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" }).map(String.init)
        guard let word = parts.first else { return nil }
        let arguments = Array(parts.dropFirst())
        switch word {
        case "l": self = try Self.key(.left, word, arguments)
        case "r": self = try Self.key(.right, word, arguments)
        case "a": self = try Self.alone(.toggleAdvertising, word, arguments)
        case "q": self = try Self.alone(.quit, word, arguments)
        case "b":
            guard arguments.count == 1, let percent = Int(arguments[0]), (0...100).contains(percent) else {
                throw Self.misuse(parts, of: "b takes a percentage from 0 to 100")
            }
            self = .battery(percent: percent)
        case "t":
            let counts = arguments.compactMap { Int8($0) }
            guard arguments.count == 3, counts.count == 3 else {
                throw Self.misuse(parts, of: "t takes three sensor counts from -128 to 127")
            }
            self = .tilt(Acceleration(x: counts[0], y: counts[1], z: counts[2]))
        case "tg":
            let g = arguments.compactMap { Double(decimal: $0) }
            guard arguments.count == 3, g.count == 3 else {
                throw Self.misuse(parts, of: "tg takes three accelerations in g, such as 0 -0.5 1")
            }
            self = .tiltInG(x: g[0], y: g[1], z: g[2])
        case "d":
            guard arguments.count == 1, let metres = Double(decimal: arguments[0]), metres >= 0 else {
                throw Self.misuse(parts, of: "d takes a distance in metres, such as 2.5")
            }
            self = .distance(metres: metres)
        case "central":
            guard let order = CentralWord(arguments) else {
                throw Self.misuse(
                    parts,
                    of:
                        "central is followed by connect, disconnect, read 2A19, write 1803/2A06 02, subscribe FFE1 or d METRES"
                )
            }
            self = .central(order)
        case "bluetooth" where vocabulary == .phone:
            guard arguments == ["on"] || arguments == ["off"] else {
                throw Self.misuse(parts, of: "bluetooth is followed by on or by off")
            }
            self = .bluetooth(arguments == ["on"])
        case "background" where vocabulary == .phone: self = try Self.alone(.background(true), word, arguments)
        case "foreground" where vocabulary == .phone: self = try Self.alone(.background(false), word, arguments)
        case "about" where vocabulary == .phone: self = try Self.alone(.about(true), word, arguments)
        case "back" where vocabulary == .phone: self = try Self.alone(.about(false), word, arguments)
        default:
            throw KeyFobWordError(
                description: "unknown word \(quoted(parts)): the words are \(vocabulary.words)"
            )
        }
    }

    private static func key(
        _ key: KeyFobKey,
        _ word: String,
        _ arguments: [String]
    ) throws(KeyFobWordError) -> Self {
        switch arguments {
        case []: return .click(key)
        case ["down"]: return .hold(key)
        case ["up"]: return .release(key)
        default: throw misuse([word] + arguments, of: "\(word) is followed by down, by up, or by nothing")
        }
    }

    private static func alone(
        _ meaning: Self,
        _ word: String,
        _ arguments: [String]
    ) throws(KeyFobWordError) -> Self {
        guard arguments.isEmpty else { throw misuse([word] + arguments, of: "\(word) stands alone") }
        return meaning
    }

    private static func misuse(_ parts: [String], of rule: String) -> KeyFobWordError {
        KeyFobWordError(description: "\(rule), not \(quoted(parts))")
    }
}

/// What the user typed, shortened and made harmless for a terminal.
private func quoted(_ parts: [String]) -> String {
    let scalars = parts.joined(separator: " ").unicodeScalars
    let beginning = scalars.prefix(40)
    return "\"" + String(beginning).shown + (beginning.endIndex < scalars.endIndex ? "…" : "") + "\""
}
