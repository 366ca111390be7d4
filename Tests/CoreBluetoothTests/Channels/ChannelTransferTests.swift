import CoreBluetooth
import PhoneService
import Phones
import Simulation
import Testing
import VirtualTime

@Suite("Bytes over L2CAP channels")
struct ChannelTransferTests {
    @Test("A file of 2 MB each way between two apps arrives byte for byte")
    func bothWays() throws {
        let scene = try ChannelScene()
        let (client, server) = try scene.open()
        let up = scene.bytes(2_000_000, seed: 1)
        let down = scene.bytes(2_000_000, seed: 2)
        client.write(up)
        server.write(down)
        try scene.wait("all received", within: .seconds(120)) {
            client.received.count == down.count && server.received.count == up.count
        }
        #expect(client.received == down && server.received == up)
        #expect(client.heardIn.first == "open" && client.heardOut.prefix(2) == ["open", "space"])
        #expect(client.input.streamStatus == .open && client.output.streamStatus == .open)
    }

    @Test("One way, an app gets 97 % of what the radio can carry", arguments: [false, true], [false, true])
    func goodput(is2M: Bool, fromClient: Bool) throws {
        var settings = PhoneSettings()
        settings.asksForLE2M = is2M
        let scene = try ChannelScene(settings: settings)
        let (client, server) = try scene.open()
        let (sender, receiver) = fromClient ? (client, server) : (server, client)
        let file = scene.bytes(2_000_000)
        // Advertising takes its share of the air.
        scene.server.manager.stopAdvertising()
        var first: Instant?
        receiver.onBytes = { if first == nil { first = scene.world.now } }
        sender.write(file)
        try scene.wait("all received", within: .seconds(60)) { receiver.received.count == file.count }
        #expect(receiver.received == file)
        let seconds = Double((scene.world.now - (try #require(first))).nanoseconds) / 1e9
        // 251 bytes, the empty packet of the other side, 10 bytes of 8 µs or 11 of 4 µs around each, 150 µs after each.
        let microseconds = is2M ? (251 + 2 * 11) * 4 + 2 * 150 : (251 + 2 * 10) * 8 + 2 * 150
        let pace = Double(file.count) / seconds
        let share = pace / (251_000_000 / Double(microseconds))
        print("L2CAP goodput, LE 2M: \(is2M), from the central: \(fromClient): \(Int(pace)) bytes/s, \(share)")
        #expect(share > 0.97)
    }

    @Test("Several channels at once, to the same service and to others, keep their bytes apart")
    func several() throws {
        let scene = try ChannelScene(encryption: [false, false])
        #expect(scene.server.published.count == 2)
        let psms = scene.server.published
        let pairs = try [psms[0], psms[1], psms[0]].map { try scene.open($0) }
        for (index, pair) in pairs.enumerated() {
            #expect(pair.client.channel.psm == psms[index % 2] && pair.server.channel.psm == psms[index % 2])
            pair.client.write(scene.bytes(40_000, seed: UInt64(index)))
            pair.server.write(scene.bytes(30_000, seed: UInt64(10 + index)))
        }
        try scene.wait("all received") {
            pairs.allSatisfy { $0.server.received.count == 40_000 && $0.client.received.count == 30_000 }
        }
        for (index, pair) in pairs.enumerated() {
            #expect(pair.server.received == scene.bytes(40_000, seed: UInt64(index)))
            #expect(pair.client.received == scene.bytes(30_000, seed: UInt64(10 + index)))
        }
    }

    @Test("An app that does not read makes the writer wait; no more than the buffers is on its way")
    func slowReader() throws {
        var settings = PhoneSettings()
        settings.channelSendBuffer = 10_000
        settings.channelReceiveBuffer = 8_000
        let scene = try ChannelScene(settings: settings)
        let (client, server) = try scene.open()
        server.reads = false
        let file = scene.bytes(200_000)
        client.write(file)
        scene.run(.seconds(20))
        #expect(client.sent < 10_000 + 8_000 + 2 * 3_998 + 3_998)
        #expect(!client.output.hasSpaceAvailable && server.input.hasBytesAvailable)
        #expect(server.heardIn.last == "bytes")
        let stalled = client.sent
        scene.run(.seconds(20))
        #expect(client.sent == stalled)

        // Little by little, as it is read, more comes.
        var buffer = [UInt8](repeating: 0, count: 1_000)
        var received = Data()
        while received.count < 100_000 {
            try #require(server.input.hasBytesAvailable)
            let count = server.input.read(&buffer, maxLength: buffer.count)
            received += buffer[..<count]
            scene.run(.milliseconds(100))
        }
        #expect(received == file.prefix(received.count))
        #expect(client.sent > 100_000 && client.sent < 140_000)
        server.reads = true
        server.pull()
        try scene.wait("all received") { received.count + server.received.count == file.count }
        #expect(received + server.received == file)
    }

    @Test("Writes of one byte each arrive; what waits goes together")
    func small() throws {
        let scene = try ChannelScene()
        let (client, server) = try scene.open()
        client.pieceLength = 1
        let text = scene.bytes(20_000)
        client.write(text)
        try scene.wait("all received", within: .seconds(5)) { server.received.count == text.count }
        #expect(server.received == text)
    }
}
