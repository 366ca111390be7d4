import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// Jamming can end an encrypted link, as any other. What is promised: it brings no value twice or out of order, gets no
/// data into the clear, and makes no end use a packet counter for two PDUs.
@Suite("Jamming of encrypted links")
struct EncryptedJammingTests {
    /// Two victims that are bonded, and a listener to all that they say.
    private struct Scene {
        let victims: AttackScene
        let listener = Eavesdropper()

        init(seed: UInt64 = 1) {
            victims = AttackScene(seed: seed)
            victims.world.tap = listener
        }

        var isEncrypted: Bool {
            victims.isEncrypted(victims.central, victims.centralID)
                && victims.isEncrypted(victims.peripheral, victims.peripheralID)
        }

        /// The key of the link, or of the bond, which is the same.
        func key() throws -> Block128 {
            let bonds = victims.world.perform(on: victims.centralID) { host, _, _ in host.bonds } ?? []
            return try #require(bonds.first?.keyAsCentral).value
        }

        /// Values of write commands, in the order on the air, each once. That all can be decrypted says that the packet
        /// counters of either side follow each other: each is used, and for one PDU only.
        func encryptedWrites() throws -> [[UInt8]] {
            let frames = try #require(listener.decrypted(with: try key()))
            return frames.filter { $0.channel == 4 && $0.pdu.first == 0x52 }.map { Array($0.pdu.dropFirst(3)) }
        }

        func disconnect() throws {
            let link = try #require(victims.central.connection?.id)
            try victims.world.perform(on: victims.centralID) { host, now, actions throws(OrderError) in
                try host.disconnect(link, at: now, into: &actions)
            }
            victims.world.run(for: .seconds(1))
        }

        func write(_ value: [UInt8]) throws { try victims.write(value, to: AttackScene.protectedValue) }

        func read() throws {
            let link = try #require(victims.central.connection?.id)
            try victims.world.perform(on: victims.centralID) { host, now, actions throws(OrderError) in
                _ = try host.read(link, AttackScene.protectedValue, at: now, into: &actions)
            }
        }
    }

    // MARK: While data is exchanged

    @Test(
        "Frames of both sides jammed at random: each value arrives once and in order, and what is sent again is the same",
        arguments: UInt64(1)...5
    )
    func random(seed: UInt64) throws {
        let scene = Scene(seed: seed)
        let jammer = LinkJammer(in: scene.victims.world)
        try #require(try scene.victims.connect())
        try #require(try scene.victims.pair())
        var random = SeededRandom(seed: seed, purpose: "jamming")
        jammer.spoils = { _ in random.chance(.percent(40)) }
        for value in UInt8(0)..<30 {
            try scene.write([value])
            try scene.read()
            scene.victims.world.run(for: .milliseconds(100))
        }
        jammer.stop()
        scene.victims.world.run(for: .seconds(5))
        let values = (UInt8(0)..<30).map { [$0] }
        #expect(scene.victims.written == values)
        // A read that waits for the one before it finds what was written meanwhile.
        let read = scene.victims.central.results.compactMap { result in
            if case .value(let value) = result { value.first } else { nil }
        }
        #expect(read.count == values.count && read == read.sorted())
        #expect(scene.victims.isConnected && scene.isEncrypted)
        #expect(try scene.encryptedWrites() == values)
        #expect(scene.listener.repetitions.all > 20 && scene.listener.repetitions.changed == 0)
    }

