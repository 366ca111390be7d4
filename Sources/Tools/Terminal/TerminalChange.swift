import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// Settings of the terminal at standard input, changed for a while: also where the process is ended, or stopped and continued,
/// by a signal meanwhile, the terminal has its own settings while others have it.
final class TerminalChange: Sendable {
    private let before: termios
    private let meanwhile: termios
    /// How it is given back: `TCSANOW`, or `TCSAFLUSH`, which throws away what was typed and not read.
    private let givingBack: CInt
    private let isOver = Mutex(false)

    /// Nil if standard input is no terminal.
    ///
    /// - Parameter hidden: flags of `c_lflag` that are taken away.
    init?(without hidden: CInt, givingBack: CInt) {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        before = settings
        settings.c_lflag &= ~tcflag_t(hidden)
        meanwhile = settings
        self.givingBack = givingBack
        Signals.beforeForcedEnd {
            self.giveBack()
        } again: {
            self.takeAgain()
        }
        guard tcsetattr(STDIN_FILENO, TCSANOW, &settings) == 0 else { return nil }
    }

    /// Gives the terminal back, for good. Doing so twice does no harm.
    func end() {
        isOver.withLock { isOver in
            if !isOver { set(before, givingBack) }
            isOver = true
        }
    }

    private func giveBack() { isOver.withLock { if !$0 { set(before, givingBack) } } }

    private func takeAgain() { isOver.withLock { if !$0 { set(meanwhile, TCSANOW) } } }

    /// Not from the background: the process would be stopped (SIGTTOU), and the terminal is another process's then.
    /// `tcgetpgrp` fails where the terminal is not the controlling one, which has no background processes.
    private func set(_ settings: termios, _ way: CInt) {
        let foreground = tcgetpgrp(STDIN_FILENO)
        guard foreground < 0 || foreground == getpgrp() else { return }
        var settings = settings
        _ = tcsetattr(STDIN_FILENO, way, &settings)
    }
}
