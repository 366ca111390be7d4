import Foundation

/// A terminal that shows nothing of what is typed.
package struct HiddenTyping {
    private let before: termios

    /// Nil if standard input is no terminal.
    package init?() {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        before = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        guard tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 else { return nil }
    }

    /// Asks for the same text twice, at a terminal.
    package static func askTwice(_ prompt: String, _ again: String) -> (String, String) {
        let hidden = HiddenTyping()
        Signals.beforeForcedEnd { hidden?.end() }
        defer { hidden?.end() }
        StandardError.writeBytes(prompt)
        let first = readLine() ?? ""
        StandardError.writeBytes("\n" + again)
        let second = readLine() ?? ""
        StandardError.writeBytes("\n")
        return (first, second)
    }

    package func end() {
        var settings = before
        _ = tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }
}
