import Foundation

/// Where words come from. Its end is no reason to stop.
package enum StandardInput {
    /// Calls what it is given when all is done that somebody was told before.
    package typealias Pace = @Sendable (_ done: @escaping @Sendable () -> Void) -> Void

    /// Reads on a thread of its own, and gives each piece of it to `take`; the last one is empty.
    ///
    /// - Parameter pace: the next piece is read when it says that what came of the one before is done: else a file, or a program
    ///   that never stops, would fill the memory, and Control-C come behind all of it.
    package static func read(pacedBy pace: @escaping Pace, _ take: sending @escaping (ArraySlice<UInt8>) -> Void) {
        nonisolated(unsafe) let take = take
        Thread.detachNewThread {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                if count < 0, errno == EAGAIN {
                    // Another process has left the descriptor non-blocking.
                    var wait = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
                    _ = poll(&wait, 1, -1)
                    continue
                }
                guard count > 0 else { break }
                take(buffer[..<count])
                let isDone = DispatchSemaphore(value: 0)
                pace { isDone.signal() }
                isDone.wait()
            }
            take([])
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
