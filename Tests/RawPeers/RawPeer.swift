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
        var patience = timeval(tv_sec: 30, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &patience, socklen_t(MemoryLayout<timeval>.size))
        }
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

    /// What comes until the other side closes, or until there are so many bytes; nil if half a minute passes first.
    public func hear(_ most: Int = .max) async -> [UInt8]? {
        await onAThread { descriptor in
            var heard: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while heard.count < most {
                let count = recv(descriptor, &buffer, min(buffer.count, most - heard.count), 0)
                if count < 0, errno == EAGAIN { return nil }
                guard count > 0 else { break }
                heard += buffer.prefix(count)
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
