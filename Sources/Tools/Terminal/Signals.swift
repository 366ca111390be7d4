import Foundation
import Synchronization

/// Where a signal's handler leaves its number. Plain storage, since a handler may do next to nothing.
private nonisolated(unsafe) var signalPipe: CInt = -1

/// SIGINT, SIGTERM and SIGHUP ask the command to end; asked twice it ends at once.
///
/// Real handlers, rather than a thread that waits with the signals blocked: the main thread of an asynchronous program
/// sleeps with nothing blocked.
package enum Signals {
    private struct State {
        var ask: (@Sendable () -> Void)?
        var restore: (@Sendable () -> Void)?
        var again: (@Sendable () -> Void)?
        var resized: (@Sendable () -> Void)?
        /// There was a reason to end, and no listener as yet.
        var isDue = false
    }

    private static let state = Mutex(State())

    /// From now on these signals are handled here. Writing to a pipe without a reader, or beyond the length that a file may
    /// have (`ulimit -f`), is an error code, and no signal.
    package static func takeOver() {
        for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
        var ends: [CInt] = [-1, -1]
        precondition(pipe(&ends) == 0, "the operating system gives no pipe")
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        signalPipe = ends[1]
        for number in [SIGINT, SIGTERM, SIGWINCH, SIGCONT] { handle(number) }
        // nohup has SIGHUP ignored.
        if !isIgnored(SIGHUP) { handle(SIGHUP) }
        for number in leftToSystem where !isIgnored(number) { handle(number) }
        let receiver = ends[0]
        Thread.detachNewThread {
            var number: UInt8 = 0
            while true {
                let count = read(receiver, &number, 1)
                if count == 1 { received(CInt(number)) } else if errno != EINTR { return }
            }
        }
    }

    /// What ends or stops the process as the system does it; the terminal is as it was before.
    private static let leftToSystem = [SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGTSTP]

    /// Whether a signal is to be left as it is, as a shell demands for what runs in the background.
    private static func isIgnored(_ number: CInt) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        #if canImport(Darwin)
            let handler = action.__sigaction_u.__sa_handler
        #else
            let handler = action.__sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Has the signal's default action happen. The signal is unblocked first: a thread inherits the mask of its creator.
    private static func takeDefault(_ number: CInt) {
        signal(number, SIG_DFL)
        var set = sigset_t()
        sigemptyset(&set)
        sigaddset(&set, number)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
    }

    private static func handle(_ number: CInt) {
        var action = sigaction()
        let note: @convention(c) (CInt) -> Void = { number in
            let before = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(signalPipe, &byte, 1)
            errno = before
        }
        #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = note
        #else
            action.__sigaction_handler.sa_handler = note
        #endif
        action.sa_flags = CInt(SA_RESTART)
        sigaction(number, &action, nil)
    }

    private static func received(_ number: CInt) {
        if number == SIGWINCH {
            state.withLock(\.resized)?()
        } else if number == SIGCONT {
            state.withLock(\.again)?()
        } else if leftToSystem.contains(number) {
            state.withLock(\.restore)?()
            takeDefault(number)
            // It was stopped, and goes on; or it was not, as where no shell could continue it.
            handle(number)
            state.withLock(\.again)?()
        } else if !end() {
            // No listener, or asked already: then now.
            state.withLock(\.restore)?()
            _exit(128 + number)
        }
    }

    /// Calls this once when the command is asked to end. Without a listener a signal ends the process.
    package static func whenAsked(_ ask: @escaping @Sendable () -> Void) {
        let isDue = state.withLock { state in
            if !state.isDue { state.ask = ask }
            return state.isDue
        }
        if isDue { ask() }
    }

    /// Calls `restore` before the process is ended or stopped without being asked, and `again` when it goes on.
    package static func beforeForcedEnd(
        _ restore: @escaping @Sendable () -> Void,
        again: @escaping @Sendable () -> Void
    ) {
        state.withLock { ($0.restore, $0.again) = (restore, again) }
    }

    /// Calls this whenever the terminal's window has another size.
    package static func whenResized(_ resized: @escaping @Sendable () -> Void) {
        state.withLock { $0.resized = resized }
    }

    /// Asks the command to end; false if it was asked before, or if there is no listener.
    ///
    /// - Parameter waitsForListener: whether a listener that comes later is asked at once.
    @discardableResult
    package static func end(waitsForListener: Bool = false) -> Bool {
        let ask = state.withLock { state in
            defer { state.ask = nil }
            if waitsForListener, state.ask == nil { state.isDue = true }
            return state.ask
        }
        ask?()
        return ask != nil
    }

    /// Whether the command has been asked to end, for what looks now and then.
    package final class EndRequest: Sendable {
        private let flag = Atomic(false)
        private let isOver = Atomic(false)

        package var isAsked: Bool { flag.load(ordering: .relaxed) }

        /// The command has ended what it was at.
        package func end() { isOver.store(true, ordering: .relaxed) }

        /// How long a command may go on until it is ended all the same: it waits at a pipe, or computes something large, on
        /// one of its threads at least.
        private static let patience = 2.0

        fileprivate func ask() {
            flag.store(true, ordering: .relaxed)
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: Self.patience)
                guard !self.isOver.load(ordering: .relaxed) else { return }
                state.withLock(\.restore)?()
                StandardError.write("interrupted")
                _exit(1)
            }
        }
    }

    /// Notes when the command is asked to end. One that has not said `end()` two seconds later is ended.
    package static func endRequest() -> EndRequest {
        let request = EndRequest()
        whenAsked { request.ask() }
        return request
    }
}
