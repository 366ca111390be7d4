import BluethroatHCIServing
import BluethroatListening
import Foundation
import NIOCore
import RawPeers
import Testing

@testable import BluethroatHCITransports

/// A server that keeps each client's transport and witness, by the order in which they came.
private final class Desk: Sendable {
    struct Client: Sendable {
        let transport: any HCITransport
        let witness: Witness
    }

    private let clients = WatchedState<[Client]>([])

    func open(
        answering answer: [UInt8]? = nil,
        keepsBatches: Bool = false,
        limits: ListeningLimits = ListeningLimits()
    ) async throws -> HCIServer {
        try await HCIServer.listen(on: HostPort(host: "127.0.0.1", port: 0), limits: limits) { transport in
            let witness = Witness(keepsBatches: keepsBatches)
            var callbacks = witness.callbacks
            if let answer {
                let receive = callbacks.received
                callbacks.received = { batch in
                    for _ in batch.packets { transport.send(answer) }
                    receive(batch)
                }
            }
            let client = Client(transport: transport, witness: witness)
            self.clients.change { $0.append(client) }
            return callbacks
        }
    }

    /// The client that came as number `index`, as soon as it has come.
    func arrival(_ index: Int, at location: SourceLocation = #_sourceLocation) async throws -> Client {
        try #require(await clients.wait(for: "client number \(index)", at: location) { index < $0.count })
        return clients.value[index]
    }
}

@Suite("A port where hosts find controllers", .timeLimit(.minutes(10)))
struct HCIServerTests {
    private let desk = Desk()

    private func connect(_ server: HCIServer) async throws -> (any HCITransport, Witness) {
        let witness = Witness()
        return (try await HCIEndpoint.tcp(server.address).open(witness.callbacks), witness)
    }

    @Test("Packets go both ways, whole and in order")
    func bothWays() async throws {
        let server = try await desk.open(answering: Samples.commandComplete)
        #expect(server.address.port != 0)
        let (client, witness) = try await connect(server)
        let sent = [Samples.reset, Samples.acl(0), Samples.acl(27), Samples.acl(1_021)]
        for packet in sent { client.send(packet) }
        #expect(await witness.packets(4) == Array(repeating: Samples.commandComplete, count: 4))
        #expect(try await desk.arrival(0).witness.packets == sent)
        client.close()
        #expect(await witness.end() == .closedHere)
        #expect(try await desk.arrival(0).witness.end() == .closedByPeer)
        await server.close()
    }

    @Test("Thirty clients at once, each with an ear of its own")
    func many() async throws {
        let server = try await desk.open(answering: Samples.commandComplete)
        var clients: [(any HCITransport, Witness)] = []
        for _ in 0..<30 { clients.append(try await connect(server)) }
        for (index, (client, _)) in clients.enumerated() {
            for _ in 0...index { client.send(Samples.acl(index)) }
        }
        for (index, (_, witness)) in clients.enumerated() {
            #expect(await witness.packets(index + 1).count == index + 1)
        }
        for index in 0..<30 {
            let packets = try await desk.arrival(index).witness.packets
            #expect(Set(packets).count == 1)
            #expect(packets.count == packets[0].count - 5 + 1)
        }
        await server.close()
    }

    @Test("A client that sends garbage loses its own link and no other")
    func garbage() async throws {
        let server = try await desk.open(answering: Samples.commandComplete)
        let (good, goodWitness) = try await connect(server)
        good.send(Samples.reset)
        _ = await goodWitness.packets(1)
        let (bad, badWitness) = try await connect(server)
        bad.send(Samples.reset + Array("GET / HTTP/1.1\r\n\r\n".utf8))
        guard case .notHCI(let what) = try await desk.arrival(1).witness.end() else {
            Issue.record("the link lives on")
            return
        }
        #expect(!what.isEmpty)
        #expect(try await desk.arrival(1).witness.packets == [Samples.reset], "what came before the garbage counts")
        #expect(await badWitness.end() == .closedByPeer)
        good.send(Samples.reset)
        #expect(await goodWitness.packets(2).count == 2)
        await server.close()
    }

    @Test("A host that sends events, and a controller that sends commands, are not what they should be")
    func wrongRole() async throws {
        let server = try await desk.open()
        let (client, _) = try await connect(server)
        client.send(Samples.commandComplete)
        #expect(try await desk.arrival(0).witness.end() == .notHCI("it sends events, as only controllers do"))
        let (_, other) = try await connect(server)
        try await desk.arrival(1).transport.send(Samples.reset)
        #expect(await other.end() == .notHCI("it sends commands, as only hosts do"))
        await server.close()
    }