    @Test(
        "Each acknowledgement of data jammed: the PDU goes out again with the same bytes, and is delivered once",
        arguments: [ConnectionRole.central, .peripheral]
    )
    func acknowledgements(of sender: ConnectionRole) throws {
        let scene = Scene()
        let jammer = LinkJammer(in: scene.victims.world)
        try #require(try scene.victims.connect())
        try #require(try scene.victims.pair())
        // Of each new PDU the next few acknowledgements.
        var last: [UInt8] = [], left = 0
        jammer.whenHeard = { frame, role in
            guard role == sender, let payload = frame.payload, !payload.isEmpty, payload != last else { return }
            last = payload
            left = 6
        }
        jammer.spoils = { role in
            guard role != sender, left > 0 else { return false }
            left -= 1
            return true
        }
        for value in UInt8(0)..<10 {
            try scene.write([value])
            try scene.read()
            scene.victims.world.run(for: .seconds(1))
        }
        let values = (UInt8(0)..<10).map { [$0] }
        #expect(scene.victims.written == values && scene.victims.central.results == values.map { .value($0) })
        #expect(scene.victims.isConnected && scene.isEncrypted)
        #expect(try scene.encryptedWrites() == values)
        #expect(scene.listener.repetitions.all >= 30 && scene.listener.repetitions.changed == 0)
    }

    @Test(
        "Frames jammed at random while the key is changed: the link is encrypted with the new one, and each value arrives once",
        arguments: UInt64(1)...5
    )
    func refresh(seed: UInt64) throws {
        let scene = Scene(seed: seed)
        let jammer = LinkJammer(in: scene.victims.world)
        try #require(try scene.victims.connect())
        try #require(try scene.victims.pair())
        let before = try scene.key()
        var random = SeededRandom(seed: seed, purpose: "jamming")
        jammer.spoils = { _ in random.chance(.percent(40)) }
        let link = try #require(scene.victims.central.connection?.id)
        try scene.victims.world.perform(on: scene.victims.centralID) { host, now, actions throws(PairingOrderError) in
            try host.pair(link, at: now, into: &actions)
        }
        let secret = Array("a secret".utf8)
        for value in UInt8(0)..<50 {
            try scene.write(secret + [value])
            scene.victims.world.run(for: .milliseconds(100))
        }
        jammer.stop()
        scene.victims.world.run(for: .seconds(5))
        #expect(try scene.key() != before)
        #expect(scene.victims.written == (UInt8(0)..<50).map { secret + [$0] } && !scene.listener.heard(secret))
        #expect(scene.victims.isConnected && scene.isEncrypted)
        #expect(scene.listener.repetitions.all > 20 && scene.listener.repetitions.changed == 0)
    }

    @Test("Jammed for longer the link ends with 0x08 at both; the next one has the bond's key, and other nonces")
    func long() throws {
        let scene = Scene()
        try #require(try scene.victims.connect(timeoutSteps: 200))
        try #require(try scene.victims.pair())
        try scene.write(Array("first".utf8))
        scene.victims.world.run(for: .seconds(1))
        scene.victims.jam(AttackScene.dataChannels, until: scene.victims.world.now + .seconds(5))
        let lost = Array("to be lost".utf8)
        try scene.write(lost)
        scene.victims.world.run(for: .seconds(4))
        #expect(scene.victims.central.disconnection == .connectionTimeout)
        #expect(scene.victims.peripheral.disconnection == .connectionTimeout)
        #expect(scene.listener.repetitions.all > 10 && scene.listener.repetitions.changed == 0)
        #expect(try scene.encryptedWrites() == [Array("first".utf8), lost])
        let before = try #require(scene.listener.encryption)
        scene.victims.world.run(for: .seconds(2))
        // A value of the link that has ended does not come with the next one.
        #expect(try scene.victims.connect())
        #expect(scene.victims.world.run(for: .seconds(5)) { scene.isEncrypted })
        try scene.write(Array("last".utf8))
        scene.victims.world.run(for: .seconds(2))
        #expect(scene.victims.written == [Array("first".utf8), Array("last".utf8)])
        #expect(try scene.encryptedWrites() == [Array("last".utf8)])
        #expect(!scene.listener.heard(lost))
        let after = try #require(scene.listener.encryption)
        #expect(before.request.sessionKeyDiversifier != after.request.sessionKeyDiversifier)
        #expect(before.request.initializationVector != after.request.initializationVector)
        #expect(before.response.sessionKeyDiversifier != after.response.sessionKeyDiversifier)
        #expect(before.response.initializationVector != after.response.initializationVector)
    }

    // MARK: While encryption starts

