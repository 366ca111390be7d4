import BluethroatByteCoding

/// A value on a command line that was refused without a reason, such as letters where a number is wanted.
package enum RefusedValue {
    /// The message with what the help says of the option; as it was where it has a reason already. Of a long one the beginning
    /// and the end.
    ///
    /// - Parameters:
    ///   - message: what the parser has found, such as `The value 'x' is invalid for '--phones <n>'`.
    ///   - help: the command's help, each text in a line of its own.
    package static func explained(_ message: String, help: String) -> String {
        let mark = " is invalid for '", message = message.abridged
        guard message.hasSuffix(">'"), let label = message.split(separator: mark).dropFirst().last?.dropLast(),
            let text = text(of: String(label), in: help)
        else { return message }
        return "\(message), which says: \(text)"
    }

    /// What stands behind the label, or in the next line where the label is long.
    private static func text(of label: String, in help: String) -> String? {
        var lines = help.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = lines.popFirst() {
            let words = line.drop { $0 == " " }
            guard words.hasPrefix(label) else { continue }
            let text = words.dropFirst(label.count).drop { $0 == " " }
            return (text.isEmpty ? lines.first?.drop { $0 == " " } : text).map(String.init)
        }
        return nil
    }
}