    @Test("A client that vanishes in the middle of a packet loses its own link and no other")
    func vanishing() async throws {
        let server = try await desk.open(answering: Samples.commandComplete)
        let (good, goodWitness) = try await connect(server)
        good.send(Samples.reset)
        _ = await goodWitness.packets(1)
        let (bad, _) = try await connect(server)
        bad.send(Array(Samples.acl(200).prefix(50)))
        bad.close()
        #expect(try await desk.arrival(1).witness.end() == .cutMidPacket)
        #expect(try await desk.arrival(1).witness.packets.isEmpty)
        good.send(Samples.reset)
        #expect(await goodWitness.packets(2).count == 2)
        await server.close()
    }

    @Test(
        "A client that does not finish a packet in time loses its link, be it the first packet or a later one",
        arguments: [0, 1, 4 + 50]
    )
    func unfinished(count: Int) async throws {
        let limits = ListeningLimits(connections: 8, message: .milliseconds(500))
        let server = try await desk.open(limits: limits)
        let client = try RawPeer(port: server.address.port)
        await client.send(Array((Samples.reset + Samples.acl(200)).prefix(count)))
        try #require(await client.hear() == [])
        #expect(try await desk.arrival(0).witness.end() == .unfinished)
        await server.close()
    }

    @Test("A client that has finished a packet and rested does not finish the next one in time, and loses its link")
    func unfinishedAfterRest() async throws {
        let limits = ListeningLimits(connections: 8, message: .milliseconds(500))
        let server = try await desk.open(limits: limits)
        let client = try RawPeer(port: server.address.port)
        await client.send(Samples.reset)
        // The time of the first packet is over with it: what follows has a time of its own.
        _ = try await desk.arrival(0).witness.packets(1)
        await client.send(Array(Samples.acl(200).prefix(50)))
        try #require(await client.hear() == [])
        #expect(try await desk.arrival(0).witness.end() == .unfinished)
        await server.close()
    }

