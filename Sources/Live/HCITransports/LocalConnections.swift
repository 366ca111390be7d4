#if os(Linux)
    import Foundation

    /// What Linux says of all TCP sockets. Each line of its tables has the addresses of both ends, in hexadecimal, the state, and
    /// the user.
    struct LocalConnections {
        /// `/proc/net/tcp`, with a zero at its end; that alone where it cannot be read.
        let ipv4: [UInt8]
        /// `/proc/net/tcp6`, likewise.
        let ipv6: [UInt8]

        init() { self.init(ipv4: Self.bytes(of: "/proc/net/tcp"), ipv6: Self.bytes(of: "/proc/net/tcp6")) }

        init(ipv4: [UInt8], ipv6: [UInt8]) {
            self.ipv4 = ipv4 + [0]
            self.ipv6 = ipv6 + [0]
        }

        /// The user of the socket at the other end; nil if it is not in the tables.
        ///
        /// As long as nobody has accepted the connection it has no user, and belongs to who listens there: it ends with that
        /// socket.
        func userOfPeer(of ends: ConnectionEnds) -> uid_t? {
            if let here = ends.here.ipv4, let peer = ends.peer.ipv4,
                let line = Self.line(with: " \(peer) \(here) ", in: ipv4), line.inode > 0
            {
                return line.user
            }
            if let line = Self.line(with: " \(ends.peer.ipv6) \(ends.here.ipv6) ", in: ipv6), line.inode > 0 {
                return line.user
            }
            return userOfListener(at: ends.peer)
        }

        /// Who takes connections to this address, in the order in which the system looks. Only the first is asked: beside a
        /// program that takes IPv4, one at all addresses of IPv6 takes IPv6 only.
        private func userOfListener(at address: SocketAddress) -> uid_t? {
            if let address = address.ipv4, let user = listener(at: address) { return user }
            if let user = listener(at: address.ipv6) { return user }
            guard address.ipv4 != nil else { return listener(at: address.everywhere.ipv6) }
            return address.everywhere.ipv4.flatMap { listener(at: $0) }
                ?? listener(at: address.everyIPv4) ?? listener(at: address.everywhere.ipv6)
        }

        /// - Parameter address: one of either table, which are of different lengths.
        private func listener(at address: String) -> uid_t? {
            let isIPv4 = address.utf8.count == SocketAddress.ipv4Length
            let nobody = SocketAddress(port: 0, isIPv4: isIPv4)
            // State 0A: it listens.
            return Self.line(with: " \(address) \(nobody.ipv4 ?? nobody.ipv6) 0A ", in: isIPv4 ? ipv4 : ipv6)?.user
        }

        /// The first line that has this text, in a table with a zero at its end.
        private static func line(with text: String, in table: [UInt8]) -> (user: uid_t, inode: UInt64)? {
            // The C library's search: in a build for debugging one in Swift would take a tenth of a second for a long table.
            let start = table.withUnsafeBytes { bytes -> Int? in
                let characters = bytes.assumingMemoryBound(to: CChar.self)
                guard let first = characters.baseAddress, let found = strstr(first, text) else { return nil }
                return UnsafePointer(found) - first
            }
            let found = start.map { table[$0...].prefix { $0 != 0x0A } }
            // Behind both addresses: state, queues, timer, retransmissions, user, timeout, inode.
            guard let fields = found?.split(separator: 0x20), fields.count > 8,
                let user = uid_t(String(decoding: fields[6], as: UTF8.self)),
                let inode = UInt64(String(decoding: fields[8], as: UTF8.self))
            else { return nil }
            return (user, inode)
        }

        private static func bytes(of path: String) -> [UInt8] {
            let descriptor = openDescriptor(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return [] }
            defer { _ = closeDescriptor(descriptor) }
            var all: [UInt8] = []
            let room = 64 << 10
            while true {
                let count = withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { piece in
                    let count = readBytes(descriptor, piece.baseAddress!, room)
                    all += piece.prefix(max(count, 0))
                    return count
                }
                if count == 0 || (count < 0 && errno != EINTR) { return all }
            }
        }
    }
#endif
