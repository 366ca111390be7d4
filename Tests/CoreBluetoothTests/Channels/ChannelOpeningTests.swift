import BluethroatHost
import BluethroatPhoneService
import BluethroatPhones
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Testing

/// Opening L2CAP channels. `docs/corebluetooth.md`, "Held to it", says what the end of a name means.
@Suite("L2CAP channels are published and opened")
struct ChannelOpeningTests {
    @Test("The phone picks a free number of the dynamic range, another for each app and service [H]")
    func numbers() throws {
        let scene = try ChannelScene(encryption: [false, true])
        let other = ChannelServer(scene.serverPhone.addApp().environment)
        scene.run(.seconds(1))
        let all = scene.server.published + other.published
        #expect(all.count == 3 && Set(all).count == 3 && all.allSatisfy { (0x80...0xFF).contains($0) })
    }

    @Test("When there are no numbers left, publishing fails")
    func numbersRunOut() throws {
        let scene = try ChannelScene()
        for _ in 0..<128 { scene.server.manager.publishL2CAPChannel(withEncryption: false) }
        scene.run(.seconds(1))
        #expect(scene.server.published.count == 128)
        #expect(scene.server.errors.map { ($0 as? CBError)?.code } == [.outOfSpace])
    }

    @Test("Both ends get the channel with its peer, its number and closed streams [W17]")
    func ends() throws {
        let scene = try ChannelScene()
        var channels: [CBL2CAPChannel] = []
        scene.client.open = {
            channels.append($0); return nil
        }
        scene.server.open = {
            channels.append($0); return nil
        }
        try #require(scene.client.peripheral).openL2CAPChannel(scene.server.psm)
        try scene.wait("opened") { channels.count == 2 }
        #expect(channels.map(\.psm) == [scene.server.psm, scene.server.psm])
        #expect(channels.contains { $0.peer === scene.client.peripheral })
        #expect(channels.contains { $0.peer is CBCentral })
        for channel in channels {
            #expect(channel.inputStream.streamStatus == .notOpen && channel.outputStream.streamStatus == .notOpen)
            #expect(!channel.inputStream.hasBytesAvailable && !channel.outputStream.hasSpaceAvailable)
            var byte: UInt8 = 1
            #expect(channel.outputStream.write(&byte, maxLength: 1) == -1)
            #expect(channel.inputStream.read(&byte, maxLength: 1) == -1)
        }
    }

    @Test("A number under which nobody listens is an unknown error, one that cannot be an invalid parameter [O]")
    func refused() throws {
        let scene = try ChannelScene()
        let peripheral = try #require(scene.client.peripheral)
        peripheral.openL2CAPChannel(0xF0)
        try scene.wait("refused") { scene.client.count("refused") == 1 }
        peripheral.openL2CAPChannel(0x100)
        try scene.wait("refused") { scene.client.count("refused") == 2 }
        #expect(scene.client.errors.map { ($0 as? CBError)?.code } == [.unknown, .invalidParameters])
    }

    @Test("Without a connection nothing is opened, and the developer is told [H]")
    func notConnected() throws {
        let scene = try ChannelScene()
        let peripheral = try #require(scene.client.peripheral)
        scene.client.manager.cancelPeripheralConnection(peripheral)
        try scene.wait("disconnected") { scene.client.heard.contains("disconnected") }
        peripheral.openL2CAPChannel(scene.server.psm)
        scene.run(.seconds(1))
        #expect(scene.clientPhone.service.misuse.last?.sentence.contains("connected state") == true)
        #expect(scene.client.count("refused") == 0)
    }

    @Test("While Bluetooth is off nothing is published, and the developer is told [H]")
    func off() throws {
        let scene = try ChannelScene()
        scene.serverPhone.switchPower(false)
        scene.run(.seconds(1))
        let published = scene.server.published
        scene.server.manager.publishL2CAPChannel(withEncryption: false)
        scene.server.manager.unpublishL2CAPChannel(published[0])
        scene.run(.seconds(1))
        #expect(scene.server.published == published && !scene.server.heard.contains("unpublished \(published[0])"))
        #expect(scene.serverPhone.service.misuse.suffix(2).allSatisfy { $0.sentence.contains("powered on state") })
    }

    @Test("A channel that needs encryption is opened after the phone has paired by itself [H]")
    func encryption() throws {
        let scene = try ChannelScene(encryption: [true])
        let (client, server) = try scene.open()
        let bonds = scene.world.perform(on: scene.clientPhone.device) { host, _, _ in host.bonds }
        #expect(bonds?.count == 1 && scene.client.errors.isEmpty)
        client.write(scene.bytes(10_000))
        try scene.wait("all received") { server.received.count == 10_000 }
        // The next one needs no pairing.
        try scene.open()
    }

    @Test("Where pairing fails, the app is told what the peer wants [O]")
    func encryptionRefused() throws {
        let scene = try ChannelScene(encryption: [true])
        scene.world.perform(on: scene.serverPhone.device) { host, _, _ in host.pairingSettings.protection = .required }
        try #require(scene.client.peripheral).openL2CAPChannel(scene.server.psm)
        try scene.wait("refused") { scene.client.count("refused") == 1 }
        #expect((scene.client.errors.first as? CBATTError)?.code == .insufficientAuthentication)
    }

    @Test("Of two apps on a phone each gets the channels to its own number")
    func twoApps() throws {
        let scene = try ChannelScene()
        let other = ChannelServer(scene.serverPhone.addApp().environment)
        scene.run(.seconds(1))
        try #require(scene.client.peripheral).openL2CAPChannel(other.psm)
        try scene.wait("opened") { other.peers.count == 1 && scene.client.peers.count == 1 }
        #expect(scene.server.peers.isEmpty)
        // It cannot withdraw what is not its own.
        other.manager.unpublishL2CAPChannel(scene.server.psm)
        scene.run(.seconds(1))
        #expect((other.errors.first as? CBError)?.code == .invalidParameters)
        try scene.open()
    }
}
