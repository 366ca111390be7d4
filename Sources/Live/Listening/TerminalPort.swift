#if os(Linux)
    import Foundation
    import Synchronization

    /// A path at which programs find pseudo-terminals, each opening one of its own, as each connection to a socket is one of
    /// its own. The path is a symbolic link to a device that nobody has opened yet; the moment somebody opens it, the link
    /// leads to another one, or is gone as long as the process can have none. Before that moment a second program may have
    /// opened the same device: no system call tells that from one opening.
    ///
    /// What is on a line is carried to a socket and back, by one thread for all lines of the port: a terminal reports the
    /// end of its program as an error, and may be opened again after that, which no socket does. The line ends with its
    /// program, and with the socket.
    final class TerminalPort: Sendable {
        private struct State {
            var thread: CInt?
            var whenClosed: [@Sendable () -> Void] = []
        }

        private let wakeUp: CInt
        private let state: Mutex<State>

        /// Opens the port.
        ///
        /// - Parameter accept: called on the port's thread with a connected stream socket for each line that is opened;
        ///   the callee closes it.
        init(at path: String, accept: @escaping @Sendable (CInt) -> Void) throws(ListeningFailure) {
            let link = try TerminalLink(path)
            let line = try TerminalLine()
            let watch = inotify_init1(CInt(IN_NONBLOCK) | CInt(IN_CLOEXEC))
            let number = inotify_add_watch(watch, line.device, UInt32(IN_OPEN))
            var pipe: [CInt] = [-1, -1]
            do throws(ListeningFailure) {
                guard number >= 0, Glibc.pipe(&pipe) == 0 else { throw .system(errno) }
                for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
                try link.lead(to: line.device)
            } catch {
                for descriptor in [watch] + pipe where descriptor >= 0 { _ = Glibc.close(descriptor) }
                line.close()
                throw error
            }
            wakeUp = pipe[1]
            state = Mutex(State(thread: pipe[0]))
            let exchange = TerminalExchange(
                link: link,
                fresh: line,
                freshWatch: number,
                watch: watch,
                wakeUp: pipe[0],
                accept: accept
            )
            Thread.detachNewThread {
                var exchange = exchange
                exchange.run()
                self.ended()
            }
        }

        /// Removes the link, and ends each line.
        func close() async {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.thread != nil else { return true }
                    state.whenClosed.append { continuation.resume() }
                    var byte: UInt8 = 0
                    if state.whenClosed.count == 1 { _ = write(wakeUp, &byte, 1) }
                    return false
                }
                if isOver { continuation.resume() }
            }
        }

        private func ended() {
            let waiting = state.withLock { state in
                if let descriptor = state.thread.take() { _ = Glibc.close(descriptor) }
                _ = Glibc.close(wakeUp)
                defer { state.whenClosed = [] }
                return state.whenClosed
            }
            for resume in waiting { resume() }
        }
    }
#endif
