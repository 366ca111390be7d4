#if os(Linux)
    import Foundation

    /// Both ends of a TCP connection.
    struct ConnectionEnds {
        let here: SocketAddress
        let peer: SocketAddress

        init(here: SocketAddress, peer: SocketAddress) {
            self.here = here
            self.peer = peer
        }

        /// Whether both can be on this machine: a connection to an address of its own has that one at both ends.
        var areOnOneMachine: Bool { here.words == peer.words || (here.isLoopback && peer.isLoopback) }

        /// Those of a connected socket.
        init?(_ descriptor: CInt) {
            guard let here = SocketAddress({ getsockname(descriptor, $0, $1) }),
                let peer = SocketAddress({ getpeername(descriptor, $0, $1) })
            else { return nil }
            self.init(here: here, peer: peer)
        }
    }

    /// An IP address and a port, as `/proc/net/tcp` and `/proc/net/tcp6` write them.
    struct SocketAddress: Hashable {
        /// As the table of IPv4 has it; nil for an address of IPv6 only.
        let ipv4: String?
        /// As the table of IPv6 has it: a program that listens for IPv6 takes IPv4, too, under such an address.
        let ipv6: String
        let port: UInt16
        /// The address as it is in memory: one number for IPv4, four for IPv6.
        let words: [UInt32]

        /// 127.0.0.0/8; ::1 is one address only.
        var isLoopback: Bool { words.count == 1 && UInt32(bigEndian: words[0]) >> 24 == 127 }

        /// - Parameter ipv4: four bytes as they are in memory.
        init(ipv4: UInt32, port: UInt16) {
            self.ipv4 = Self.text([ipv4], port)
            ipv6 = Self.text(Self.mapped + [ipv4], port)
            self.port = port
            words = [ipv4]
        }

        /// - Parameter ipv6: sixteen bytes as they are in memory.
        init(ipv6: [UInt32], port: UInt16) {
            // Whoever connects to IPv4 by such an address may find a program that listens for IPv4 only.
            ipv4 = ipv6.starts(with: Self.mapped) ? Self.text([ipv6[3]], port) : nil
            self.ipv6 = Self.text(ipv6, port)
            self.port = port
            words = ipv6.starts(with: Self.mapped) ? [ipv6[3]] : ipv6
        }

        /// No address, or all of them.
        init(port: UInt16, isIPv4: Bool) {
            ipv4 = isIPv4 ? Self.text([0], port) : nil
            ipv6 = Self.text([0, 0, 0, 0], port)
            self.port = port
            words = isIPv4 ? [0] : [0, 0, 0, 0]
        }

        /// The address that `getsockname` or `getpeername` gives; nil if it is none of IP.
        init?(_ ask: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt) {
            var storage = sockaddr_storage()
            var length = socklen_t(MemoryLayout.size(ofValue: storage))
            let address = withUnsafeMutablePointer(to: &storage) { pointer -> Self? in
                let isThere = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { ask($0, &length) == 0 }
                guard isThere else { return nil }
                let bytes = UnsafeRawPointer(pointer)
                switch CInt(pointer.pointee.ss_family) {
                case AF_INET:
                    let address = bytes.loadUnaligned(as: sockaddr_in.self)
                    return Self(ipv4: address.sin_addr.s_addr, port: UInt16(bigEndian: address.sin_port))
                case AF_INET6:
                    let address = bytes.loadUnaligned(as: sockaddr_in6.self)
                    let words = withUnsafeBytes(of: address.sin6_addr) { Array($0.bindMemory(to: UInt32.self)) }
                    return Self(ipv6: words, port: UInt16(bigEndian: address.sin6_port))
                default: return nil
                }
            }
            guard let address else { return nil }
            self = address
        }

        /// All addresses with this port.
        var everywhere: Self { Self(port: port, isIPv4: ipv4 != nil) }
        /// All addresses of IPv4 with this port, as a program that listens for IPv6 can say.
        var everyIPv4: String { Self.text(Self.mapped + [0], port) }

        /// How long an address of IPv4 is in its table.
        static let ipv4Length = "00000000:0000".utf8.count

        /// What precedes an address of IPv4 in one of IPv6.
        private static let mapped: [UInt32] = [0, 0, UInt32(bigEndian: 0xFFFF)]

        private static func text(_ address: [UInt32], _ port: UInt16) -> String {
            address.map { hex($0, 8) }.joined() + ":" + hex(port, 4)
        }

        private static func hex(_ value: some BinaryInteger, _ digits: Int) -> String {
            let text = String(value, radix: 16, uppercase: true)
            return String(repeating: "0", count: digits - text.count) + text
        }
    }
#endif
