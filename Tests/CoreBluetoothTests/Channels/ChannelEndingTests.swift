import BluethroatPhoneService
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// How L2CAP channels end. `docs/corebluetooth.md`, "Held to it", says what the end of a name means.
@Suite("How L2CAP channels end")
struct ChannelEndingTests {
    @Test("The peer closes both streams: all bytes can be read, then both streams have ended [H; W17]")
    func byPeer() throws {
        let scene = try ChannelScene()
        let (client, server) = try scene.open()
        server.reads = false
        let text = scene.bytes(20_000)
        client.write(text)
        scene.run(.seconds(2))
        client.close()
        #expect(client.input.streamStatus == .closed && client.output.streamStatus == .closed)
        scene.run(.seconds(2))
        // Nothing was read yet, and so the end is not reported.
        #expect(server.heardIn.last == "bytes" && server.input.streamStatus == .open)
        #expect(server.heardOut.last == "end" && server.output.streamStatus == .atEnd)
        server.pull()
        scene.run(.zero)
        #expect(server.received == text)
        #expect(server.heardIn.last == "end" && server.heardIn.count { $0 == "end" } == 1)
        #expect(server.input.streamStatus == .atEnd && server.input.streamError == nil)
        var byte: UInt8 = 0
        #expect(server.input.read(&byte, maxLength: 1) == 0)
        #expect(server.output.write(&byte, maxLength: 1) == -1 && server.output.streamStatus == .error)
        #expect((server.output.streamError as? NSError)?.code == Int(POSIXErrorCode.EPIPE.rawValue))
        #expect(client.heardIn.last != "end" && client.heardOut.last != "end")
    }

    @Test("What was written before the streams were closed still arrives")
    func draining() throws {
        let scene = try ChannelScene()
        let (client, server) = try scene.open()
        client.write(scene.bytes(30_000))
        #expect(client.sent == 30_000)
        client.close()
        try scene.wait("end") { server.heardIn.last == "end" }
        #expect(server.received == scene.bytes(30_000))
    }

    @Test("Closing one stream ends that direction for the app; the other goes on")
    func half() throws {
        let scene = try ChannelScene()
        let (client, server) = try scene.open()
        client.input.close()
        server.write(scene.bytes(200_000))
        client.write(scene.bytes(50_000))
        try scene.wait("all received") { server.received.count == 50_000 && server.sent == 200_000 }
        #expect(client.received.isEmpty && server.output.streamStatus == .open)
        client.output.close()
        try scene.wait("end") { server.heardIn.last == "end" }
    }

    @Test("An app that lets go of the channel closes it [H]")
    func released() throws {
        let scene = try ChannelScene()
        let (_, server) = try scene.open()
        scene.client.forget()
        try scene.wait("end") { server.heardIn.last == "end" }
        #expect(server.heardOut.last == "end" && server.input.streamError == nil)
    }

    @Test("A channel that its app does not keep is closed at once [O]")
    func notKept() throws {
        let scene = try ChannelScene()
        scene.server.open = { _ in nil }
        try #require(scene.client.peripheral).openL2CAPChannel(scene.server.psm)
        try scene.wait("end") { scene.client.peer?.heardIn.last == "end" }
        #expect(scene.client.peer?.heardIn == ["open", "end"])
    }

    @Test("In the middle of a transfer, either side may close")
    func inTheMiddle() throws {
        for closesClient in [true, false] {
            let scene = try ChannelScene()
            let (client, server) = try scene.open()
            client.write(scene.bytes(500_000))
            server.write(scene.bytes(500_000))
            try scene.wait("half") { client.received.count > 100_000 && server.received.count > 100_000 }
            let (closer, other) = closesClient ? (client, server) : (server, client)
            closer.close()
            try scene.wait("end") { other.heardIn.last == "end" && other.heardOut.last == "end" }
            #expect(other.received == scene.bytes(500_000).prefix(other.received.count))
            let count = closer.received.count
            scene.run(.seconds(1))
            #expect(closer.received.count == count)
        }
    }

