import Foundation

/// Where words come from. Its end is no reason to stop.
package enum StandardInput {
    /// Calls `done` when everything that was posted before has been carried out.
    package typealias Pace = @Sendable (_ done: @escaping @Sendable () -> Void) -> Void

    /// Reads on a thread of its own, and gives each piece of it to `take`; the last one is empty.
    ///
    /// - Parameter pace: only a few pieces are read before what came of them has been carried out. Otherwise a file, or a program
    ///   that never stops, would fill the memory, and Control-C would come behind all of it.
    package static func read(pacedBy pace: @escaping Pace, _ take: sending @escaping (ArraySlice<UInt8>) -> Void) {
        nonisolated(unsafe) let take = take
        let input = PacedInput()
        input.start(4_096) { piece in
            take(piece[...])
            pace { input.taken() }
        }
    }

    package static var isTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Reads on a thread of its own and hands on each line without its end, and nil at the end. What was typed before at
    /// a terminal is forgotten: it was not meant for this.
    package static func readLines(
        pacedBy pace: @escaping Pace = { $0() },
        _ heard: @escaping @Sendable (String?) -> Void
    ) {
        if isTerminal { _ = tcflush(STDIN_FILENO, TCIFLUSH) }
        var line: [UInt8] = []
        read(pacedBy: pace) { piece in
            for byte in piece {
                if byte != UInt8(ascii: "\n") { line.append(byte) }
                guard byte == UInt8(ascii: "\n") || line.count >= longestLine else { continue }
                if line.last == UInt8(ascii: "\r") { line.removeLast() }
                heard(String(decoding: line, as: UTF8.self))
                line = []
            }
            guard piece.isEmpty else { return }
            if !line.isEmpty { heard(String(decoding: line, as: UTF8.self)) }
            heard(nil)
        }
    }

    /// In bytes. What never ends is handed on in pieces of that length.
    private static let longestLine = 2 << 20

    /// Puts something harmless where a standard stream was closed, so that no socket gets its number.
    package static func fillGaps() {
        for stream in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(stream, F_GETFD) == -1 {
            // The lowest free number is this one.
            _ = open("/dev/null", stream == STDIN_FILENO ? O_RDONLY : O_WRONLY)
        }
    }
}
