import BluethroatByteCoding
import Foundation
import Synchronization

/// Where results go. A reader that has gone away is a quiet end, not an error; a full disk is one.
package enum StandardOutput {
    private static let broken = Atomic<Bool>(false)
    private static let lost = Atomic<Bool>(false)

    /// Whether nothing can be written any more.
    package static var isBroken: Bool { broken.load(ordering: .relaxed) }

    /// Whether there was no room for something that was to be written.
    package static var hasLost: Bool { lost.load(ordering: .relaxed) }

    package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether colours are welcome: at a terminal, unless `NO_COLOR` says otherwise (no-color.org).
    package static var takesColours: Bool {
        let environment = ProcessInfo.processInfo.environment
        return isTerminal && environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
    }

    /// Writes a line, or several, at once. What is quoted in it, a stranger's name or text, moves no cursor.
    package static func write(_ line: String) { writeBytes(shown(line) + "\n") }

    /// What cannot be printed is replaced; the ends of lines between several stay.
    private static func shown(_ text: String) -> String {
        guard text.firstUnshown != nil else { return text }
        // Scalars, since a carriage return makes one character with an end of line.
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { String($0).shown }.joined(separator: "\n")
    }

    /// Writes a line; at a terminal it is wrapped between words at the width of the window.
    package static func writeFolded(_ line: String) {
        guard isTerminal else { return write(line) }
        for piece in line.folded(to: RawTerminal.width) { write(String(piece)) }
    }

    /// Writes text as it is.
    package static func writeBytes(_ text: String) {
        var text = text
        text.withUTF8 { write(UnsafeRawBufferPointer($0)) }
    }

    /// Writes bytes as they are.
    package static func writeBytes(_ bytes: [UInt8]) { bytes.withUnsafeBytes { write($0) } }

    private static func write(_ bytes: UnsafeRawBufferPointer) {
        guard !isBroken, let reason = Descriptor.write(bytes, to: STDOUT_FILENO) else { return }
        broken.store(true, ordering: .relaxed)
        if [ENOSPC, EDQUOT, EFBIG].contains(reason) {
            lost.store(true, ordering: .relaxed)
            StandardError.write("cannot write the output: \(String(cString: strerror(reason)))")
        }
        Signals.end(waitsForListener: true)
    }
}

/// Where errors, hints and progress go.
package enum StandardError {
    package static var isTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Writes a line. What is quoted in it, a path or a name, moves no cursor.
    package static func write(_ line: String) { writeBytes(line.shown + "\n") }

    /// Writes text as it is.
    package static func writeBytes(_ text: String) {
        if yields.exchange(false, ordering: .relaxed) { Thread.sleep(forTimeInterval: 5) }
        _ = Descriptor.write(text, to: STDERR_FILENO)
    }

    /// What is written first waits for five seconds: another process of the same kind may say the same, and `mpirun` ends this
    /// one then, a second or so later.
    package static func yield() { yields.store(true, ordering: .relaxed) }

    private static let yields = Atomic<Bool>(false)

    /// A question for the person at the terminal.
    package static func prompt(_ text: String) {
        guard isTerminal else { return }
        hasPrompt.store(true, ordering: .relaxed)
        writeBytes(text)
    }

    /// Ends the line of a question that was not answered; an answer ends it with Return.
    package static func endPrompt(isAnswered: Bool = false) {
        if hasPrompt.exchange(false, ordering: .relaxed), !isAnswered { writeBytes("\n") }
    }

    private static let hasPrompt = Atomic<Bool>(false)

    /// A hint for the person at the terminal.
    package static func hint(_ line: String) {
        if isTerminal { write(line) }
    }
}

private enum Descriptor {
    /// The error, if it cannot be written.
    static func write(_ text: String, to descriptor: CInt) -> CInt? {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    /// The same with bytes.
    static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> CInt? {
        var rest = bytes
        while !rest.isEmpty {
            let count = Foundation.write(descriptor, rest.baseAddress!, rest.count)
            if count >= 0 {
                rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
            } else if errno == EAGAIN {
                var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&wait, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return nil
    }
}
