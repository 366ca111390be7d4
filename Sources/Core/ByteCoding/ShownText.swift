extension Unicode.Scalar {
    /// Whether it can be printed: it neither moves a terminal's cursor, nor turns the direction of writing, nor hides, and
    /// XML has it. Names and texts come from strangers; what is shown of them has no other characters.
    package var isShown: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: false
        // A joiner makes one picture of several.
        case .format: self == "\u{200D}"
        // What is not assigned today is a picture of next year's.
        default: !properties.isNoncharacterCodePoint
        }
    }
}

extension StringProtocol {
    /// The first scalar that cannot be printed, as in `U+001B`; nil if there is none.
    package var firstUnshown: String? {
        guard let scalar = unicodeScalars.first(where: { !$0.isShown }) else { return nil }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: Swift.max(0, 4 - digits.count)) + digits
    }

    /// For a message: what cannot be printed is replaced.
    package var shown: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.isShown ? $0 : "\u{FFFD}" }))
    }

    /// For a message that quotes what strangers may make as long as they like: of a text of more than 600 bytes the beginning
    /// and the end.
    package var abridged: String {
        utf8.count <= 600 ? String(self) : "\(prefix(400)) … \(suffix(160))"
    }

    /// Without the mark that some programs write before text in UTF-8.
    package var withoutByteOrderMark: SubSequence {
        unicodeScalars.first == "\u{FEFF}" ? self[unicodeScalars.index(after: startIndex)...] : self[...]
    }
}
