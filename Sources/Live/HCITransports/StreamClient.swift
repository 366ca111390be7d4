import Foundation

/// Connects to controllers that listen on TCP or on a Unix socket.
enum StreamClient {
    /// How long one address may take to answer, in milliseconds.
    private static let patience: CInt = 5_000

    /// Why there is no connection.
    private enum Failure: Error {
        case system(CInt)
        case silence
        case unknownHost
        /// What listens is another user's.
        case foreign(uid_t)
    }

    static func connect(
        to address: HostPort,
        callbacks: HCITransportCallbacks
    ) async throws(HCITransportError) -> any HCITransport {
        let descriptor: CInt
        do throws(Failure) {
            descriptor = try await onThreadOfItsOwn { () throws(Failure) in try socket(to: address) }
        } catch {
            throw explain(error, address)
        }
        return try Self.start(descriptor, "tcp:\(address)", callbacks)
    }

    static func connect(
        toSocket path: String,
        callbacks: HCITransportCallbacks
    ) async throws(HCITransportError) -> any HCITransport {
        let descriptor: CInt
        do throws(Failure) {
            descriptor = try await onThreadOfItsOwn { () throws(Failure) in try socket(toPath: path) }
        } catch {
            throw explain(error, path)
        }
        return try Self.start(descriptor, "unix:\(path)", callbacks)
    }

    private static func start(
        _ descriptor: CInt,
        _ peer: String,
        _ callbacks: HCITransportCallbacks
    ) throws(HCITransportError) -> any HCITransport {
        let transport = try DescriptorTransport(owning: descriptor, isSocket: true, peer: peer)
        transport.start(callbacks)
        return transport
    }

    /// Looking up a name and connecting block.
    private static func onThreadOfItsOwn(
        _ body: @escaping @Sendable () throws(Failure) -> CInt
    ) async throws(Failure) -> CInt {
        let result: Result<CInt, Failure> = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                do throws(Failure) {
                    continuation.resume(returning: .success(try body()))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        return try result.get()
    }

    /// Tries each address of a host, in the order of the system. That one of them is another user's is told, whatever is
    /// wrong with those behind it.
    private static func socket(to address: HostPort) throws(Failure) -> CInt {
        var hints = addrinfo()
        hints.ai_socktype = streamType
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address.host, "\(address.port)", &hints, &first) == 0, let first else {
            throw .unknownHost
        }
        defer { freeaddrinfo(first) }
        var failure = Failure.unknownHost
        for info in sequence(first: first, next: { $0.pointee.ai_next }) {
            do throws(Failure) {
                let descriptor = try dial(info.pointee.ai_addr, info.pointee.ai_addrlen, info.pointee.ai_family)
                try close(descriptor, unlessOwn: .ofConnection(descriptor))
                // A command of HCI is a few bytes and wants an answer: it does not wait for more of them.
                var isOn: CInt = 1
                _ = setsockopt(descriptor, tcpLevel, TCP_NODELAY, &isOn, socklen_t(MemoryLayout<CInt>.size))
                return descriptor
            } catch {
                if case .foreign = failure { continue }
                failure = error
            }
        }
        throw failure
    }

    private static func socket(toPath path: String) throws(Failure) -> CInt {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let isWritten = withUnsafeMutableBytes(of: &address.sun_path) { room in
            // A zero ends it.
            guard path.utf8.count < room.count, !path.utf8.contains(0) else { return false }
            room.copyBytes(from: path.utf8)
            return true
        }
        guard isWritten else { throw .system(ENAMETOOLONG) }
        let dialled: Result<CInt, Failure> = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                do throws(Failure) {
                    return .success(try dial(address, socklen_t(MemoryLayout<sockaddr_un>.size), AF_UNIX))
                } catch {
                    return .failure(error)
                }
            }
        }
        let descriptor = try dialled.get()
        try close(descriptor, unlessOwn: .ofSocket(descriptor))
        return descriptor
    }

    /// Before anything is said to whoever it is.
    private static func close(_ descriptor: CInt, unlessOwn owner: ControllerOwner) throws(Failure) {
        guard case .other(let user) = owner else { return }
        _ = closeDescriptor(descriptor)
        throw .foreign(user)
    }

    /// A connected socket that does not block.
    private static func dial(
        _ address: UnsafePointer<sockaddr>,
        _ length: socklen_t,
        _ family: CInt
    ) throws(Failure) -> CInt {
        let descriptor = openSocket(family, streamType)
        guard descriptor >= 0 else { throw .system(errno) }
        do throws(Failure) {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            #if canImport(Darwin)
                var isOn: CInt = 1
                _ = setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<CInt>.size))
            #endif
            if connectSocket(descriptor, address, length) != 0 {
                guard errno == EINPROGRESS else { throw .system(errno) }
                try awaitConnection(descriptor)
            }
        } catch {
            _ = closeDescriptor(descriptor)
            throw error
        }
        return descriptor
    }

    private static func awaitConnection(_ descriptor: CInt) throws(Failure) {
        var polled = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        var ready: CInt
        repeat { ready = poll(&polled, 1, patience) } while ready < 0 && errno == EINTR
        guard ready > 0 else { throw ready == 0 ? .silence : .system(errno) }
        var code: CInt = 0
        var length = socklen_t(MemoryLayout<CInt>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 else { throw .system(errno) }
        guard code == 0 else { throw .system(code) }
    }

    #if canImport(Darwin) || canImport(Musl)
        private static let streamType = SOCK_STREAM
    #else
        private static let streamType = CInt(SOCK_STREAM.rawValue)
    #endif
    private static let tcpLevel = CInt(IPPROTO_TCP)

    private static func explain(_ failure: Failure, _ address: HostPort) -> HCITransportError {
        switch failure {
        case .unknownHost: HCITransportError("no host is called \(address.host); check the name")
        case .system(ECONNREFUSED): HCITransportError("nothing listens on \(address)", isUnattended: true)
        case .system(EHOSTUNREACH), .system(ENETUNREACH):
            HCITransportError("no way to \(address); check the network")
        case .foreign(let user): HCITransportError(foreign: user, at: "\(address)")
        case .silence, .system(ETIMEDOUT):
            HCITransportError("\(address) does not answer; check the address and the network")
        case .system(let code): HCITransportError("cannot connect to \(address): \(SystemText.of(errno: code))")
        }
    }

    private static func explain(_ failure: Failure, _ path: String) -> HCITransportError {
        switch failure {
        case .system(ENOENT): HCITransportError("there is no socket \(path); start the controller that makes it")
        case .system(ECONNREFUSED): HCITransportError("nothing listens on \(path); start the controller that owns it")
        case .system(EACCES): HCITransportError("no permission to use \(path)")
        case .system(let code): HCITransportError("cannot connect to \(path): \(SystemText.of(errno: code))")
        case .foreign(let user): HCITransportError(foreign: user, at: path)
        case .silence, .unknownHost: HCITransportError("\(path) does not answer; restart the controller that owns it")
        }
    }
}
