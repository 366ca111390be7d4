import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHost
import BluethroatRadioMedium
import BluethroatSimulation
import BluethroatVirtualTime
import Testing

/// InjectaBLE (Cayre and others, 2021): a peripheral listens a little before the central's turn, since clocks are not
/// exact, and who speaks first in that time is taken for the central.
@Suite("Frames injected into a connection")
struct InjectionTests {
    /// An attacker so near that its frames are louder than those of the central.
    static let near = Position.metres(x: 1.25)

    /// A scene with a connection that the attacker follows.
    private func follow(
        seed: UInt64 = 1,
        at place: Position = near,
        isEncrypted: Bool = false,
        usesSecondAlgorithm: Bool = true
    ) throws -> (AttackScene, LinkFollower) {
        let scene = AttackScene(seed: seed, usesSecondAlgorithm: usesSecondAlgorithm)
        let follower = LinkFollower(in: scene.world, at: place)
        try #require(try scene.connect())
        if isEncrypted { try #require(try scene.pair()) }
        scene.world.run(for: .milliseconds(500))
        return (scene, follower)
    }

    /// Runs until there is an outcome. The signal can be lost in the noise of the victims' own procedures, so that an
    /// attacker tries more than once.
    private func inject(_ scene: AttackScene, _ follower: LinkFollower, _ order: () -> Void) -> LinkFollower.Injection?
    {
        let count = follower.injections.count
        order()
        scene.world.run(for: .seconds(1)) { follower.injections.count > count }
        return follower.injections.count > count ? follower.injections.last : nil
    }

    // MARK: In the clear

    @Test(
        "On a link in the clear a write in the central's place is taken, and the link goes on",
        arguments: [false, true]
    )
    func data(usesSecondAlgorithm: Bool) throws {
        let (scene, follower) = try follow(usesSecondAlgorithm: usesSecondAlgorithm)
        let outcome = inject(scene, follower) { follower.inject(.start, AttackScene.writeCommand([0x66])) }
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
        let (scene, follower) = try follow()
        let outcome = inject(scene, follower) { follower.inject(.terminateInd(.remoteUserTerminatedConnection)) }
        #expect(outcome == .accepted)
        #expect(scene.peripheral.disconnection == .remoteUserTerminatedConnection)
        #expect(scene.central.disconnection == nil)
        scene.world.run(for: .seconds(6))
        #expect(scene.central.disconnection == .connectionTimeout)
        #expect(try scene.connect())
    }

    @Test("On a link in the clear the central's place is taken for good by an injected connection update")
    func hijacking() throws {
        let (scene, follower) = try follow()
        var hijacker: RawCentral?
        let schedule = try #require(follower.schedule)
        let instant = schedule.eventCounter &+ 20
        let update = ConnectionUpdateIndication(
            window: TransmitWindow(sizeSteps: 1, offsetSteps: 8, interval: schedule.parameters.interval)!,
            parameters: schedule.parameters,
            instant: instant
        )
        follower.beforeEvent = { [unowned follower] schedule in
            if schedule.eventCounter == instant { hijacker = follower.takeOver() }
        }
        #expect(inject(scene, follower) { follower.inject(.connectionUpdateInd(update)) } == .accepted)
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
        let (scene, follower) = try follow()
        let instant = try #require(follower.schedule).eventCounter &+ 20
        let map = ChannelMapIndication(channelMap: ChannelMap(bits: 0b11)!, instant: instant)
        #expect(inject(scene, follower) { follower.inject(.channelMapInd(map)) } == .accepted)
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
            let (scene, follower) = try follow(isEncrypted: true)
            #expect(follower.isEncrypted)
            let outcome = inject(scene, follower) { follower.inject(.start, AttackScene.writeCommand(value)) }
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
        let (scene, follower) = try follow(isEncrypted: true)
        #expect(inject(scene, follower) { follower.inject(pdu) } != nil)
        scene.world.run(for: .seconds(6))
        #expect(scene.peripheral.disconnection == .connectionTerminatedMICFailure)
        #expect(try scene.connect())
    }

    @Test("On an encrypted link an injected empty PDU, which has no MIC, loses a write; the next one ends the link")
    func emptyPDU() throws {
        let (scene, follower) = try follow(isEncrypted: true)
        // What the central sends in that event is taken for a repetition of the empty PDU, and confirmed.
        try scene.write([1], to: AttackScene.protectedValue)
        #expect(inject(scene, follower) { follower.inject(.continuation, []) } == .accepted)
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
        let (scene, follower) = try follow(isEncrypted: true)
        var recorded: [UInt8]?
        follower.whenHeard = { frame, sender in
            if sender == .central, frame.dataHeader?.logicalLink == .start { recorded = frame.payload }
        }
        try scene.write([9], to: AttackScene.protectedValue)
        scene.world.run(for: .seconds(1))
        #expect(scene.written == [[9]])
        let payload = try #require(recorded)
        #expect(inject(scene, follower) { follower.inject(.start, payload) } != nil)
        scene.world.run(for: .seconds(6))
        #expect(scene.written == [[9]])
        #expect(scene.peripheral.disconnection == .connectionTerminatedMICFailure)
    }

    @Test("While encryption starts, injected data in the clear end the link with 0x3D, and the host never sees them")
    func encryptionStart() throws {
        var ends = 0
        for seed in UInt64(1)...10 {
            let scene = AttackScene(seed: seed)
            let follower = LinkFollower(in: scene.world, at: Self.near)
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
