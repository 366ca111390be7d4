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

        /// How programs have opened a line and closed it.
        private struct Openings {
            var now = 0
            var most = 0

            mutating func note(_ mask: UInt32) {
                if mask & UInt32(IN_OPEN) != 0 { now += 1 }
                if mask & (UInt32(IN_CLOSE_WRITE) | UInt32(IN_CLOSE_NOWRITE)) != 0 { now -= 1 }
                most = max(most, now)
            }
        }

        /// What is watched for at a line that can be opened.
        static let watched = UInt32(IN_OPEN) | UInt32(IN_CLOSE_WRITE) | UInt32(IN_CLOSE_NOWRITE)

        private let link: TerminalLink
        /// Can be opened now; nil if no more can be had for the time being.
        private var fresh: TerminalLine?
        /// What the watch calls it.
        private var freshWatch: CInt
        /// Where the link leads.
        private var offered: String
        /// Of the lines that are watched and have been opened.
        private var openings: [CInt: Openings] = [:]
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
                polled.append(Self.wish(pair.line, reads: pair.socket.hasRoom && !pair.isEnding))
                polled.append(Self.wish(pair.socket, reads: pair.line.hasRoom && !pair.isEnding))
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

        /// If somebody has opened the line that can be opened, it is in use from now on; and so is the next one, if somebody
        /// has opened that meanwhile.
        private mutating func noticeOpening() {
            readWatch()
            while let line = fresh, openings[freshWatch] != nil {
                let number = freshWatch
                fresh = nil
                offer()
                // Whoever comes now gets another line; whoever has come since the first one has this one.
                readWatch()
                let most = openings.removeValue(forKey: number)?.most ?? 0
                inotify_rm_watch(watch, number)
                line.letGo()
                var ends: [CInt] = [-1, -1]
                let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
                // Two programs on one line would get each other's answers: both hear that it hangs up.
                guard most == 1, socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
                    _ = close(line.descriptor)
                    continue
                }
                pairs.append(Pair(line: Flow(descriptor: line.descriptor), socket: Flow(descriptor: ends[0])))
                accept(ends[1])
            }
            openings = openings.filter { $0.key == freshWatch }
        }

        /// Takes what the watch has to report. What it says of lines in use does not count.
        private mutating func readWatch() {
            let header = MemoryLayout<inotify_event>.size
            var buffer = [UInt8](repeating: 0, count: 4_096)
            while true {
                let count = read(watch, &buffer, buffer.count)
                guard count > 0 else { break }
                var start = 0
                while start + header <= count {
                    let event = buffer.withUnsafeBytes {
                        $0.loadUnaligned(fromByteOffset: start, as: inotify_event.self)
                    }
                    if event.mask & Self.watched != 0 { openings[event.wd, default: Openings()].note(event.mask) }
                    start += header + Int(event.len)
                }
            }
        }

        /// The next program that comes gets a line of its own.
        private mutating func offer() {
            guard let line = try? TerminalLine() else { return }
            let number = inotify_add_watch(watch, line.device, Self.watched)
            guard number >= 0, (try? link.lead(to: line.device)) != nil else { return line.close() }
            (fresh, freshWatch, offered) = (line, number, line.device)
        }

        private static func end(_ pair: Pair) {
            _ = close(pair.line.descriptor)
            _ = close(pair.socket.descriptor)
        }

        // MARK: Bytes

        private static func wish(_ flow: Flow, reads: Bool) -> pollfd {
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
