import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatVirtualTime
import Testing

@testable import BluethroatSimulation

/// InjectaBLE (Cayre and others, 2021): a peripheral listens a little before the central's turn, since clocks are not
/// exact, and who speaks first in that time is taken for the central.
@Suite("Frames injected into a connection")
struct InjectionTests {
    // MARK: In the clear

    @Test(
        "On a link in the clear a write in the central's place is taken, and the link goes on",
        arguments: [false, true]
    )
    func data(usesSecondAlgorithm: Bool) throws {
        let (scene, follower) = try AttackScene.followed(usesSecondAlgorithm: usesSecondAlgorithm)
        let outcome = scene.inject(by: follower) { follower.inject(.start, AttackScene.writeCommand([0x66])) }
        #expect(outcome == .accepted)
        scene.world.run(for: .seconds(10))
        #expect(scene.written == [[0x66]])
        #expect(scene.isConnected)
        // What the true central says next still arrives.
        try scene.write([1])
        try scene.write([2])
        scene.world.run(for: .seconds(1))
        #expect(scene.written == [[0x66], [1], [2]])
    }

    @Test(
        "On a link in the clear LL_TERMINATE_IND in the central's place ends the link; the central notices by silence"
    )
    func termination() throws {
        let (scene, follower) = try AttackScene.followed()
        let outcome = scene.inject(by: follower) { follower.inject(.terminateInd(.remoteUserTerminatedConnection)) }
        #expect(outcome == .accepted)
        #expect(scene.peripheral.disconnection == .remoteUserTerminatedConnection)
        #expect(scene.central.disconnection == nil)
        scene.world.run(for: .seconds(6))
        #expect(scene.central.disconnection == .connectionTimeout)
        #expect(try scene.connect())
    }

    @Test("On a link in the clear the central's place is taken for good by an injected connection update")
    func hijacking() throws {
        let (scene, follower) = try AttackScene.followed()
        var hijacker: RawCentral?
        let schedule = try #require(follower.schedule)
        let instant = schedule.eventCounter &+ 20
        let update = scene.update(schedule, at: instant)
        follower.beforeEvent = { [unowned follower] schedule in
            if schedule.eventCounter == instant { hijacker = follower.takeOver() }
        }
        #expect(scene.inject(by: follower) { follower.inject(.connectionUpdateInd(update)) } == .accepted)
        scene.world.run(for: .seconds(2))
        let raw = try #require(hijacker)
        raw.send(RawCentral.PDU(.start, AttackScene.writeCommand([7])))
        scene.world.run(for: .seconds(6))
        // The peripheral talks to the attacker; the central has been lost.
        #expect(scene.written == [[7]])
        #expect(raw.unansweredEvents == 0 && scene.isConnected(scene.peripheral))
        #expect(scene.central.disconnection == .connectionTimeout)
    }

    @Test(
        "On a link in the clear an injected channel map leaves the two to meet by chance, on what channels they share"
    )
    func channelMap() throws {
        let (scene, follower) = try AttackScene.followed()
        let instant = try #require(follower.schedule).eventCounter &+ 20
        let map = ChannelMapIndication(channelMap: ChannelMap(bits: 0b11)!, instant: instant)
        #expect(scene.inject(by: follower) { follower.inject(.channelMapInd(map)) } == .accepted)
        scene.world.run(for: .seconds(2))
        for value in UInt8(0)..<10 { try scene.write([value]) }
        // One event would be enough otherwise.
        scene.world.run(for: .milliseconds(100))
        #expect(scene.written.count < 10)
        scene.world.run(for: .seconds(20))
        #expect(scene.written == (UInt8(0)..<10).map { [$0] })
    }

    // MARK: Encrypted

    @Test("On an encrypted link an injected write ends it with 0x3D at most, and the host never sees it")
    func encryptedData() throws {
        for value: [UInt8] in [[0x66], [UInt8](repeating: 0x66, count: 20)] {
            let (scene, follower) = try AttackScene.followed(isEncrypted: true)
            #expect(follower.isEncrypted)
            let outcome = scene.inject(by: follower) { follower.inject(.start, AttackScene.writeCommand(value)) }
            #expect(outcome != nil)
            scene.world.run(for: .seconds(6))
            #expect(scene.written == [])
            #expect(scene.peripheral.disconnection == .connectionTerminatedMICFailure)
        }
    }

    @Test(
        "On an encrypted link injected control PDUs end it with 0x3D at most, and none is obeyed",
        arguments: [
            ControlPDU.terminateInd(.remoteUserTerminatedConnection), .pauseEncReq,
            .channelMapInd(ChannelMapIndication(channelMap: ChannelMap(bits: 3)!, instant: 200)), .startEncReq,
        ]
    )
    func encryptedControl(_ pdu: ControlPDU) throws {
        let (scene, follower) = try AttackScene.followed(isEncrypted: true)
        #expect(scene.inject(by: follower) { follower.inject(pdu) } != nil)
        scene.world.run(for: .seconds(6))
        #expect(scene.peripheral.disconnection == .connectionTerminatedMICFailure)
        #expect(try scene.connect())
    }