    @Test(
        "A lost link is an error, after all bytes have been read; the socket's code, the reason below it [H; product decision]"
    )
    func lostLink() throws {
        let scene = try ChannelScene()
        let (client, server) = try scene.open()
        client.write(scene.bytes(500_000))
        server.write(scene.bytes(500_000))
        try scene.wait("half") { client.received.count > 100_000 && server.received.count > 100_000 }
        scene.world.move(scene.serverPhone.device, to: .metres(x: 100_000))
        try scene.wait("error") {
            [client, server].allSatisfy { $0.heardIn.last == "error" && $0.heardOut.last == "error" }
        }
        for end in [client, server] {
            #expect(end.received == scene.bytes(500_000).prefix(end.received.count))
            #expect(end.input.streamStatus == .error && end.output.streamStatus == .error)
            let error = try #require(end.input.streamError) as NSError
            #expect(error.domain == NSPOSIXErrorDomain && error.code == Int(POSIXErrorCode.ENOTCONN.rawValue))
            #expect((error.userInfo[NSUnderlyingErrorKey] as? CBError)?.code == .connectionTimeout)
            var byte: UInt8 = 0
            #expect(end.input.read(&byte, maxLength: 1) == -1 && end.output.write(&byte, maxLength: 1) == -1)
        }
        try scene.wait("disconnected") { scene.client.heard.contains("disconnected") }
    }

    @Test("An app that ends the connection ends its channels, without an error [H; product decision]")
    func cancelled() throws {
        let scene = try ChannelScene()
        let (client, server) = try scene.open()
        scene.client.manager.cancelPeripheralConnection(try #require(scene.client.peripheral))
        try scene.wait("end") { client.heardIn.last == "end" && server.heardOut.count > 2 }
        #expect(client.heardOut.last == "end" && client.input.streamError == nil)
    }

    @Test("An app that leaves a shared connection ends its own channels, and no others")
    func shared() throws {
        let scene = try ChannelScene()
        let other = ChannelClient(scene.clientPhone.addApp().environment)
        try scene.wait("connected") { other.heard.contains("connected") }
        let (client, server) = try scene.open()
        try #require(other.peripheral).openL2CAPChannel(scene.server.psm)
        try scene.wait("opened") { other.peers.count == 1 && scene.server.peers.count == 2 }
        scene.client.manager.cancelPeripheralConnection(try #require(scene.client.peripheral))
        try scene.wait("end") { client.heardIn.last == "end" && server.heardIn.last == "end" }
        other.peer?.write(scene.bytes(10_000))
        try scene.wait("all received") { scene.server.peers[1].received.count == 10_000 }
        #expect(!other.heard.contains("disconnected"))
    }

    @Test("Unpublishing closes the channels of that number, refuses new ones, and is reported [H; W17]")
    func unpublished() throws {
        let scene = try ChannelScene(encryption: [false, false])
        let psms = scene.server.published
        let (client, server) = try scene.open(psms[0])
        let other = try scene.open(psms[1])
        client.write(scene.bytes(500_000))
        try scene.wait("half") { server.received.count > 100_000 }
        scene.server.manager.unpublishL2CAPChannel(psms[0])
        try scene.wait("end") { client.heardIn.last == "end" && server.heardIn.last == "end" }
        #expect(scene.server.heard.last == "unpublished \(psms[0])" && scene.server.errors.isEmpty)
        try #require(scene.client.peripheral).openL2CAPChannel(psms[0])
        try scene.wait("refused") { scene.client.count("refused") == 1 }
        other.client.write(scene.bytes(10_000))
        try scene.wait("all received") { other.server.received.count == 10_000 }
    }

    @Test("Bluetooth switched off at either end ends channels with an error")
    func power() throws {
        for offClient in [true, false] {
            let scene = try ChannelScene()
            let (client, server) = try scene.open()
            client.write(scene.bytes(500_000))
            try scene.wait("half") { server.received.count > 100_000 }
            (offClient ? scene.clientPhone : scene.serverPhone).switchPower(false)
            try scene.wait("error") {
                [client, server].allSatisfy { $0.heardIn.last == "error" && $0.heardOut.last == "error" }
            }
            #expect(server.received == scene.bytes(500_000).prefix(server.received.count))
        }
    }

    @Test("A number stays published while Bluetooth is off for a while")
    func powerComesBack() throws {
        let scene = try ChannelScene()
        scene.serverPhone.switchPower(false)
        scene.run(.seconds(1))
        scene.serverPhone.switchPower(true)
        try scene.wait("disconnected") { scene.client.heard.contains("disconnected") }
        scene.client.manager.connect(try #require(scene.client.peripheral))
        try scene.wait("connected") { scene.client.count("connected") == 2 }
        try scene.open()
    }

    @Test("A manager that is gone closes its channels, whichever side it is on [H; W17]")
    func managerGone() throws {
        for quitsClient in [true, false] {
            let scene = try ChannelScene()
            let (client, server) = try scene.open()
            if quitsClient { scene.client.quit() } else { scene.server.quit() }
            let other = quitsClient ? server : client
            try scene.wait("end") { ["end", "error"].contains(other.heardIn.last) }
            let own = quitsClient ? client : server
            #expect(own.input.streamStatus == .atEnd && own.output.streamStatus == .atEnd)
        }
    }
}
