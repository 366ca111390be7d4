#if os(Linux)
    import Foundation

    /// What the thread of a terminal port does: waits for programs to open lines, and carries bytes.
    struct TerminalExchange: Sendable {
        /// A line that is open, and the socket that stands for it.
        private struct Pair {
            var line: Flow
            var socket: Flow
            /// The line's program is gone; what it sent last is still to be written to the socket.
            var isEnding = false
        }

        /// One side of a pair, with what is to be written to it.
        private struct Flow {
            let descriptor: CInt
            var unsent: [UInt8] = []
            /// Whether more may be read for it.
            var hasRoom: Bool { unsent.count < 1 << 16 }
        }

        private let link: TerminalLink
        /// Can be opened now; nil if no more can be had for the time being.
        private var fresh: TerminalLine?
        /// What the watch calls it.
        private var freshWatch: CInt
        /// Where the link leads.
        private var offered: String
        private let watch: CInt
        private let wakeUp: CInt
        private let accept: @Sendable (CInt) -> Void
        private var pairs: [Pair] = []

        init(
            link: TerminalLink,
            fresh: TerminalLine,
            freshWatch: CInt,
            watch: CInt,
            wakeUp: CInt,
            accept: @escaping @Sendable (CInt) -> Void
        ) {
            (self.link, self.fresh, self.freshWatch, offered) = (link, fresh, freshWatch, fresh.device)
            (self.watch, self.wakeUp, self.accept) = (watch, wakeUp, accept)
        }

        /// Runs until a byte comes at `wakeUp`, and closes all but that.
        mutating func run() {
            while !step() {}
            link.remove(from: offered)
            fresh?.close()
            for pair in pairs { Self.end(pair) }
            _ = close(watch)
        }

        /// Waits until something can be done, and does it. True at the end.
        private mutating func step() -> Bool {
            var polled = [
                pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
                pollfd(fd: watch, events: Int16(POLLIN), revents: 0),
            ]
            for pair in pairs {
                polled.append(Self.pollEntry(pair.line, reads: pair.socket.hasRoom && !pair.isEnding))
                polled.append(Self.pollEntry(pair.socket, reads: pair.line.hasRoom && !pair.isEnding))
            }
            // Without a line that can be opened it looks again when one may be had.
            guard poll(&polled, nfds_t(polled.count), fresh == nil ? 1_000 : -1) >= 0 else { return false }
            if polled[0].revents != 0 { return true }
            var rest = pairs
            pairs = []
            for index in rest.indices {
                let (line, socket) = (polled[2 + 2 * index], polled[3 + 2 * index])
                if Self.carry(&rest[index], line.revents != 0, socket.revents != 0) {
                    pairs.append(rest[index])
                } else {
                    Self.end(rest[index])
                }
            }
            if polled[1].revents != 0 { noticeOpening() }
            if fresh == nil { offer() }
            return false
        }

        // MARK: Lines

        /// If somebody has opened the line that can be opened, it is in use from now on.
        private mutating func noticeOpening() {
            guard isOpened(), let line = fresh else { return }
            fresh = nil
            inotify_rm_watch(watch, freshWatch)
            line.letGo()
            var ends: [CInt] = [-1, -1]
            let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
            // Before the next line, which would take the descriptors that this one needs if there are few.
            let hasSocket = socketpair(AF_UNIX, kind, 0, &ends) == 0
            offer()
            guard hasSocket else {
                _ = close(line.descriptor)
                return
            }
            pairs.append(Pair(line: Flow(descriptor: line.descriptor), socket: Flow(descriptor: ends[0])))
            accept(ends[1])
        }

        /// Takes what the watch has to report: the opening, and that former lines are watched no longer.
        private func isOpened() -> Bool {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = read(watch, &buffer, buffer.count)
            let header = MemoryLayout<inotify_event>.size
            var (start, isOpened) = (0, false)
            while start + header <= count {
                let event = buffer.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: start, as: inotify_event.self) }
                if event.wd == freshWatch, event.mask & UInt32(IN_OPEN) != 0 { isOpened = true }
                start += header + Int(event.len)
            }
            return isOpened
        }

        /// The next program that comes gets a line of its own; none where there is none, rather than somebody else's.
        private mutating func offer() {
            guard let line = try? TerminalLine() else { return link.remove(from: offered) }
            let number = inotify_add_watch(watch, line.device, UInt32(IN_OPEN))
            guard number >= 0, (try? link.lead(to: line.device)) != nil else {
                line.close()
                return link.remove(from: offered)
            }
            (fresh, freshWatch, offered) = (line, number, line.device)
        }

        private static func end(_ pair: Pair) {
            _ = close(pair.line.descriptor)
            _ = close(pair.socket.descriptor)
        }

        // MARK: Bytes

        private static func pollEntry(_ flow: Flow, reads: Bool) -> pollfd {
            let wanted = (reads ? POLLIN : 0) | (flow.unsent.isEmpty ? 0 : POLLOUT)
            // What has hung up reports so without being asked.
            return pollfd(fd: wanted == 0 ? -1 : flow.descriptor, events: Int16(wanted), revents: 0)
        }

        /// Carries what there is both ways. False if the pair is at its end.
        private static func carry(_ pair: inout Pair, _ lineIsReady: Bool, _ socketIsReady: Bool) -> Bool {
            if lineIsReady, !pair.isEnding, pair.socket.hasRoom, !move(from: pair.line, to: &pair.socket) {
                pair.isEnding = true
            }
            if socketIsReady, !pair.isEnding, pair.line.hasRoom, !move(from: pair.socket, to: &pair.line) {
                return false
            }
            guard flush(&pair.socket, isSocket: true) else { return false }
            if pair.isEnding { return !pair.socket.unsent.isEmpty }
            // What the program has sent last is still to be read, and then says that it is gone.
            if !flush(&pair.line, isSocket: false) { pair.line.unsent = [] }
            return true
        }

        /// One read. False if nothing follows.
        private static func move(from source: Flow, to sink: inout Flow) -> Bool {
            var buffer = [UInt8](repeating: 0, count: 16_384)
            let count = read(source.descriptor, &buffer, buffer.count)
            guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
            sink.unsent += buffer[..<count]
            return true
        }

        /// Writes what can be written. False if nobody reads there any more.
        private static func flush(_ flow: inout Flow, isSocket: Bool) -> Bool {
            while !flow.unsent.isEmpty {
                let count =
                    isSocket
                    ? send(flow.descriptor, flow.unsent, flow.unsent.count, CInt(MSG_NOSIGNAL))
                    : write(flow.descriptor, flow.unsent, flow.unsent.count)
                guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
                flow.unsent.removeFirst(count)
            }
            return true
        }
    }
#endif
