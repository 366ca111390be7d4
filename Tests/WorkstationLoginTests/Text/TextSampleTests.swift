import BluethroatAppEnvironment
import BluethroatHost
import BluethroatPhones
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import CoreBluetooth
import Foundation
import Testing

@testable import BluethroatWorkstationLogin

@Suite("The text sample, as its author's phones see it")
struct TextSampleTests {
    @Test("The long text has 4409 bytes of ASCII and ends in END")
    func longText() {
        #expect(LongText.text.utf8.count == 4_409)
        #expect(LongText.text.utf8.allSatisfy { $0 < 0x80 })
        #expect(LongText.text.hasSuffix("END"))
    }

    @Test("Of a log the last thousand lines stay, and no more than four MiB")
    func longLog() {
        var pad = TextPad()
        for number in 0..<1_500 { pad.log("\(number)") }
        #expect(pad.lines.count == 1_000 && pad.lines.last == "1499" && pad.lineCount == 1_500)
        for _ in 0..<10 { pad.log(String(repeating: "x", count: 1 << 20)) }
        #expect(pad.lines.count == 4 && pad.lineCount == 1_510)
        pad.log(String(repeating: "y", count: 5 << 20))
        #expect(pad.lines.count == 1)
        pad.clear()
        for number in 0..<1_500 { pad.log("\(number)") }
        #expect(pad.lines.count == 1_000)
    }

    @Test(
        "Texts that are made faster than the air takes them are refused on the screen, framed or not",
        arguments: [false, true]
    )
    func tooFast(_ isFramed: Bool) throws {
        let scene = TextScene(offersFramedMode: isFramed)
        try scene.connect()
        scene.run(for: .seconds(1))
        for _ in 0..<1_200 {
            scene.client.send("faster than the air")
            scene.server.send("faster than the air")
        }
        for pad in [scene.client.pad, scene.server.pad] {
            #expect(pad.waitingCount <= 1_000)
            #expect(pad.lines.last == "NOT SENT: too much waits to be sent already")
        }
    }

    @Test(
        "It goes in as many packets as the original makes of it",
        arguments: [(20, 221, 9), (182, 25, 41), (185, 24, 154), (244, 19, 17), (512, 9, 313), (524, 9, 217)]
    )
    func packets(longest: Int, count: Int, last: Int) {
        var transmission = RawTransmission(Data(LongText.text.utf8), longest: longest)
        var packets: [Data] = []
        while let packet = transmission.packet() {
            packets.append(packet)
            transmission.sent()
        }
        #expect(packets.count == count && packets.last?.count == last)
        #expect(packets.dropLast().allSatisfy { $0.count == longest })
        #expect(packets.reduce(Data(), +) == Data(LongText.text.utf8))
    }

    @Test(
        "Without the framed mode each packet is a line on the other side, both ways",
        arguments: [(23, 221), (185, 25), (188, 24), (247, 19), (517, 9)]
    )
    func onAir(mtu: Int, count: Int) throws {
        let scene = TextScene(mtu: mtu, offersFramedMode: false)
        try scene.connect()
        #expect(scene.client.mode == .raw)
        scene.run(for: .seconds(1))
        scene.client.sendLongText()
        scene.server.sendLongText()
        scene.run(for: .seconds(20)) { scene.atServer.count >= count && scene.atClient.count >= count }
        scene.run(for: .seconds(1))
        #expect(scene.atServer.count == count && scene.atClient.count == count)
        #expect(scene.atServer.joined() == LongText.text && scene.atClient.joined() == LongText.text)
        #expect(scene.serverPhone.misuse.isEmpty && scene.clientPhone.misuse.isEmpty)
    }

