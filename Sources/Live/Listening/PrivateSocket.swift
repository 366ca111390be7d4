import Foundation
import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A Unix stream socket that only its user can connect to: its file has the mode 0600, and where the system says who
/// connected (`SO_PEERCRED`) that is checked as well.
enum PrivateSocket {
    /// The file of a socket.
    struct Place: Sendable {
        private let path: String
        /// Device and inode; nil if it was gone at once.
        private let file: [UInt64]?

        fileprivate init(_ path: String) {
            self.path = path
            file = Self.file(at: path)
        }

        /// Removes it if it is still there: another program may have put something else in its place.
        func remove() {
            if let file, Self.file(at: path) == file { unlink(path) }
        }

        private static func file(at path: String) -> [UInt64]? {
            var found = stat()
            return lstat(path, &found) == 0 ? [UInt64(truncatingIfNeeded: found.st_dev), UInt64(found.st_ino)] : nil
        }
    }

    static func bind(_ bootstrap: ServerBootstrap, to path: String) async throws -> (any Channel, Place) {
        let descriptor = try open(path)
        let place = Place(path)
        do {
            return (try await bootstrap.withBoundSocket(descriptor).get(), place)
        } catch {
            place.remove()
            throw error
        }
    }

    /// A socket with its file, which nothing has connected to yet.
    private static func open(_ path: String) throws(ListeningFailure) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8) + [0]
        guard bytes.count <= MemoryLayout.size(ofValue: address.sun_path) else {
            throw .other("the path of a socket has \(MemoryLayout.size(ofValue: address.sun_path) - 1) bytes at most")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        #if os(Linux)
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw .other(String(cString: strerror(errno))) }
        removeIfDead(path, address)
        // Before it is bound, so that the file never has another mode.
        _ = fchmod(descriptor, 0o600)
        let outcome = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                #if os(Linux)
                    Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                #else
                    Darwin.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                #endif
            }
        }
        guard outcome == 0 else {
            let code = errno
            _ = close(descriptor)
            throw code == EADDRINUSE ? .pathTaken : .other(String(cString: strerror(code)))
        }
        return descriptor
    }

    /// Removes what a process left that was killed: a socket of this user that refuses connections.
    private static func removeIfDead(_ path: String, _ address: sockaddr_un) {
        var found = stat()
        guard lstat(path, &found) == 0, found.st_mode & S_IFMT == S_IFSOCK, found.st_uid == geteuid() else { return }
        #if os(Linux)
            let probe = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #else
            let probe = socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
        guard probe >= 0 else { return }
        defer { _ = close(probe) }
        let outcome = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(probe, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if outcome != 0, errno == ECONNREFUSED { unlink(path) }
    }

    /// What `SO_PEERCRED` answers: `struct ucred`.
    private struct Peer: Sendable {
        var process: Int32
        var user: UInt32
        var group: UInt32
    }

    /// Whether a process of this user, or of root, is at the other end. Where the system does not say, the file's mode
    /// decides.
    static func isOwn(_ channel: any Channel) -> Bool {
        #if os(Linux)
            guard let options = channel as? any SocketOptionProvider else { return false }
            let answer = NIOLockedValueBox(false)
            let question: EventLoopFuture<Peer> = options.unsafeGetSocketOption(
                level: .socket,
                name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
            )
            // On the channel's own thread the answer is there at once.
            question.assumeIsolated().whenSuccess { peer in
                answer.withLockedValue { $0 = peer.user == geteuid() || peer.user == 0 }
            }
            return answer.withLockedValue { $0 }
        #else
            return true
        #endif
    }
}
