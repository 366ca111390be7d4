import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// The scenarios of InjectaBLE (Cayre and others, 2021) that take the peripheral's place. An injected write and the
/// central's place are in `InjectionTests`.
@Suite("Taking a peripheral's place")
struct HijackingTests {
    /// What somebody who has no key answers to ATT requests to read: one byte each time.
    private func answerReads(_ raw: RawPeripheral, with value: UInt8) {
        raw.whenReceived = { [unowned raw] pdu in
            guard pdu.logicalLink == .start, pdu.payload.dropFirst(2).starts(with: [4, 0, 0x0A]) else { return }
            raw.send(RawCentral.PDU(channel: 4, [0x0B, value]))
        }
    }

    /// Ends the peripheral's part in a connection, and goes on as the peripheral.
    ///
    ///     attacker: LL_TERMINATE_IND ->  peripheral            it leaves, and says no word to the central
    ///     central                    <-> attacker
    private func takePeripheral(
        isEncrypted: Bool,
        expecting outcome: (LinkFollower.Injection?) -> Bool
    ) throws -> (AttackScene, RawPeripheral) {
        let (scene, follower) = try AttackScene.followed(isEncrypted: isEncrypted)
        let end = ControlPDU.terminateInd(.remoteUserTerminatedConnection)
        #expect(outcome(scene.inject(by: follower) { follower.inject(end) }))
        follower.stop()
        var schedule = try #require(follower.schedule)
        schedule.advance()
        return (scene, RawPeripheral(in: scene.world, at: AttackScene.near, from: schedule))
    }

    private func read(_ scene: AttackScene, _ handle: AttributeHandle = AttackScene.openValue) throws {
        let link = try #require(scene.central.connection?.id)
        try scene.world.perform(on: scene.centralID) { host, now, actions throws(OrderError) in
            _ = try host.read(link, handle, at: now, into: &actions)
        }
    }

    @Test("On a link in the clear the peripheral's place is taken: the central reads the attacker's values")
    func peripheral() throws {
        let (scene, raw) = try takePeripheral(isEncrypted: false) { $0 == .accepted }
        answerReads(raw, with: 0x66)
        // Longer than the supervision timeout.
        scene.world.run(for: .seconds(10))
        #expect(scene.peripheral.disconnection == .remoteUserTerminatedConnection)
        #expect(scene.isConnected(scene.central) && raw.missedEvents == 0)
        try read(scene)
        scene.world.run(for: .seconds(1))
        #expect(scene.central.results == [.value([0x66])])
        // What the central writes goes to the attacker, too.
        try scene.write([1])
        scene.world.run(for: .seconds(1))
        #expect(raw.received.last?.payload == AttackScene.writeCommand([1]))
        #expect(scene.written == [] && scene.isConnected(scene.central))
    }

    @Test("On an encrypted link the peripheral can be made to leave; the first PDU in its place ends the link")
    func encryptedPeripheral() throws {
        let (scene, raw) = try takePeripheral(isEncrypted: true) { $0 != nil }
        #expect(scene.peripheral.disconnection == .connectionTerminatedMICFailure)
        try read(scene)
        try scene.write(Array("a secret".utf8), to: AttackScene.protectedValue)
        scene.world.run(for: .milliseconds(500))
        // The attacker gets it all, and can acknowledge it, but not read it.
        #expect(raw.received.count > 0 && raw.received.allSatisfy { !$0.payload.contains(Array("secret".utf8)) })
        #expect(scene.isConnected(scene.central))
        // What would answer the read of a link in the clear.
        raw.send(RawCentral.PDU(channel: 4, [0x0B, 0x66]))
        scene.world.run(for: .milliseconds(500))
        #expect(scene.central.disconnection == .connectionTerminatedMICFailure)
        #expect(scene.central.results.allSatisfy { if case .value = $0 { false } else { true } })
        #expect(scene.written == [])
        raw.stop()
        #expect(try scene.connect())
        #expect(scene.world.run(for: .seconds(5)) { scene.isEncrypted(scene.central, scene.centralID) })
    }

    @Test("On an encrypted link empty PDUs, which have no MIC, keep the central for 70 s, until its ping has no answer")
    func silentPeripheral() throws {
        let (scene, raw) = try takePeripheral(isEncrypted: true) { $0 != nil }
        // LL_PING_REQ after 30 s, and 40 s more for its answer. Core 6.0, Vol 6, Part B, 5.1.8, 5.2, 5.4.
        scene.world.run(for: .seconds(60))
        #expect(scene.isConnected(scene.central))
        scene.world.run(for: .seconds(12))
        #expect(scene.central.disconnection == .linkLayerResponseTimeout)
        #expect(scene.central.results == [] && scene.central.notifications == [])
        raw.stop()
        #expect(try scene.connect())
        #expect(scene.world.run(for: .seconds(5)) { scene.isEncrypted(scene.central, scene.centralID) })
    }

    /// The peripheral goes to another pace with the attacker as its central, and the attacker stays in its place at the
    /// old one.
    ///
    ///     central <-> attacker                            at the anchor points of before
    ///                 attacker <-> peripheral             10 ms later
    @Test("On a link in the clear the attacker comes between the two: neither notices, and both read what he wants")
    func between() throws {
        let (scene, follower) = try AttackScene.followed()
        var old = try #require(follower.schedule)
        let instant = old.eventCounter &+ 20
        let update = scene.update(old, at: instant)
        for _ in 0...20 { old.advance() }
        var sides: (central: RawPeripheral, peripheral: RawCentral)?
        follower.beforeEvent = { [unowned follower] schedule in
            guard schedule.eventCounter == instant, let peripheral = follower.takeOver() else { return }
            sides = (RawPeripheral(in: scene.world, at: AttackScene.near, from: old), peripheral)
        }
        #expect(scene.inject(by: follower) { follower.inject(.connectionUpdateInd(update)) } == .accepted)
        scene.world.run(for: .seconds(2))
        let (central, peripheral) = try #require(sides)
        // A write command of 1 becomes one of 0x66, and a response of 0x66 one of 1.
        func pass(_ pdu: RawCentral.PDU, _ old: UInt8, _ new: UInt8, _ send: (RawCentral.PDU) -> Void) {
            guard pdu.logicalLink == .start, pdu.payload.count > 4 else { return }
            var changed = pdu
            let hasValue = [0x52, 0x0B].contains(pdu.payload[4])
            if hasValue, pdu.payload.last == old { changed.payload[pdu.payload.count - 1] = new }
            send(changed)
        }
        central.whenReceived = { [unowned peripheral] in pass($0, 1, 0x66, peripheral.send) }
        peripheral.whenReceived = { [unowned central] in pass($0, 0x66, 1, central.send) }
        try scene.write([1])
        scene.world.run(for: .seconds(1))
        #expect(scene.written == [[0x66]])
        try read(scene)
        scene.world.run(for: .seconds(10))
        #expect(scene.central.results == [.value([1])])
        #expect(scene.isConnected && central.missedEvents == 0 && peripheral.unansweredEvents == 0)
    }
}
