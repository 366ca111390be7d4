import Foundation
import Synchronization

/// A terminal that shows nothing of what is typed. It shows it again at the end of the process at the latest.
package struct HiddenTyping {
    private let change: TerminalChange
    /// What has not ended yet.
    private static let underWay = Mutex<HiddenTyping?>(nil)
    /// Restores echo when the process exits while a password is being typed: `end()` is then not reached.
    private static let endsWithProcess: Void = {
        atexit { HiddenTyping.underWay.withLock { $0 }?.end() }
    }()

    /// Nil if standard input is no terminal.
    package init?() {
        Self.endsWithProcess
        guard let change = TerminalChange(without: ECHO, givingBack: TCSANOW) else { return nil }
        self.change = change
        Self.underWay.withLock { $0 = self }
    }

    /// Asks for the same text twice, at a terminal.
    package static func askTwice(_ prompt: String, _ again: String) -> (String, String) {
        let hidden = HiddenTyping()
        defer { hidden?.end() }
        StandardError.writeBytes(prompt)
        let first = readLine() ?? ""
        StandardError.writeBytes("\n" + again)
        let second = readLine() ?? ""
        StandardError.writeBytes("\n")
        return (first, second)
    }

    package func end() {
        Self.underWay.withLock { $0 = nil }
        change.end()
    }
}
