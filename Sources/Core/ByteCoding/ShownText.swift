extension Unicode.Scalar {
    /// Whether it can be printed: it neither moves a terminal's cursor, nor turns the direction of writing, nor hides, and
    /// XML has it. Names and texts come from strangers; what is shown of them has no other characters.
    package var isShown: Bool {
        // Most text is ASCII, of which only control characters cannot be printed.
        if value < 0x7F { return value >= 0x20 }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: return false
        // A joiner makes one picture of several.
        case .format: return self == "\u{200D}"
        // What is not assigned today is a picture of next year's; 66 code points will never be.
        default: return value & 0xFFFE != 0xFFFE && !(0xFDD0...0xFDEF).contains(value)
        }
    }

    fileprivate var isPicture: Bool { !isASCII && properties.isEmoji }
}

extension StringProtocol {
    /// Whether a new name has no invisible characters, with which it could pass for another name. Joiners and variation selectors are
    /// allowed where they make one emoji or letter.
    package var isSeen: Bool {
        if isPlain { return true }
        let scalars = Array(unicodeScalars)
        return scalars.indices.allSatisfy { Self.isSeen($0, scalars) }
    }

    private static func isSeen(_ index: Int, _ scalars: [Unicode.Scalar]) -> Bool {
        let before = index > 0 ? scalars[index - 1] : nil, after = index + 1 < scalars.count ? scalars[index + 1] : nil
        switch scalars[index] {
        case "\u{2800}", "\u{FFFD}": return false
        case "\u{200D}":
            if before?.properties.canonicalCombiningClass == .virama { return true }
            let isModified = before == "\u{FE0F}" || before?.properties.isEmojiModifier == true
            let picture = isModified ? (index > 1 ? scalars[index - 2] : nil) : before
            return picture?.isPicture == true && after?.isPicture == true
        // Makes a picture of what is one of text, or a keycap of a digit.
        case "\u{FE0F}":
            guard let before, before.properties.isEmoji, !before.properties.isEmojiPresentation else { return false }
            return !before.isASCII || after == "\u{20E3}"
        case let scalar: return scalar.isShown && !scalar.properties.isDefaultIgnorableCodePoint
        }
    }

    /// The first scalar that cannot be printed, as in `U+001B`; nil if there is none.
    package var firstUnshown: String? {
        if isPlain { return nil }
        guard let scalar = unicodeScalars.first(where: { !$0.isShown }) else { return nil }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits
    }

    /// Whether it has nothing but characters of ASCII that can be printed, found out as fast as can be.
    private var isPlain: Bool {
        utf8.withContiguousStorageIfAvailable { $0.allSatisfy { $0 < 0x80 && Unicode.Scalar($0).isShown } } ?? false
    }

    /// For a message: what cannot be printed is replaced.
    package var shown: String {
        if isPlain { return String(self) }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isShown ? $0 : "\u{FFFD}" }))
    }

    /// For a message that quotes what strangers may make as long as they like: of a text of more than 600 bytes the beginning
    /// and the end.
    package var abridged: String {
        utf8.count <= 600 ? String(self) : "\(beginning(400)) … \(end(160))"
    }

    /// The first so many bytes of it at most. A character of its own has no greatest length: any number of accents may be on one
    /// letter.
    package func beginning(_ bytes: Int) -> String {
        var left = bytes
        return String(
            String.UnicodeScalarView(
                unicodeScalars.prefix { scalar in
                    left -= UTF8.width(scalar)
                    return left >= 0
                }
            )
        )
    }

    /// The last so many bytes of it at most.
    private func end(_ bytes: Int) -> String {
        var left = bytes, start = unicodeScalars.endIndex
        while start > unicodeScalars.startIndex {
            let before = unicodeScalars.index(before: start)
            left -= UTF8.width(unicodeScalars[before])
            guard left >= 0 else { break }
            start = before
        }
        return String(self[start...])
    }

    /// Without the mark that some programs write before text in UTF-8.
    package var withoutByteOrderMark: SubSequence {
        unicodeScalars.first == "\u{FEFF}" ? self[unicodeScalars.index(after: startIndex)...] : self[...]
    }
}
