import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

@Suite("Raw radios")
struct RawRadioTests {
    private let world = World(seed: 3, propagation: Propagation(shadowing: 0))
    private let channel = ChannelIndex(11)!
    private let address = AccessAddress(rawValue: 0x5A3C_96E1)
    private let crcInit = CRCInit(0x12_3456)

    private func frame(_ payload: [UInt8]) -> RawFrame {
        RawFrame(accessAddress: address, header: DataHeader(.start), payload: payload, crcInit: crcInit)
    }

    private func listener(_ place: Position = .metres(x: 1)) -> RawRadio {
        let radio = world.addRawRadio(named: "listener", at: place)
        radio.listen(on: channel, accessAddress: address, crcInit: crcInit)
        return radio
    }

    @Test("A frame goes out at the instant asked for, takes its time, and comes with strength and CRC state")
    func frameOnAir() throws {
        let sender = world.addRawRadio(named: "sender"), listener = listener()
        let start = Instant.zero + .milliseconds(5)
        sender.transmit(frame([1, 2, 3]), on: channel, power: SignalStrength(dBm: 4), at: start)
        sender.transmit(frame([4]).withWrongCRC, on: channel, at: start + .milliseconds(1))
        world.run(for: .milliseconds(10))
        let heard = listener.takeHeard()
        try #require(heard.count == 2)
        #expect(heard[0].start == start && heard[0].end == start + .microseconds(8 * 13))
        #expect(heard[0].strength == SignalStrength(dBm: 4 - 40) && heard[0].hasValidCRC)
        #expect(heard[0].payload == [1, 2, 3] && heard[0].dataHeader?.logicalLink == .start)
        #expect(!heard[1].hasValidCRC && heard[1].payload == nil && heard[1].bytes == frame([4]).withWrongCRC.bytes)
        #expect(listener.takeHeard().isEmpty)
    }

