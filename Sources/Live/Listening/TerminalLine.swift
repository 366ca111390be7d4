#if os(Linux)
    import Foundation

    /// One pseudo-terminal: the side that its maker holds, raw, and the device that a program opens. Only processes of this
    /// user, and of root, can open the device.
    struct TerminalLine: Sendable {
        /// The maker's side; reading and writing do not block.
        let descriptor: CInt
        /// The device: `/dev/pts/7`.
        let device: String
        /// Keeps the device open: a line that nobody has open is at its end.
        private let hold: CInt

        init() throws(ListeningFailure) {
            var (ours, theirs): (CInt, CInt) = (-1, -1)
            var name = [CChar](repeating: 0, count: 128)
            guard openpty(&ours, &theirs, &name, nil, nil) == 0 else { throw .system(errno) }
            (descriptor, hold) = (ours, theirs)
            device = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            var settings = termios()
            _ = tcgetattr(ours, &settings)
            // Also for a program that leaves the line as it finds it.
            cfmakeraw(&settings)
            // The group tty may write to terminals.
            guard chmod(device, 0o600) == 0, tcsetattr(ours, TCSANOW, &settings) == 0,
                fcntl(ours, F_SETFL, fcntl(ours, F_GETFL) | O_NONBLOCK) == 0,
                fcntl(ours, F_SETFD, FD_CLOEXEC) == 0, fcntl(theirs, F_SETFD, FD_CLOEXEC) == 0
            else {
                let code = errno
                close()
                throw .system(code)
            }
        }

        /// A program has opened it, and its end is the line's.
        func letGo() { _ = Glibc.close(hold) }

        /// The end of a line that nobody has opened.
        func close() {
            letGo()
            _ = Glibc.close(descriptor)
        }
    }

    /// A symbolic link that leads to the device that can be opened now.
    struct TerminalLink: Sendable {
        let path: String

        /// Refuses a path at which there is something, but for a link that a killed process has left: one into `/dev/pts`
        /// whose device is gone.
        init(_ path: String) throws(ListeningFailure) {
            self.path = path
            var found = stat()
            guard lstat(path, &found) == 0 else {
                if errno == ENOENT { return }
                throw .system(errno)
            }
            guard found.st_uid == geteuid(), let device = target, access(device, F_OK) != 0 else { throw .pathTaken }
        }

        /// Where it leads, if it is a link to a pseudo-terminal.
        private var target: String? {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = bytes.withUnsafeMutableBytes { readlink(path, $0.baseAddress!, $0.count) }
            guard count > 0, count < bytes.count else { return nil }
            let target = String(decoding: bytes[..<count], as: UTF8.self)
            return target.hasPrefix("/dev/pts/") ? target : nil
        }

        /// From now on it leads there; at no time is there none.
        func lead(to device: String) throws(ListeningFailure) {
            // A random name, which another user of a shared folder such as /tmp cannot create first.
            let next = "\(path).\(String(UInt64.random(in: .min ... .max), radix: 16))"
            guard symlink(device, next) == 0 else { throw .system(errno) }
            guard rename(next, path) == 0 else {
                let code = errno
                unlink(next)
                throw .system(code)
            }
        }

        /// Removes it if it still leads there: another program may have put something else in its place.
        func remove(from device: String) {
            if target == device { unlink(path) }
        }
    }
#endif
