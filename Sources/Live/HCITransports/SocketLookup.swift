#if os(Linux)
    import Foundation

    /// Asks Linux for one TCP socket (sock_diag(7)), which it finds as it does for a packet that comes.
    ///
    /// Its tables of all sockets are read in pieces. Who closes thousands of sockets meanwhile moves others to where was read
    /// already: another user could keep the line of a port out of them.
    enum SocketLookup {
        /// The user of the socket at the other end of a connection; nil if the system does not say.
        ///
        /// A connection that is not accepted yet belongs to the listening socket.
        static func userOfPeer(of ends: ConnectionEnds) -> uid_t? {
            guard let socket = find(ends.peer, connectedTo: ends.here, port: ends.here.port) else { return nil }
            // No connection has the port 0: what is found is who takes new ones.
            return socket.inode > 0 ? socket.user : find(ends.peer, connectedTo: ends.here, port: 0)?.user
        }

        private static func find(
            _ address: SocketAddress,
            connectedTo other: SocketAddress,
            port: UInt16
        ) -> (user: uid_t, inode: UInt32)? {
            let descriptor = openSocket(AF_NETLINK, rawType, socketDiagnosis)
            guard descriptor >= 0 else { return nil }
            defer { _ = closeDescriptor(descriptor) }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            // The answer is there as soon as the question was taken.
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            let question = question(address, other, port)
            var answer = [UInt8](repeating: 0, count: 512)
            guard writeBytes(descriptor, question, question.count) == question.count else { return nil }
            let count = readBytes(descriptor, &answer, answer.count)
            return parse(answer.prefix(max(count, 0)))
        }

        /// `struct nlmsghdr` and `struct inet_diag_req_v2`.
        static func question(_ address: SocketAddress, _ other: SocketAddress, _ port: UInt16) -> [UInt8] {
            let isIPv4 = address.words.count == 1
            var bytes: [UInt8] = []
            func add(_ value: some FixedWidthInteger) { withUnsafeBytes(of: value) { bytes += $0 } }
            // Length, kind (SOCK_DIAG_BY_FAMILY), flags (NLM_F_REQUEST), sequence, port of the asker.
            add(UInt32(72))
            add(UInt16(20))
            add(UInt16(1))
            add(UInt32(1))
            add(UInt32(0))
            // Family, protocol, nothing besides, any state.
            bytes += [UInt8(isIPv4 ? AF_INET : AF_INET6), UInt8(IPPROTO_TCP), 0, 0]
            add(UInt32.max)
            // Both ports and addresses, any interface, no cookie.
            add(address.port.bigEndian)
            add(port.bigEndian)
            for words in [address.words, other.words] {
                for word in words + Array(repeating: 0, count: 4 - words.count) { add(word) }
            }
            add(UInt32(0))
            add(UInt64.max)
            return bytes
        }

        /// `struct nlmsghdr` and `struct inet_diag_msg`; nil for an error.
        static func parse(_ answer: ArraySlice<UInt8>) -> (user: uid_t, inode: UInt32)? {
            answer.withUnsafeBytes { bytes in
                guard bytes.count >= 88, bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self) == 20 else {
                    return nil
                }
                return (
                    bytes.loadUnaligned(fromByteOffset: 80, as: UInt32.self),
                    bytes.loadUnaligned(fromByteOffset: 84, as: UInt32.self)
                )
            }
        }

        /// SOCK_RAW and NETLINK_SOCK_DIAG.
        private static let rawType: CInt = 3, socketDiagnosis: CInt = 4
    }
#endif