    /// How far the start has come when the jammer begins: this PDU has got through.
    enum Step: Int, CaseIterable {
        case request, response, startRequest, startResponseOfCentral, startResponseOfPeripheral
    }

    /// Two who are bonded meet again, and the jammer spoils all frames of one side from a step on.
    private func meet(
        _ step: Step,
        _ spoilt: ConnectionRole,
        frames: Int
    ) throws -> (scene: Scene, jammer: LinkJammer) {
        let scene = Scene()
        try #require(try scene.victims.connect())
        try #require(try scene.victims.pair())
        try scene.disconnect()
        let jammer = LinkJammer(in: scene.victims.world)
        var reached: Step?, left = frames
        func isReached() -> Bool { reached.map { $0.rawValue >= step.rawValue } ?? false }
        jammer.whenHeard = { frame, sender in
            switch (frame.controlPDU, sender) {
            case (.encReq, .central): if reached == nil { reached = .request }
            case (.encRsp, .peripheral): if reached == .request { reached = .response }
            case (.startEncReq, .peripheral): if reached == .response { reached = .startRequest }
            default:
                // From here on control PDUs cannot be read. The peripheral answers to what it has taken.
                guard let header = frame.dataHeader, header.logicalLink == .control, header.length > 0 else { return }
                if reached == .startRequest, sender == .central { reached = .startResponseOfCentral }
                if reached == .startResponseOfCentral, sender == .peripheral { reached = .startResponseOfPeripheral }
            }
        }
        jammer.spoils = { sender in
            guard isReached(), sender == spoilt, left > 0 else { return false }
            left -= 1
            return true
        }
        try #require(try scene.victims.connect(timeoutSteps: 200))
        #expect(scene.victims.world.run(for: .seconds(1)) { left < frames })
        return (scene, jammer)
    }

    @Test(
        "Jammed at any step of its start, for less than the supervision timeout, the link is encrypted all the same",
        arguments: Step.allCases,
        [ConnectionRole.central, .peripheral]
    )
    func shortAtStart(_ step: Step, _ spoilt: ConnectionRole) throws {
        let (scene, jammer) = try meet(step, spoilt, frames: 20)
        let secret = Array("a secret".utf8)
        try scene.write(secret)
        scene.victims.world.run(for: .seconds(5))
        jammer.stop()
        #expect(scene.victims.isConnected && scene.isEncrypted)
        #expect(scene.victims.written == [secret] && !scene.listener.heard(secret))
        #expect(try scene.encryptedWrites() == [secret])
        #expect(scene.listener.repetitions.all > 0 && scene.listener.repetitions.changed == 0)
    }

    @Test(
        "Jammed at any step of its start for longer, the link ends with 0x08 and no data in the clear; the bond is as good as before",
        arguments: Step.allCases,
        [ConnectionRole.central, .peripheral]
    )
    func longAtStart(_ step: Step, _ spoilt: ConnectionRole) throws {
        let (scene, jammer) = try meet(step, spoilt, frames: .max)
        let secret = Array("a secret".utf8)
        try scene.write(secret)
        scene.victims.world.run(for: .seconds(8))
        jammer.stop()
        #expect(scene.victims.central.disconnection == .connectionTimeout)
        #expect(scene.victims.peripheral.disconnection == .connectionTimeout)
        #expect(!scene.listener.heard(secret))
        #expect(scene.listener.repetitions.all > 0 && scene.listener.repetitions.changed == 0)
        if step.rawValue >= Step.startRequest.rawValue {
            #expect(try scene.encryptedWrites().allSatisfy { $0 == secret })
        }
        // The peripheral may have it where only its own frames were spoilt, and once.
        let delivered = scene.victims.written
        #expect(delivered == [] || delivered == [secret] && spoilt == .peripheral)
        #expect(try scene.victims.connect())
        #expect(scene.victims.world.run(for: .seconds(5)) { scene.isEncrypted })
        try scene.write([1])
        scene.victims.world.run(for: .seconds(1))
        #expect(scene.victims.written == delivered + [[1]])
        #expect(try scene.encryptedWrites() == [[1]])
    }
}
