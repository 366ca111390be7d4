#if os(Linux)
    import BluethroatHCIServing
    import BluethroatListening
    import Foundation
    import NIOCore
    import Synchronization
    import Testing

    @testable import BluethroatHCITransports

    /// A port whose controllers answer each packet with the same bytes, and what has come to it. Hosts of ours take data back, but
    /// no commands.
    private final class Answering: Sendable {
        let come = WatchedState<[HCITransportEnd?]>([])

        func open(
            at place: HCIListeningPlace,
            limits: ListeningLimits = ListeningLimits()
        ) async throws(HCITransportError) -> HCIServer {
            try await HCIServer.listen(at: place, limits: limits) { transport in
                let number = self.come.change { come in
                    come.append(nil)
                    return come.count - 1
                }
                return HCITransportCallbacks(
                    received: { batch in for packet in batch.packets { transport.send(packet) } },
                    ended: { end in self.come.change { $0[number] = end } }
                )
            }
        }

        /// Waits until so many have come and gone.
        func gone(_ count: Int, at location: SourceLocation = #_sourceLocation) async {
            await come.wait(for: "\(count) that have gone", at: location) { $0.count { $0 != nil } >= count }
        }
    }

    @Suite("Pseudo-terminals and sockets at which hosts find controllers", .timeLimit(.minutes(10)))
    struct TerminalPortTests {
        private let port = Answering()
        private let folder = NSTemporaryDirectory() + "bluethroat-\(UUID().uuidString.prefix(8))"
        private var path: String { folder + "/hci" }

        init() throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        }

        private func place(_ kind: String) throws -> HCIListeningPlace {
            try HCIListeningPlace(parsing: "\(kind):\(path)")
        }

        private func host(_ endpoint: HCIEndpoint) async throws -> (any HCITransport, Witness) {
            let witness = Witness()
            return (try await endpoint.open(witness.callbacks), witness)
        }

        @Test(
            "A pseudo-terminal and a socket carry twenty clients at once that come and go a hundred times",
            arguments: ["pty", "unix"]
        )
        func turnover(kind: String) async throws {
            let server = try await port.open(at: try place(kind))
            for round in 0..<100 {
                var clients: [(any HCITransport, Witness)] = []
                for number in 0..<20 {
                    let client = try await host(server.place.endpoint)
                    client.0.send(Samples.acl(number, filling: UInt8(round)))
                    try #require(await client.1.packets(1) == [Samples.acl(number, filling: UInt8(round))])
                    clients.append(client)
                }
                for (number, (client, witness)) in clients.enumerated() {
                    client.send(Samples.acl(100 + number))
                    try #require(await witness.packets(2).last == Samples.acl(100 + number))
                    client.close()
                    try #require(await witness.end() == .closedHere)
                }
                await port.gone(20 * (round + 1))
            }
            #expect(port.come.value == Array(repeating: .closedByPeer, count: 2_000))
            await server.close()
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        }

        @Test("A line carries every byte value and long packets, both ways")
        func bytes() async throws {
            let server = try await port.open(at: .pty(path: path))
            let (client, witness) = try await host(.pty(path: path))
            let every: [UInt8] = [0x02, 0x40, 0x00, 0x00, 0x01] + (0...255).map { UInt8($0) }
            let packets = [every, Samples.acl(60_000, filling: 0x03), Samples.acl(60_000, filling: 0x11), every]
            for packet in packets { client.send(packet) }
            #expect(await witness.packets(4) == packets)
            await server.close()
            #expect(await witness.end() == .closedByPeer)
        }

        @Test("What is over when its host dies in the middle of a packet is that host's line alone")
        func halfPacket() async throws {
            let server = try await port.open(at: .pty(path: path))
            let (good, goodWitness) = try await host(.pty(path: path))
            good.send(Samples.acl(4))
            _ = await goodWitness.packets(1)
            let bad = try Descriptor(Foundation.open(path, O_RDWR | O_NOCTTY))
            bad.write(Samples.reset)
            #expect(bad.read(4) == Samples.reset)
            bad.write(Samples.acl(20).prefix(9))
            bad.close()
            await port.gone(1)
            #expect(port.come.value == [nil, .cutMidPacket])
            good.send(Samples.acl(4))
            #expect(await goodWitness.packets(2).count == 2)
            await server.close()
        }

        @Test("A program that opens a line and sends nothing loses it when its time is over")
        func silence() async throws {
            let limits = ListeningLimits(connections: 30, message: .milliseconds(200))
            let server = try await port.open(at: .pty(path: path), limits: limits)
            let silent = try Descriptor(Foundation.open(path, O_RDWR | O_NOCTTY))
            #expect(silent.read(1) == [])
            await port.gone(1)
            #expect(port.come.value == [.unfinished])
            silent.close()
            await server.close()
        }

        @Test("When there are more lines than a port takes, the first that has said nothing goes")
        func crowd() async throws {
            // Three descriptors each.
            let server = try await port.open(at: .pty(path: path), limits: ListeningLimits(connections: 9))
            let silent = try Descriptor(Foundation.open(path, O_RDWR | O_NOCTTY))
            await port.come.wait(for: "the silent one") { $0.count == 1 }
            var clients: [(any HCITransport, Witness)] = []
            for _ in 0..<3 {
                let client = try await host(.pty(path: path))
                client.0.send(Samples.acl(4))
                #expect(await client.1.packets(1) == [Samples.acl(4)])
                clients.append(client)
            }
            #expect(silent.read(1) == [])
            #expect(port.come.value == [.crowdedOut, nil, nil, nil])
            silent.close()
            await server.close()
        }

        @Test("A line can be opened by its user alone, and is raw before anybody sets it up")
        func access() async throws {
            let server = try await port.open(at: .pty(path: path))
            let device = try FileManager.default.destinationOfSymbolicLink(atPath: path)
            var found = stat()
            #expect(stat(device, &found) == 0)
            #expect(found.st_mode & 0o777 == 0o600)
            #expect(found.st_uid == geteuid())
            let plain = try Descriptor(Foundation.open(path, O_RDWR | O_NOCTTY))
            let packet = Samples.acl(4, filling: 0x03)
            plain.write(packet)
            #expect(plain.read(packet.count) == packet)
            plain.close()
            await server.close()
        }

        @Test("A path at which there is something is left as it is; a link that leads nowhere any more is replaced")
        func takenPath() async throws {
            try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
            let error = await #expect(throws: HCITransportError.self) { try await port.open(at: .pty(path: path)) }
            #expect(error?.description.contains("there is a file where pty:\(path) should be") == true)
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
            unlink(path)
            symlink("/dev/pts/999999", path)
            let server = try await port.open(at: .pty(path: path))
            // A second one at the same path does not take it from the first.
            await #expect(throws: HCITransportError.self) { try await port.open(at: .pty(path: path)) }
            let (client, witness) = try await host(.pty(path: path))
            client.send(Samples.acl(4))
            #expect(await witness.packets(1) == [Samples.acl(4)])
            await server.close()
            let nowhere = await #expect(throws: HCITransportError.self) {
                try await port.open(at: .pty(path: "/nonexistent/hci"))
            }
            #expect(nowhere?.description.hasPrefix("cannot listen on pty:/nonexistent/hci: ") == true)
        }
    }
#endif
