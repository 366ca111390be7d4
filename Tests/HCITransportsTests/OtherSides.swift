import Foundation

/// The other side of a link, with plain blocking calls of the system.
struct Descriptor: Sendable {
    let number: CInt

    init(_ number: CInt) throws {
        guard number >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        self.number = number
    }

    func write(_ bytes: some Sequence<UInt8>) {
        var rest = Array(bytes)
        while !rest.isEmpty {
            let count = Foundation.write(number, rest, rest.count)
            guard count > 0 else { return }
            rest.removeFirst(count)
        }
    }

    /// Waits for exactly so many bytes; fewer if the link ends before.
    func read(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            var buffer = [UInt8](repeating: 0, count: count - bytes.count)
            let got = Foundation.read(number, &buffer, buffer.count)
            guard got > 0 else { break }
            bytes += buffer[..<got]
        }
        return bytes
    }

    func close() { _ = Foundation.close(number) }
}

/// The side of a pseudo-terminal that plays the controller; `path` is what our side opens.
struct PseudoTerminal: Sendable {
    let path: String
    private let side: Descriptor

    init() throws {
        var (ours, theirs): (CInt, CInt) = (-1, -1)
        var name = [CChar](repeating: 0, count: 128)
        _ = openpty(&ours, &theirs, &name, nil, nil)
        side = try Descriptor(ours)
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        _ = Foundation.close(theirs)
    }

    func write(_ bytes: some Sequence<UInt8>) { side.write(bytes) }
    func read(_ count: Int) -> [UInt8] { side.read(count) }
    func close() { side.close() }
}

/// A TCP client that never reads, with as small a buffer as the system grants.
struct RawSocket {
    private let descriptor: Descriptor

    init(connectingTo port: Int) throws {
        descriptor = try Descriptor(socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0))
        var size: CInt = 4_096
        setsockopt(descriptor.number, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor.number, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        _ = try Descriptor(result)
    }

    func close() { descriptor.close() }
}

/// A Unix socket that waits for one client.
struct UnixListener {
    private let descriptor: Descriptor
    private let path: String

    init(path: String) throws {
        self.path = path
        descriptor = try Descriptor(socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        _ = try Descriptor(result)
        listen(descriptor.number, 4)
    }

    func accept() throws -> Descriptor { try Descriptor(Foundation.accept(descriptor.number, nil, nil)) }

    func close() {
        descriptor.close()
        unlink(path)
    }
}
