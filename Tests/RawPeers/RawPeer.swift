import Foundation

/// A client of a port that sends what it likes, byte by byte, and waits half a minute for anything at most.
public final class RawPeer: Sendable {
    /// The system could not connect.
    public struct Failure: Error {
        public let code: CInt
    }

    private let descriptor: CInt

    /// Connects to a port of this machine.
    public convenience init(port: Int, address: String = "127.0.0.1") throws {
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = UInt16(port).bigEndian
        inet_pton(AF_INET, address, &place.sin_addr)
        try self.init(AF_INET, place)
    }

    /// Connects to a Unix socket.
    public convenience init(path: String) throws {
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &place.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        try self.init(AF_UNIX, place)
    }

    private init<Place>(_ family: CInt, _ place: Place) throws {
        #if os(Linux)
            descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(family, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw Failure(code: errno) }
        // For connecting and sending; `hear` has a limit of its own.
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        let outcome = withUnsafePointer(to: place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<Place>.size))
            }
        }
        guard outcome == 0 else {
            let code = errno
            _ = Foundation.close(descriptor)
            throw Failure(code: code)
        }
    }

    deinit { _ = Foundation.close(descriptor) }

    /// Sends as much as the other side takes.
    public func send(_ bytes: [UInt8]) async {
        await onAThread { descriptor in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes {
                    Foundation.send(descriptor, $0.baseAddress!, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    public func send(_ text: String) async { await send(Array(text.utf8)) }

    /// Sends nothing more, and still hears.
    public func finishSending() { _ = shutdown(descriptor, CInt(SHUT_WR)) }

    /// What comes until the other side closes, or until there are so many bytes; nil if `limit` passes first, however much
    /// has come by then.
    public func hear(_ most: Int = .max, within limit: Duration = .seconds(30)) async -> [UInt8]? {
        await onAThread { descriptor in
            var heard: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            let end = ContinuousClock.now + limit
            while heard.count < most {
                // A time of zero would be none. A time that is over still takes what is there.
                let left = max(ContinuousClock.now.duration(to: end), .milliseconds(1)).components
                var patience = timeval(
                    tv_sec: Int(left.seconds),
                    tv_usec: .init(left.attoseconds / 1_000_000_000_000)
                )
                setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
                let count = recv(descriptor, &buffer, min(buffer.count, most - heard.count), 0)
                if count < 0, errno == EAGAIN { return nil }
                guard count > 0 else { break }
                heard += buffer.prefix(count)
                if heard.count < most, ContinuousClock.now >= end { return nil }
            }
            return heard
        }
    }

    /// Such calls wait, which tasks must not.
    private func onAThread<Value: Sendable>(_ body: @escaping @Sendable (CInt) -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body(self.descriptor)) }
        }
    }
}
