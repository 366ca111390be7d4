import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// CONNECT_IND by strangers: with numbers that make no sense, in the name of others, and two at once.
@Suite("Spoofed connection requests")
struct SpoofedRequestTests {
    /// A payload with some of its bytes changed.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let offset: Int
        let bytes: [UInt8]

        init(_ name: String, at offset: Int, _ bytes: [UInt8]) {
            testDescription = name
            self.offset = offset
            self.bytes = bytes
        }
    }

    static let nonsense =
        [
            Change("window of no size", at: 19, [0]), Change("window as long as the interval", at: 19, [6]),
            Change("window longer than the interval", at: 19, [255]),
            Change("window after the interval", at: 20, [7, 0]),
            Change("interval 0", at: 22, [0, 0]), Change("interval 5", at: 22, [5, 0]),
            Change("interval 3201", at: 22, [0x81, 0x0C]), Change("interval 65535", at: 22, [255, 255]),
            Change("latency 500", at: 24, [0xF4, 1]), Change("latency longer than the timeout", at: 24, [66, 0]),
            Change("timeout 0", at: 26, [0, 0]), Change("timeout 9", at: 26, [9, 0]),
            Change("timeout too short for the interval", at: 22, [0x80, 0x0C, 0, 0, 200, 0]),
            Change("no channel", at: 28, [0, 0, 0, 0, 0]), Change("one channel", at: 28, [0, 1, 0, 0, 0]),
            Change("advertising channels only", at: 28, [0, 0, 0, 0, 0xE0]),
            Change("one data channel, and advertising channels", at: 28, [1, 0, 0, 0, 0xE0]),
        ]
        + (0..<32).filter { !(5...16).contains($0) }.map { Change("hop \($0)", at: 33, [$0 | 5 << 5]) }

    @Test(
        "A request whose numbers are not allowed makes no connection, and the next good one does",
        arguments: nonsense
    )
    func refused(_ change: Change) throws {
        let scene = AttackScene()
        let raw = RawCentral(in: scene.world, at: .metres(x: 1.1))
        scene.advertise()
        raw.connect(scene.indication()) {
            $0.replaceSubrange(change.offset..<change.offset + change.bytes.count, with: change.bytes)
        }
        scene.world.run(for: .seconds(1))
        #expect(raw.schedule != nil, "the request went out")
        #expect(scene.peripheral.connection == nil)
        raw.stop()
        #expect(try scene.connect())
    }

    @Test(
        "A request with an access address that is none does no harm, whatever comes of it",
        arguments: [0, 0xFFFF_FFFF, 0x8E89_BED6, 0x8E89_BED7, 0x5555_5555, 0x1234_1234] as [UInt32]
    )
    func accessAddresses(_ address: UInt32) throws {
        let scene = AttackScene()
        var indication = scene.indication()
        indication.accessAddress = AccessAddress(rawValue: address)
        let raw = RawCentral(in: scene.world, at: .metres(x: 1.1))
        scene.advertise()
        raw.connect(indication)
        scene.world.run(for: .seconds(2))
        raw.stop()
        // A link that came about ends when its central is silent.
        scene.world.run(for: .seconds(2))
        #expect(!scene.isConnected(scene.peripheral))
        #expect(try scene.connect())
    }

    @Test("Requests shorter or longer than they should be make no connection", arguments: [0, 12, 33, 35, 60, 255])
    func lengths(_ length: Int) throws {
        let scene = AttackScene()
        let raw = RawCentral(in: scene.world, at: .metres(x: 1.1))
        scene.advertise()
        raw.connect(scene.indication()) { $0 = Array(($0 + [UInt8](repeating: 7, count: 255)).prefix(length)) }
        scene.world.run(for: .seconds(1))
        #expect(scene.peripheral.connection == nil)
        raw.stop()
        #expect(try scene.connect())
    }

    @Test("A stranger with the address of a bonded central gets what strangers get, and leaves the bond as it is")
    func foreignName() throws {
        let scene = AttackScene()
        try #require(try scene.connect())
        try #require(try scene.pair())
        let link = try #require(scene.central.connection?.id)
        try scene.world.perform(on: scene.centralID) { host, now, actions throws(OrderError) in
            try host.disconnect(link, at: now, into: &actions)
        }
        scene.world.run(for: .seconds(1))
        let initiator = try #require(scene.world.publicAddress(of: scene.centralID))
        let raw = try #require(try scene.connectRaw(scene.indication(from: initiator)))
        raw.send(RawCentral.PDU(channel: 4, [0x0A, 0x04, 0x01]))
        raw.send(RawCentral.PDU(.start, AttackScene.writeCommand([0x66], to: AttackScene.protectedValue)))
        // Without the key: LL_ENC_REQ comes to nothing but a link that ends.
        raw.send(.encReq(EncryptionRequest(rand: 0, ediv: 0, sessionKeyDiversifier: 1, initializationVector: 2)))
        scene.world.run(for: .seconds(1))
        #expect(raw.received.contains { $0.payload.dropFirst(4) == [0x01, 0x0A, 0x04, 0x01, 0x0F] })
        #expect(raw.received.allSatisfy { !$0.payload.contains(42) || $0.logicalLink == .control })
        #expect(scene.written == [])
        raw.stop()
        scene.world.run(for: .seconds(3))
        // The true one still has its key.
        #expect(try scene.connect())
        #expect(scene.world.run(for: .seconds(5)) { scene.isEncrypted(scene.peripheral, scene.peripheralID) })
    }

    @Test(
        "Of two requests at once one is heard at most; the other central starts again and gets its turn",
        arguments: [
            1.1, 3.0,
        ]
    )
    func twoAtOnce(_ place: Double) throws {
        for seed in UInt64(1)...5 {
            let scene = AttackScene(seed: seed)
            let raw = RawCentral(in: scene.world, at: .metres(x: place))
            raw.connect(scene.indication())
            try scene.connect()
            scene.world.run(for: .seconds(3))
            raw.stop()
            // The central called until it was answered; the advertiser has been silent since the stranger came.
            if !scene.isConnected { scene.advertise() }
            scene.world.run(for: .seconds(10)) { scene.isConnected }
            #expect(scene.isConnected, "seed \(seed)")
            try scene.write([1])
            scene.world.run(for: .seconds(1))
            #expect(scene.written == [[1]], "seed \(seed)")
        }
    }
}