    @Test("A client that does not know the framed mode, or a server that does not, gets packets without header")
    func mixed() throws {
        for (offers, uses) in [(true, false), (false, true)] {
            let scene = TextScene(offersFramedMode: offers, usesFramedMode: uses)
            try scene.connect()
            #expect(scene.client.mode == .raw)
            scene.client.send("hello")
            scene.server.send("good day")
            scene.run(for: .seconds(2))
            #expect(scene.atServer == ["hello"] && scene.atClient == ["good day"])
        }
    }

    @Test("Both screens say what happens in the sample's words")
    func words() throws {
        let scene = TextScene(offersFramedMode: false)
        try scene.connect()
        scene.run(for: .seconds(2))
        let server = scene.server.pad.lines
        #expect(
            server.prefix(6) == [
                "CBManager is powered on",
                "Primary service: BF52E2D6-FF52-43CB-99A0-872FA3DDE94F",
                "Characteristic: F438775D-E605-42B8-ABE7-6E31ED52EA87",
                "Characteristic: A82AE020-E171-42F8-A31C-5F612926F041",
                "GATT prepared ...",
                "Advertising started",
            ]
        )
        let client = scene.client.pad.lines
        #expect(client.first == "GATT client started ...")
        let rssi = try #require(client.first { $0.hasPrefix("Name:Text RSSI:-") })
        #expect(rssi.contains("UUID:"))
        let beginnings = [
            "Advertisment data: ", "Scan stopped", "Connected: ", "Discovered service: BF52E2D6-",
            "Discovered characteristic: F438775D-", "Discovered characteristic: A82AE020-",
            "READ: some identificator",
        ]
        for beginning in beginnings {
            #expect(client.contains { $0.hasPrefix(beginning) }, "\(beginning) in \(client)")
        }
        scene.client.disconnect()
        scene.run(for: .seconds(1))
        #expect(scene.client.pad.lines.last == "Disconnected: YES")
        scene.serverPhone.switchPower(false)
        scene.clientPhone.switchPower(false)
        scene.run(for: .seconds(1))
        #expect(scene.server.pad.lines.last == "CBManager is not powered on")
        #expect(scene.client.pad.lines.last == "CBManager is powered off")
    }

    @Test("Send is enabled while somebody types; what was deleted is not sent")
    func typing() throws {
        let scene = TextScene()
        try scene.connect()
        #expect(!scene.client.pad.isSendEnabled)
        scene.client.sendTyped()
        scene.client.beginEditing()
        #expect(scene.client.pad.isSendEnabled)
        scene.client.type("helloo")
        scene.client.deleteBackward()
        #expect(scene.client.pad.text.hasSuffix("hello"))
        scene.client.sendTyped()
        #expect(!scene.client.pad.isSendEnabled)
        scene.run(for: .seconds(1))
        #expect(scene.atServer == ["hello"])
        scene.client.clear()
        #expect(scene.client.pad.text.isEmpty)
    }

    @Test("The switch follows Bluetooth, and advertising is off after Bluetooth was off")
    func advertisingSwitch() throws {
        let scene = TextScene()
        scene.server.switchAdvertising(true)
        #expect(!scene.server.isSwitchOn)
        try scene.connect()
        #expect(scene.server.isSwitchOn)
        scene.client.disconnect()
        scene.serverPhone.switchPower(false)
        scene.run(for: .seconds(1))
        #expect(!scene.server.isSwitchOn)
        scene.serverPhone.switchPower(true)
        scene.run(for: .seconds(1))
        scene.client.search()
        scene.run(for: .seconds(5))
        #expect(scene.client.isScanning, "what the switch says holds on the air, too")
    }

    @Test("A character that a packet boundary would cut is whole on the screen, whoever cuts", arguments: [1, 2, 3, 4])
    func characters(width: Int) throws {
        let text = String(repeating: [1: "x", 2: "é", 3: "語", 4: "🗝"][width]!, count: 199)
        for offset in 0..<4 {
            let shifted = String(repeating: "-", count: offset) + text
            var transmission = RawTransmission(Data(shifted.utf8), longest: 20)
            var shown: [String] = []
            while let packet = transmission.packet() {
                shown.append(String(decoding: packet, as: UTF8.self))
                transmission.sent()
            }
            #expect(shown.joined() == shifted && !shown.joined().contains("\u{FFFD}"))
            var pieces = TextPieces()
            let bytes = Array(shifted.utf8)
            let lines = stride(from: 0, to: bytes.count, by: 20).map {
                pieces.take(Data(bytes[$0..<min($0 + 20, bytes.count)]))
            }
            #expect(lines.joined() == shifted && pieces.end() == nil)
        }
    }

    @Test("Bytes that are no text are shown as replacement characters, and hold nothing back")
    func noText() {
        var pieces = TextPieces()
        #expect(pieces.take(Data([0x61, 0xFF, 0x62])) == "a\u{FFFD}b")
        #expect(pieces.take(Data([0x80, 0x80, 0x80, 0x80])) == String(repeating: "\u{FFFD}", count: 4))
        #expect(pieces.take(Data([0xE2, 0x82])).isEmpty)
        #expect(pieces.end() == "\u{FFFD}")
        #expect(pieces.take(Data([0xF0, 0x9F])).isEmpty)
        #expect(pieces.take(Data("x".utf8)) == "\u{FFFD}x")
    }

    @Test("A second text waits for the first", arguments: [true, false])
    func queue(framed: Bool) throws {
        let scene = TextScene(mtu: 23, offersFramedMode: framed)
        try scene.connect()
        for text in ["one", LongText.text, "two", "", "three"] {
            scene.client.send(text)
            scene.server.send(text)
        }
        #expect(scene.client.pad.waitingCount > 0)
        scene.run(for: .seconds(20)) { scene.atServer.last == "three" && scene.atClient.last == "three" }
        let all = "one" + LongText.text + "twothree"
        #expect(scene.atServer.joined() == all && scene.atClient.joined() == all)
        scene.run(for: .seconds(1))
        #expect(scene.client.pad.sending == nil && scene.client.pad.waitingCount == 0)
    }

    @Test("A text that was under way when the connection ended is told of, and the next connection begins anew")
    func brokenOff() throws {
        for framed in [true, false] {
            let scene = TextScene(mtu: 23, offersFramedMode: framed)
            try scene.connect()
            scene.client.sendLongText()
            scene.run(for: .milliseconds(100))
            scene.world.move(scene.clientPhone.device, to: .metres(x: 100_000))
            scene.run(for: .seconds(90)) { !scene.client.isConnected }
            #expect(scene.client.pad.lines.contains { $0.hasPrefix("NOT SENT: the connection has ended") })
            scene.world.move(scene.clientPhone.device, to: .metres(x: 1))
            scene.run(for: .seconds(30))
            let before = scene.atServer.count
            scene.client.connect()
            scene.run { scene.client.mode != nil }
            scene.client.send("again")
            scene.run(for: .seconds(2))
            #expect(scene.atServer.dropFirst(before).joined() == "again")
        }
    }

    @Test("Several clients, some of them the original: each gets every text in its own manner")
    func several() throws {
        let scene = TextScene(mtu: 185)
        let others = (0..<3).map { number in
            let phone = Phone(named: "other \(number)", in: scene.world, at: .metres(x: 1, y: Double(number)))
            let client = phone.addApp().run {
                TextClient(usesFramedMode: number == 0, clock: .of(scene.world), random: .seeded(UInt64(number)))
            }
            return client
        }
        try scene.connect()
        for client in others {
            client.search()
            try #require(scene.run { client.found != nil })
            client.connect()
            try #require(scene.run { client.mode != nil })
        }
        scene.server.sendLongText()
        scene.server.send("end")
        scene.run(for: .seconds(10))
        for client in [scene.client] + others {
            #expect(TextScene.texts(client.pad).joined() == LongText.text + "end")
        }
    }
}
