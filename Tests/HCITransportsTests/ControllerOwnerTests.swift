#if os(Linux)
    import BluethroatHCIServing
    import Foundation
    import Testing

    @testable import BluethroatHCITransports

    @Suite("Whose program a controller is", .timeLimit(.minutes(1)))
    struct ControllerOwnerTests {
        private static let here = "0100007F:C350"
        private static let peer = "0100007F:1902"
        /// 127.0.0.1:50000 and 127.0.0.1:6402.
        private let ends = ConnectionEnds(
            here: SocketAddress(ipv4: UInt32(bigEndian: 0x7F00_0001), port: 50_000),
            peer: SocketAddress(ipv4: UInt32(bigEndian: 0x7F00_0001), port: 6_402)
        )

        /// A table as Linux writes it.
        private func table(_ lines: [(local: String, remote: String, state: String, user: Int, inode: Int)]) -> [UInt8]
        {
            let rows = lines.enumerated().map { number, line in
                "\(number): \(line.local) \(line.remote) \(line.state) 00000000:00000000 00:00000000 00000000 "
                    + "  \(line.user)        0 \(line.inode) 1 000000005f2900f6 100 0 0 10 0   \n"
            }
            return Array(("  sl  local_address rem_address   st …\n" + rows.joined()).utf8)
        }

        private func userOfPeer(_ ipv4: [UInt8], _ ipv6: [UInt8]) -> uid_t? {
            LocalConnections(ipv4: ipv4, ipv6: ipv6).userOfPeer(of: ends)
        }

        @Test("Addresses are written as the system's tables have them")
        func addresses() {
            #expect(ends.here.ipv4 == Self.here)
            #expect(ends.peer.ipv4 == Self.peer && ends.peer.ipv6 == "0000000000000000FFFF00000100007F:1902")
            let loopback: [UInt32] = [0, 0, 0, UInt32(bigEndian: 1)]
            let ipv6 = SocketAddress(ipv6: loopback, port: 80)
            #expect(ipv6.ipv4 == nil && ipv6.ipv6 == "00000000000000000000000001000000:0050")
            let mapped: [UInt32] = [0, 0, UInt32(bigEndian: 0xFFFF), UInt32(bigEndian: 0x7F00_0001)]
            #expect(SocketAddress(ipv6: mapped, port: 6_402) == ends.peer, "it is one of IPv4")
        }

        @Test("The other end of a connection is the line with both addresses the other way round")
        func accepted() {
            let all = "00000000:0000"
            let own = (local: Self.here, remote: Self.peer, state: "01", user: 1_000, inode: 7)
            let theirs = (local: Self.peer, remote: Self.here, state: "01", user: 1_001, inode: 8)
            let other = (local: Self.peer, remote: "0100007F:C351", state: "01", user: 1_002, inode: 9)
            let listener = (local: Self.peer, remote: all, state: "0A", user: 1_003, inode: 10)
            let empty = table([])
            #expect(userOfPeer(table([listener, other, own, theirs]), empty) == 1_001)
            #expect(userOfPeer(table([listener, other, own]), empty) == 1_003, "who listens")
            #expect(userOfPeer(table([other, own]), empty) == nil)
            #expect(userOfPeer([], []) == nil)
            var waiting = theirs
            waiting.user = 0
            waiting.inode = 0
            #expect(userOfPeer(table([waiting, listener]), empty) == 1_003, "nobody has accepted it yet")
            let mapped = (
                local: "0000000000000000FFFF00000100007F:1902", remote: "0000000000000000FFFF00000100007F:C350",
                state: "01", user: 1_004, inode: 11
            )
            #expect(userOfPeer(table([own]), table([mapped])) == 1_004)
        }

        @Test("Who listens at all addresses listens at this one, unless somebody listens at this one alone")
        func listeners() {
            let nobody = String(repeating: "0", count: 32)
            let own = (local: Self.peer, remote: "00000000:0000", state: "0A", user: 0, inode: 1)
            let every = (local: "00000000:1902", remote: "00000000:0000", state: "0A", user: 1_005, inode: 2)
            let every6 = (local: nobody + ":1902", remote: nobody + ":0000", state: "0A", user: 1_006, inode: 3)
            let elsewhere = (local: "0200007F:1902", remote: "00000000:0000", state: "0A", user: 1_007, inode: 4)
            let mapped = "0000000000000000FFFF00000100007F:1902", everyMapped = "0000000000000000FFFF000000000000:1902"
            #expect(userOfPeer(table([elsewhere, every]), table([])) == 1_005)
            #expect(userOfPeer(table([elsewhere]), table([every6])) == 1_006)
            for (user, address) in [(1_008, mapped), (1_009, everyMapped)] {
                let listener = (local: address, remote: nobody + ":0000", state: "0A", user: user, inode: 5)
                #expect(userOfPeer(table([]), table([listener])) == uid_t(user), "\(address)")
            }
            // Another user may listen for IPv6 only at the same port, and gets no connection of IPv4.
            #expect(userOfPeer(table([own]), table([every6])) == 0)
            #expect(userOfPeer(table([every]), table([every6])) == 1_005)
            #expect(userOfPeer(table([elsewhere]), table([])) == nil)
        }

        @Test("Who listens is known also if the tables lack the line, as who closes sockets meanwhile can have it")
        func hidden() throws {
            for (listening, connecting) in [
                ("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "127.0.0.1"),
                ("::ffff:127.0.0.1", "127.0.0.1"), ("::1", "::1"), ("::", "::1"), ("::", "::ffff:127.0.0.1"),
            ] {
                // A machine may be without IPv6.
                guard let listener = TestSocket(listening: listening) else { continue }
                let client = try #require(TestSocket(connecting: connecting, listener.port))
                let ends = try #require(ConnectionEnds(client.descriptor))
                let empty = LocalConnections(ipv4: [], ipv6: [])
                #expect(ControllerOwner.userOfPeer(of: ends) { empty } == geteuid(), "\(listening), nobody accepts")
                let accepted = try #require(listener.accept())
                #expect(ControllerOwner.userOfPeer(of: ends) { empty } == geteuid(), "\(listening)")
                _ = (client, accepted)
            }
            // What has another machine's address is there, whoever listens here.
            let everywhere = try #require(TestSocket(listening: "0.0.0.0"))
            let far = SocketAddress(ipv4: UInt32(bigEndian: 0xC000_0201), port: everywhere.port)
            let near = SocketAddress(ipv4: UInt32(bigEndian: 0xC000_0202), port: 40_000)
            #expect(ControllerOwner.userOfPeer(of: ConnectionEnds(here: near, peer: far)) == nil)
            let nowhere = SocketAddress(ipv4: UInt32(bigEndian: 0x7F00_0001), port: 1)
            #expect(SocketLookup.userOfPeer(of: ConnectionEnds(here: ends.here, peer: nowhere)) == nil)
        }

        @Test("An answer that is too short, or of another kind, is none")
        func shortAnswer() {
            var answer = [UInt8](repeating: 0, count: 88)
            (answer[4], answer[80], answer[84]) = (20, 7, 9)
            let found = SocketLookup.parse(answer[...])
            #expect(found?.user == 7 && found?.inode == 9)
            #expect(SocketLookup.parse(answer.dropLast()) == nil)
            answer[4] = 2
            #expect(SocketLookup.parse(answer[...]) == nil)
            #expect(SocketLookup.parse([]) == nil)
        }

        @Test("Lines that are cut off, and numbers that are none, are no answer")
        func damaged() {
            let line = table([(local: Self.peer, remote: Self.here, state: "01", user: 1_001, inode: 8)])
            for length in 0...line.count {
                let user = userOfPeer(Array(line.prefix(length)), [])
                #expect(user == nil || user == 1_001, "\(length)")
            }
            let odd = String(decoding: line, as: UTF8.self).replacing("1001", with: "99999999999")
            #expect(userOfPeer(Array(odd.utf8), []) == nil)
        }

        @Test("Who has logged in is whom Linux names, and nobody where it names none")
        func login() {
            #expect(ControllerOwner.userWhoLoggedIn("1000\n") == 1_000)
            #expect(ControllerOwner.userWhoLoggedIn("0") == 0)
            for none in ["4294967295", "4294967296", "", "-1", "1000 1001"] {
                #expect(ControllerOwner.userWhoLoggedIn(none) == nil, "\(none)")
            }
        }

        @Test("This user's own port, socket and pseudo-terminal are its own")
        func own() async throws {
            let path = "/tmp/bluethroat-owner-\(getpid())"
            for place in [HCIListeningPlace.tcp(HostPort(host: "127.0.0.1", port: 0)), .unix(path: path)] {
                let server = try await HCIServer.listen(at: place) { _ in Witness().callbacks }
                let witness = Witness()
                let transport = try await server.place.endpoint.open(witness.callbacks)
                transport.close()
                #expect(await witness.end() == .closedHere, "\(place)")
                await server.close()
            }
            let line = try PseudoTerminal()
            let witness = Witness()
            try await HCIEndpoint.pty(path: line.path).open(witness.callbacks).close()
            #expect(await witness.end() == .closedHere)
            line.close()
        }
    }
#endif
