#if os(Linux)
    import Foundation

    /// What Linux says of all TCP sockets: `/proc/net/tcp` and `/proc/net/tcp6`. Each line has the addresses of both ends, in
    /// hexadecimal, the state, and the user.
    enum LocalConnections {
        /// Both, each with a zero at its end; empty where they cannot be read.
        static func tables() -> [[UInt8]] { ["/proc/net/tcp", "/proc/net/tcp6"].map { bytes(of: $0) + [0] } }

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

    /// Both ends of a TCP connection, as those tables write them.
    struct ConnectionEnds {
        /// Each in the form of the first table and in that of the second; without the first where the address is one of
        /// IPv6 only.
        let here: [String?]
        let peer: [String?]

        init(here: [String?], peer: [String?]) {
            self.here = here
            self.peer = peer
        }

        /// Those of a connected socket.
        init?(_ descriptor: CInt) {
            guard let here = Self.address(descriptor, { getsockname($0, $1, $2) }),
                let peer = Self.address(descriptor, { getpeername($0, $1, $2) })
            else { return nil }
            self.init(here: here, peer: peer)
        }

        private static func address(
            _ descriptor: CInt,
            _ ask: (CInt, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
        ) -> [String?]? {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout.size(ofValue: storage))
            return withUnsafeMutablePointer(to: &storage) { pointer in
                let isThere = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    ask(descriptor, $0, &length) == 0
                }
                guard isThere else { return nil }
                let bytes = UnsafeRawPointer(pointer)
                switch CInt(pointer.pointee.ss_family) {
                case AF_INET:
                    let address = bytes.loadUnaligned(as: sockaddr_in.self)
                    return texts(ipv4: address.sin_addr.s_addr, port: UInt16(bigEndian: address.sin_port))
                case AF_INET6:
                    let address = bytes.loadUnaligned(as: sockaddr_in6.self)
                    let words = withUnsafeBytes(of: address.sin6_addr) { Array($0.bindMemory(to: UInt32.self)) }
                    return texts(ipv6: words, port: UInt16(bigEndian: address.sin6_port))
                default: return nil
                }
            }
        }

        /// - Parameter ipv4: four bytes as they are in memory.
        static func texts(ipv4: UInt32, port: UInt16) -> [String?] {
            // A program that listens for IPv6 takes IPv4, too, under such an address.
            [text([ipv4], port), text(mapped + [ipv4], port)]
        }

        /// - Parameter ipv6: sixteen bytes as they are in memory.
        static func texts(ipv6: [UInt32], port: UInt16) -> [String?] {
            // Whoever connects to IPv4 by such an address may find a program that listens for IPv4 only.
            ipv6.starts(with: mapped) ? texts(ipv4: ipv6[3], port: port) : [nil, text(ipv6, port)]
        }

        /// What precedes an address of IPv4 in one of IPv6.
        private static let mapped: [UInt32] = [0, 0, UInt32(bigEndian: 0xFFFF)]

        private static func text(_ address: [UInt32], _ port: UInt16) -> String {
            address.map { hex($0, 8) }.joined() + ":" + hex(port, 4)
        }

        private static func hex(_ value: some BinaryInteger, _ digits: Int) -> String {
            let text = String(value, radix: 16, uppercase: true)
            return String(repeating: "0", count: digits - text.count) + text
        }

        /// The user of the socket at the other end; nil if it is not in the tables.
        ///
        /// As long as nobody has accepted the connection it has no user, and belongs to who listens there: it ends with that
        /// socket.
        func userOfPeer(in tables: [[UInt8]]) -> uid_t? {
            for (index, table) in tables.enumerated() {
                guard let here = here[index], let peer = peer[index],
                    let line = Self.line(with: " \(peer) \(here) ", in: table), line.inode > 0
                else { continue }
                return line.user
            }
            return listeningPlaces.lazy.compactMap { index, address in
                // State 0A: it listens.
                Self.line(with: " \(address) \(Self.nobody[index]):0000 0A ", in: tables[index])?.user
            }.first
        }

        /// Where a program can listen that takes this connection, by table, in the order in which the system looks. Only
        /// the first is asked: beside a program that takes IPv4, one at all addresses of IPv6 takes IPv6 only.
        private var listeningPlaces: [(table: Int, address: String)] {
            var places = peer.enumerated().compactMap { index, address in address.map { (index, $0) } }
            guard let port = peer[1]?.suffix(5) else { return places }
            if peer[0] != nil { places += [(0, Self.nobody[0] + port), (1, Self.everyIPv4 + port)] }
            return places + [(1, Self.nobody[1] + port)]
        }

        /// No address, or all of them, in each table.
        private static let nobody = [8, 32].map { String(repeating: "0", count: $0) }
        /// All addresses of IPv4, as a program that listens for IPv6 can say.
        private static let everyIPv4 = (mapped + [0]).map { hex($0, 8) }.joined()

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
    }
#endif
