#if os(Linux)
    import Foundation

    /// A TCP socket of IPv4 or IPv6, closed with its last reference.
    final class TestSocket {
        let descriptor: CInt

        private init(_ descriptor: CInt) { self.descriptor = descriptor }

        deinit { close(descriptor) }

        /// Nil where the system has no such address.
        convenience init?(listening address: String) {
            self.init(at: address, 0) { descriptor, address, length in
                bind(descriptor, address, length) == 0 && listen(descriptor, 1) == 0
            }
        }

        convenience init?(connecting address: String, _ port: UInt16) {
            self.init(at: address, port) { connect($0, $1, $2) == 0 }
        }

        private convenience init?(
            at address: String,
            _ port: UInt16,
            _ use: (CInt, UnsafePointer<sockaddr>, socklen_t) -> Bool
        ) {
            var hints = addrinfo()
            hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
            hints.ai_flags = AI_NUMERICHOST
            var found: UnsafeMutablePointer<addrinfo>?
            guard getaddrinfo(address, "\(port)", &hints, &found) == 0, let found else { return nil }
            defer { freeaddrinfo(found) }
            let descriptor = socket(found.pointee.ai_family, found.pointee.ai_socktype, 0)
            self.init(descriptor)
            guard descriptor >= 0, use(descriptor, found.pointee.ai_addr, found.pointee.ai_addrlen) else { return nil }
        }

        /// Of a socket that listens.
        var port: UInt16 {
            var address = sockaddr_in6()
            var length = socklen_t(MemoryLayout.size(ofValue: address))
            // The port has the same place in an address of IPv4.
            _ = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            return UInt16(bigEndian: address.sin6_port)
        }

        func accept() -> TestSocket? {
            let accepted = Foundation.accept(descriptor, nil, nil)
            return accepted < 0 ? nil : TestSocket(accepted)
        }
    }
#endif