    @Test("A client that has sent a packet may be silent for as long as it likes, also when the port is full")
    func silence() async throws {
        let limits = ListeningLimits(connections: 4, message: .seconds(2))
        let server = try await desk.open(answering: Samples.commandComplete, limits: limits)
        let client = try RawPeer(port: server.address.port)
        await client.send(Samples.reset)
        let count = Samples.commandComplete.count
        #expect(await client.hear(count) == Samples.commandComplete)
        // Ten more come and are dropped, which takes as long as a silent client has.
        var others: [RawPeer] = []
        for _ in 0..<10 { others.append(try RawPeer(port: server.address.port)) }
        for other in others { #expect(await other.hear() == []) }
        await client.send(Samples.reset)
        #expect(await client.hear(count) == Samples.commandComplete)
        await server.close()
    }

    @Test("A client that never reads is given up when the backlog is full, and is told nothing more")
    func slow() async throws {
        let server = try await desk.open()
        let socket = try RawSocket(connectingTo: server.address.port)
        let client = try await desk.arrival(0)
        let packet = Samples.acl(60_000)
        for _ in 0..<1_000 where client.witness.ends.isEmpty { client.transport.send(packet) }
        #expect(await client.witness.end() == .peerTooSlow)
        socket.close()
        await server.close()
    }

    @Test("A client that takes nothing of what it is sent for too long loses its link, however little that is")
    func unread() async throws {
        let server = try await desk.open(limits: ListeningLimits(connections: 8, unread: .milliseconds(300)))
        let socket = try RawSocket(connectingTo: server.address.port)
        let client = try await desk.arrival(0)
        client.transport.send(Samples.reset)
        // More than the system keeps for it, and far from the backlog.
        for _ in 0..<60 { client.transport.send(Samples.acl(60_000)) }
        #expect(await client.witness.end() == .peerTooSlow)
        socket.close()
        await server.close()
    }

    @Test("A client that reads keeps its link, however long it had to be waited for in all")
    func readSlowly() async throws {
        let server = try await desk.open(limits: ListeningLimits(connections: 8, unread: .seconds(1)))
        let client = try RawPeer(port: server.address.port)
        await client.send(Samples.reset)
        let packet = Samples.acl(60_000)
        let desk = try await desk.arrival(0)
        for _ in 0..<60 { desk.transport.send(packet) }
        for _ in 0..<60 { #expect(await client.hear(packet.count) == packet) }
        await client.send(Samples.reset)
        #expect(await desk.witness.packets(2).count == 2)
        await server.close()
    }

    @Test("A client that asks and does not read is not answered for ever: it is read again when it reads")
    func askingWithoutReading() async throws {
        let answer = Samples.acl(1_000)
        let server = try await desk.open(answering: answer)
        let client = try RawPeer(port: server.address.port)
        let asked = 50_000
        let asking = Task {
            for _ in 0..<50 {
                await client.send(Array(repeatElement(Samples.reset, count: asked / 50).joined()))
            }
        }
        let witness = try await desk.arrival(0).witness
        // It is read for as long as its answers find room, which the system has for some.
        var (count, former) = (await witness.packets(1).count, 0)
        while count > former {
            try await Task.sleep(for: .milliseconds(100))
            (count, former) = (witness.packets.count, count)
        }
        #expect(count < asked && witness.ends.isEmpty)
        var heard = 0
        while heard < asked * answer.count {
            let some = try #require(await client.hear(min(1 << 20, asked * answer.count - heard)))
            try #require(!some.isEmpty)
            heard += some.count
        }
        await asking.value
        #expect(await witness.packets(asked).count == asked && witness.ends.isEmpty)
        await server.close()
    }

    @Test("What waits of a client that has gone is read no further")
    func goneWithMoreWaiting() async throws {
        let server = try await desk.open(keepsBatches: true)
        do {
            let client = try RawPeer(port: server.address.port)
            await client.send(Array(repeatElement(Samples.reset, count: 20_000).joined()))
        }
        let witness = try await desk.arrival(0).witness
        #expect(await witness.end() == .closedByPeer)
        #expect(witness.packets.count < 2_000)
        await server.close()
    }

    @Test("An owner that keeps what it is given is not given more than it can hold")
    func backPressure() async throws {
        let server = try await desk.open(keepsBatches: true)
        let (client, _) = try await connect(server)
        let packet = Samples.acl(10_000)
        for _ in 0..<300 { client.send(packet) }
        let owner = try await desk.arrival(0).witness
        let some = await owner.packets(HCITransportLimits.unconsumedOfHost / packet.count).count
        #expect(some < 300)
        // Each time everything is let go of, more comes, until all has come.
        var have = some
        while have < 300 {
            owner.letGo()
            let more = await owner.packets(have + 1).count
            try #require(more > have)
            have = more
        }
        #expect(owner.packets.allSatisfy { $0 == packet })
        await server.close()
    }

    @Test("Closing the port closes every link")
    func closing() async throws {
        let server = try await desk.open()
        let (_, first) = try await connect(server)
        let (_, second) = try await connect(server)
        _ = try await (desk.arrival(0), desk.arrival(1))
        await server.close()
        #expect(await first.end() == .closedByPeer)
        #expect(await second.end() == .closedByPeer)
        await #expect(throws: HCITransportError.self) {
            try await HCIEndpoint.tcp(server.address).open(first.callbacks)
        }
    }

    @Test("A port that is taken is an error of one line that says what to do")
    func taken() async throws {
        let server = try await desk.open()
        let error = await #expect(throws: HCITransportError.self) {
            _ = try await HCIServer.listen(on: server.address) { _ in Witness().callbacks }
        }
        #expect(error?.description.contains("\(server.address.port) on 127.0.0.1 is taken") == true)
        #expect(error?.description.contains("--hci-listen") == true)
        await server.close()
    }

    @Test("A port can be opened again right after it was closed with clients on it")
    func reopening() async throws {
        let server = try await desk.open()
        let (_, witness) = try await connect(server)
        _ = try await desk.arrival(0)
        await server.close()
        _ = await witness.end()
        let again = try await HCIServer.listen(on: server.address) { _ in Witness().callbacks }
        #expect(again.address == server.address)
        await again.close()
    }

    @Test("Where nobody listens, the error says so")
    func nobody() async throws {
        let server = try await desk.open()
        let address = server.address
        await server.close()
        let error = await #expect(throws: HCITransportError.self) {
            try await HCIEndpoint.tcp(address).open(Witness().callbacks)
        }
        #expect(error?.description == "nothing listens on \(address)" && error?.isUnattended == true)
    }
}