    @Test("On an encrypted link an injected connection update ends it with 0x3D, and makes nobody its central")
    func encryptedHijacking() throws {
        let (scene, follower) = try AttackScene.followed(isEncrypted: true)
        var heard: DataHeader?
        follower.whenHeard = { frame, sender in if sender == .peripheral { heard = frame.dataHeader ?? heard } }
        scene.world.run(for: .milliseconds(100))
        var schedule = try #require(follower.schedule)
        let last = try #require(heard)
        let update = ControlPDU.connectionUpdateInd(scene.update(schedule, at: schedule.eventCounter &+ 20))
        #expect(scene.inject(by: follower) { follower.inject(update) } != nil)
        follower.stop()
        // The attacker goes on all the same, as if the update had been obeyed.
        schedule.announce(update)
        for _ in 0..<20 { schedule.advance() }
        let radio = scene.world.addRawRadio(named: "hijacker", at: AttackScene.near)
        let raw = RawCentral(
            in: scene.world,
            radio: radio,
            schedule: schedule,
            sequenceNumber: !last.nextExpectedSequenceNumber,
            nextExpected: !last.sequenceNumber
        )
        raw.send(RawCentral.PDU(.start, AttackScene.writeCommand([7])))
        let counter = FrameCounter()
        scene.world.tap = counter
        scene.world.run(for: .seconds(6))
        #expect(counter.frames(of: radio.id) > 100 && counter.frames(of: scene.peripheralID) == 0)
        raw.stop()
        #expect(scene.written == [])
        #expect(scene.peripheral.disconnection == .connectionTerminatedMICFailure)
        #expect(scene.central.disconnection == .connectionTimeout)
        // The bond is what it was.
        #expect(try scene.connect())
        #expect(scene.world.run(for: .seconds(5)) { scene.isEncrypted(scene.peripheral, scene.peripheralID) })
    }

    @Test("On an encrypted link an injected empty PDU, which has no MIC, loses a write; the next one ends the link")
    func emptyPDU() throws {
        let (scene, follower) = try AttackScene.followed(isEncrypted: true)
        // What the central sends in that event is taken for a repetition of the empty PDU, and confirmed.
        try scene.write([1], to: AttackScene.protectedValue)
        #expect(scene.inject(by: follower) { follower.inject(.continuation, []) } == .accepted)
        scene.world.run(for: .seconds(6))
        #expect(scene.written == [] && scene.isConnected)
        // The two count packets differently now.
        try scene.write([2], to: AttackScene.protectedValue)
        scene.world.run(for: .seconds(6))
        #expect(scene.written == [] && scene.peripheral.disconnection == .connectionTerminatedMICFailure)
        #expect(try scene.connect())
    }

    @Test("An encrypted PDU that is sent once more ends the link with 0x3D, and nothing is written twice")
    func replay() throws {
        let (scene, follower) = try AttackScene.followed(isEncrypted: true)
        var recorded: [UInt8]?
        follower.whenHeard = { frame, sender in
            if sender == .central, frame.dataHeader?.logicalLink == .start { recorded = frame.payload }
        }
        try scene.write([9], to: AttackScene.protectedValue)
        scene.world.run(for: .seconds(1))
        #expect(scene.written == [[9]])
        let payload = try #require(recorded)
        #expect(scene.inject(by: follower) { follower.inject(.start, payload) } != nil)
        scene.world.run(for: .seconds(6))
        #expect(scene.written == [[9]])
        #expect(scene.peripheral.disconnection == .connectionTerminatedMICFailure)
    }

    @Test("While encryption starts, injected data in the clear end the link with 0x3D, and the host never sees them")
    func encryptionStart() throws {
        var ends = 0
        for seed in UInt64(1)...10 {
            let scene = AttackScene(seed: seed)
            let follower = LinkFollower(in: scene.world, at: AttackScene.near)
            try #require(try scene.connect())
            follower.whenHeard = { [unowned follower] frame, _ in
                if case .encReq = frame.controlPDU { follower.inject(.start, AttackScene.writeCommand([0x66])) }
            }
            _ = try scene.pair()
            scene.world.run(for: .seconds(6))
            #expect(scene.written == [], "seed \(seed)")
            if follower.injections.contains(.accepted) || scene.peripheral.disconnection != nil {
                #expect(scene.peripheral.disconnection == .connectionTerminatedMICFailure, "seed \(seed)")
                ends += 1
            }
        }
        // The attacker does get its word in: what is promised is not promised of silence.
        #expect(ends > 0)
    }
}

/// Counts what devices send.
private final class FrameCounter: WorldTap {
    private var counts: [DeviceID: Int] = [:]

    func frames(of device: DeviceID) -> Int { counts[device, default: 0] }

    func transmitted(_ transmission: Transmission, by device: DeviceID) { counts[device, default: 0] += 1 }
}