    @Test("An advertising event is the same advertisement on three channels, with an inter frame space between two")
    func advertisingEvent() throws {
        let sender = world.addRawRadio(named: "sender"),
            listeners = ChannelIndex.advertising.map { channel in
                let radio = world.addRawRadio(named: "listener", at: .metres(x: 1))
                radio.listen(on: channel)
                return radio
            }
        let pdu = AdvertisingPDU.advNonconnInd(advertiser: DeviceAddress(value: 7, kind: .public), data: [2, 1, 6])
        sender.advertise(pdu, at: .zero + .milliseconds(1))
        world.run(for: .milliseconds(5))
        let heard = listeners.flatMap { $0.takeHeard() }
        try #require(heard.count == 3)
        #expect(heard[0].start == .zero + .milliseconds(1) && heard.allSatisfy(\.hasValidCRC))
        for (one, next) in zip(heard, heard.dropFirst()) { #expect(next.start - one.end == .microseconds(150)) }
    }

    @Test("Another channel, PHY or access address is not heard, nor what begins before or after the time to listen")
    func tuning() {
        let sender = world.addRawRadio(named: "sender"), listener = world.addRawRadio(named: "listener")
        let from = Instant.zero + .milliseconds(10), until = Instant.zero + .milliseconds(20)
        listener.listen(on: channel, accessAddress: address, crcInit: crcInit, from: from, until: until)
        let other = RawFrame(accessAddress: .advertising, pdu: [0, 0], crcInit: crcInit)
        sender.transmit(frame([0]), on: channel, at: from - .milliseconds(1))
        sender.transmit(frame([1]), on: ChannelIndex(12)!, at: from + .milliseconds(1))
        sender.transmit(frame([2]), on: channel, phy: .le2M, at: from + .milliseconds(2))
        sender.transmit(other, on: channel, at: from + .milliseconds(3))
        sender.transmit(frame([4]), on: channel, at: from + .milliseconds(4))
        sender.transmit(frame([5]), on: channel, at: until + .milliseconds(1))
        world.run(for: .milliseconds(30))
        #expect(listener.heard.map(\.payload) == [[4]])
    }

    @Test("A radio that sends hears nothing meanwhile, and listens on afterwards")
    func halfDuplex() {
        let first = listener(.origin), second = listener()
        first.transmit(frame([1]), on: channel)
        second.transmit(frame([2]), on: channel)
        world.run(for: .milliseconds(1))
        #expect(first.heard.isEmpty && second.heard.isEmpty)
        second.transmit(frame([3]), on: channel)
        world.run(for: .milliseconds(1))
        #expect(first.takeHeard().map(\.payload) == [[3]])
    }

    @Test("Of two frames at once the louder is heard if it is loud enough, and begins first", arguments: [0, 7, 8, 20])
    func capture(decibels: Int) throws {
        let quiet = world.addRawRadio(named: "quiet"), loud = world.addRawRadio(named: "loud")
        let listener = listener()
        let start = Instant.zero + .milliseconds(1)
        loud.transmit(frame([1]), on: channel, power: SignalStrength(dBm: Int8(decibels)), at: start)
        quiet.transmit(frame([2]), on: channel, at: start + .microseconds(20))
        world.run(for: .milliseconds(5))
        let heard = try #require(listener.takeHeard().first)
        #expect(heard.start == start && heard.hasValidCRC == (decibels >= 8))
        #expect(world.collisions.frames == 1)
    }

    @Test("Out of range nothing is heard; a radio can be moved, and is gone once it is removed")
    func places() {
        let sender = world.addRawRadio(named: "sender", at: .metres(x: 10_000)), listener = listener()
        sender.transmit(frame([1]), on: channel)
        world.run(for: .milliseconds(1))
        world.move(sender.id, to: .metres(x: 2))
        sender.transmit(frame([2]), on: channel)
        world.run(for: .milliseconds(1))
        #expect(listener.takeHeard().map(\.payload) == [[2]])
        sender.transmit(frame([3]), on: channel, at: world.now + .milliseconds(1))
        world.remove(sender.id)
        sender.transmit(frame([4]), on: channel)
        sender.listen(on: channel)
        world.run(for: .milliseconds(5))
        #expect(listener.takeHeard().isEmpty)
    }

    @Test("What was to be sent later is not sent once the radio was stopped, and a frame in the air is broken off")
    func stop() {
        let sender = world.addRawRadio(named: "sender"), listener = listener()
        sender.transmit(frame([1]), on: channel, at: world.now + .milliseconds(1))
        sender.stop()
        world.run(for: .milliseconds(5))
        #expect(listener.takeHeard().isEmpty)
        sender.transmit(frame([UInt8](repeating: 2, count: 100)), on: channel)
        world.run(for: .microseconds(300))
        sender.stop()
        world.run(for: .milliseconds(5))
        #expect(listener.takeHeard().map(\.hasValidCRC) == [false])
    }

    @Test("Fewer bytes than an access address are no frame; any others can be sent, and no device minds")
    func odds() {
        #expect(RawFrame(bytes: [1, 2, 3]) == nil)
        let scene = AttackScene()
        let raw = scene.world.addRawRadio(named: "raw", at: .metres(x: 0.5))
        var random = SeededRandom(seed: 1, purpose: "odd frames")
        for number in 0..<2_000 {
            let length = [4, 5, 6, 8, 9, 12, 40, 264, 600][number % 9]
            var bytes = random.bytes(length)
            bytes.replaceSubrange(0..<4, with: [0xD6, 0xBE, 0x89, 0x8E])
            let at = scene.world.now + .milliseconds(Int64(number) * 2)
            raw.transmit(RawFrame(bytes: bytes)!, on: ChannelIndex.advertising[number % 3], at: at)
        }
        #expect(throws: Never.self) { try scene.connect() }
        #expect(scene.isConnected)
    }

    @Test("Two runs with the same seed and the same attacker leave the same digest")
    func repeatable() throws {
        func digest(_ seed: UInt64) throws -> TraceDigest {
            let scene = AttackScene(seed: seed)
            let follower = LinkFollower(in: scene.world, at: .metres(x: 1.25))
            try #require(try scene.connect())
            follower.inject(.start, AttackScene.writeCommand([1]))
            scene.world.run(for: .seconds(2))
            return scene.world.digest
        }
        #expect(try digest(5) == digest(5))
        #expect(try digest(5) != digest(6))
    }
}
