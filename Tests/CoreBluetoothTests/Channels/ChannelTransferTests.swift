import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

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

    @Test(
        "One way, an app gets 97 % of what the air can carry, in either direction and on either PHY, headers not counted",
        arguments: [true, false],
        [true, false]
    )
    func goodput(is2M: Bool, isUp: Bool) throws {
        var settings = PhoneSettings()
        settings.asksForLE2M = is2M
        let scene = try ChannelScene(settings: settings)
        let (client, server) = try scene.open()
        let (sender, receiver) = isUp ? (client, server) : (server, client)
        let file = scene.bytes(2_000_000)
        // Advertising takes its share of the air.
        scene.server.manager.stopAdvertising()
        var first: Instant?
        var early = 0
        receiver.onBytes = {
            // What has come with the first bytes was under way before.
            if let first, early == 0, scene.world.now > first { early = receiver.received.count }
            if first == nil { first = scene.world.now }
        }
        sender.write(file)
        try scene.wait("all received", within: .seconds(60)) { receiver.received.count == file.count }
        #expect(receiver.received == file)
        let seconds = Double((scene.world.now - (try #require(first))).nanoseconds) / 1e9
        let share = Double(file.count - early) / seconds / Air.limit(is2M: is2M)
        print("L2CAP goodput of an app, LE \(is2M ? 2 : 1)M, \(isUp ? "to" : "from") the peripheral: \(share * 100) %")
        #expect((0.97...1).contains(share), "\(share)")
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
        #expect(client.sent < 10_000 + 8_000 + 3 * 4_504)
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

/// What the air can carry.
enum Air {
    /// Bytes of Link Layer payload in one direction in a second: 251 bytes, the empty packet of the other side, and
    /// 150 µs after each. Around a payload are 10 bytes of 8 µs on LE 1M, and 11 of 4 µs on LE 2M.
    static func limit(is2M: Bool) -> Double {
        let around = is2M ? 11 : 10, pace = is2M ? 4 : 8
        let microseconds: Int = (251 + 2 * around) * pace + 2 * 150
        return 251_000_000 / Double(microseconds)
    }
}
