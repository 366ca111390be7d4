#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The terminal that a process was started at, taken over for single keys and given back as it was.
///
/// Keys come one by one and are not echoed. Control-C still interrupts, so that ending stays in one place.
package struct RawTerminal {
    private let change: TerminalChange

    /// Takes the terminal over; nil if standard input or standard output is none.
    package init?() {
        // Unread keys are not for the shell.
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1,
            let change = TerminalChange(without: ICANON | ECHO, givingBack: TCSAFLUSH)
        else { return nil }
        self.change = change
    }

    /// Gives the terminal back. Doing so twice does no harm.
    package func restore() { change.end() }

    /// The window's width in columns; 80 if it will not say.
    package static var width: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// The parser of arguments stops the program where a line of help has no room beside what it is indented by: it is told of
    /// a window of 40 columns then.
    package static func leaveRoomForHelp() {
        let told = getenv("COLUMNS").flatMap { Int(String(cString: $0)) }
        if (told ?? width) < 40 { setenv("COLUMNS", "40", 1) }
    }
}
