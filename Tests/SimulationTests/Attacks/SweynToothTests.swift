import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatByteCoding
import BluethroatHCI
import BluethroatHost
import BluethroatRadioMedium
import BluethroatVirtualTime
import Testing

@testable import BluethroatSimulation

/// The faults of SweynTooth (Garbelini and others, 2020), each as the frames that set it off, against our controller and
/// host as peripheral. What is promised each time: the device lives, says nothing that it should not, and serves the
/// next central.
@Suite("SweynTooth")
struct SweynToothTests {
    private let scene = AttackScene()

    /// A connection by the attacker.
    private func connect() throws -> RawCentral { try #require(try scene.connectRaw()) }

    /// Whether the device still answers on this link: to LL_VERSION_IND, or to LL_PING_REQ where that was used, and to
    /// a read.
    private func answers(_ raw: RawCentral) -> Bool {
        let count = raw.received.count
        raw.send(.pingReq)
        raw.send(RawCentral.PDU(channel: 4, [0x0A, 0x02, 0x01]))
        return scene.world.run(for: .seconds(2)) {
            let news = raw.received.dropFirst(count)
            return news.contains { $0.control == .pingRsp }
                && news.contains { $0.logicalLink == .start && $0.payload.dropFirst(4).first == 0x0B }
        }
    }

    /// Ends the attack; the peripheral must be free for an honest central soon.
    private func expectRecovery(_ raw: RawCentral, sourceLocation: SourceLocation = #_sourceLocation) throws {
        raw.stop()
        scene.world.run(for: .seconds(2))
        #expect(!scene.isConnected(scene.peripheral), sourceLocation: sourceLocation)
        #expect(try scene.connect(), sourceLocation: sourceLocation)
        try scene.write([77])
        scene.world.run(for: .seconds(1))
        #expect(scene.written.last == [77], sourceLocation: sourceLocation)
    }

    private func smp(_ raw: RawCentral, _ pdu: SMPPDU) { raw.send(RawCentral.PDU(channel: 6, pdu.bytes)) }

    /// What the Security Manager of the device has said so far.
    private func smpAnswers(_ raw: RawCentral) -> [SMPPDU] {
        // PDUs longer than 27 bytes come in pieces.
        var frames: [[UInt8]] = []
        for pdu in raw.received {
            if pdu.logicalLink == .start { frames.append(pdu.payload) }
            if pdu.logicalLink == .continuation, !frames.isEmpty { frames[frames.count - 1] += pdu.payload }
        }
        return frames.compactMap { frame in
            guard frame.count > 4, frame[2] == 6 else { return nil }
            return try? SMPPDU(parsing: Array(frame[4...]).span.bytes)
        }
    }

    private func sendLong(_ raw: RawCentral, _ pdu: SMPPDU) {
        let frame = RawCentral.PDU(channel: 6, pdu.bytes).payload
        raw.send(RawCentral.PDU(.start, Array(frame.prefix(27))))
        for start in stride(from: 27, to: frame.count, by: 27) {
            raw.send(RawCentral.PDU(.continuation, Array(frame[start..<min(start + 27, frame.count)])))
        }
    }

    private var encryptionRequest: ControlPDU {
        .encReq(EncryptionRequest(rand: 0, ediv: 0, sessionKeyDiversifier: 1, initializationVector: 2))
    }

    // MARK: Link Layer

    @Test(
        "Link Layer Length Overflow (CVE-2019-16336, -17519), Silent Length Overflow (-17518): PDUs longer than agreed",
        arguments: [DataHeader.LogicalLink.start, .continuation, .control],
        [28, 100, 251, 255]
    )
    func lengthOverflow(_ logicalLink: DataHeader.LogicalLink, _ length: Int) throws {
        let raw = try connect()
        for opcode: UInt8 in [0x00, 0x02, 0x0C, 0x14, 0xFF] {
            raw.send(RawCentral.PDU(logicalLink, [opcode] + [UInt8](repeating: 0x41, count: length - 1)))
        }
        scene.world.run(for: .seconds(1))
        #expect(scene.isConnected(scene.peripheral) && answers(raw))
        #expect(scene.written == [])
        try expectRecovery(raw)
    }

    @Test("LLID Deadlock (CVE-2019-17061, -17060): PDUs with the reserved LLID 0", arguments: [0, 1, 27, 251])
    func reservedLogicalLink(_ length: Int) throws {
        let raw = try connect()
        for _ in 0..<3 {
            raw.send(RawCentral.PDU(.reserved, [UInt8](repeating: 0x02, count: length)))
            raw.send(.versionInd(VersionIndication(version: 9, companyIdentifier: 0xFFFF, subversion: 1)))
        }
        scene.world.run(for: .seconds(1))
        #expect(answers(raw))
        try expectRecovery(raw)
    }

    @Test("Invalid channel maps (CVE-2020-10069, CVE-2020-13594): LL_CHANNEL_MAP_IND without channels, or with one")
    func channelMaps() throws {
        for bits: [UInt8] in [[0, 0, 0, 0, 0], [4, 0, 0, 0, 0], [0, 0, 0, 0, 0xE0]] {
            let scene = AttackScene()
            let raw = try #require(try scene.connectRaw())
            let instant = try #require(raw.schedule).eventCounter &+ 10
            let bytes = [0x01] + bits + [UInt8(truncatingIfNeeded: instant), UInt8(instant >> 8)]
            raw.send(RawCentral.PDU(.control, bytes))
            scene.world.run(for: .seconds(1))
            // It is a PDU that cannot be understood: nothing changes, and the peer is told.
            #expect(raw.received.contains { $0.control == .unknownRsp(.channelMapInd) })
            #expect(raw.unansweredEvents == 0)
        }
    }

    /// A connection by the attacker whose first PDU, LL_VERSION_IND, has these numbers. Right ones are two zeros.
    private func connect(_ scene: AttackScene, sequenceNumber: Bool, nextExpected: Bool) throws -> RawCentral {
        let radio = scene.world.addRawRadio(named: "attacker", at: .metres(x: 1.2))
        let indication = scene.indication()
        var raw: RawCentral?
        radio.whenHeard = { [unowned radio] frame in
            guard case .advInd(indication.advertiser, _, let canUseSecond)? = frame.advertisingPDU else { return }
            let request = RawFrame(advertising: .connectInd(indication))
            let start = frame.end + AirTime.interFrameSpace
            radio.transmit(request, on: frame.channel, at: start)
            let schedule = ConnectionSchedule(
                indication,
                requestEnd: start + AirTime.span(ofFrame: request.bytes, phy: .le1M),
                usesSecondAlgorithm: canUseSecond
            )
            raw = RawCentral(
                in: scene.world,
                radio: radio,
                schedule: schedule,
                sequenceNumber: sequenceNumber,
                nextExpected: nextExpected
            )
            raw?.send(.versionInd(VersionIndication(version: 9, companyIdentifier: 0xFFFF, subversion: 1)))
        }
        radio.listen(on: ChannelIndex.advertising[0])
        scene.advertise()
        try #require(scene.world.run(for: .seconds(3)) { scene.isConnected(scene.peripheral) })
        scene.world.run(for: .seconds(1))
        return try #require(raw)
    }

    @Test(
        "Invalid Sequence (CVE-2020-10061): the first PDU of a connection acknowledges what was never sent, or is not the first",
        arguments: [(true, true), (true, false), (false, true)]
    )
    func invalidSequence(sequenceNumber: Bool, nextExpected: Bool) throws {
        let right = AttackScene(), usual = try connect(right, sequenceNumber: false, nextExpected: false)
        let raw = try connect(scene, sequenceNumber: sequenceNumber, nextExpected: nextExpected)
        #expect(scene.isConnected(scene.peripheral) && raw.unansweredEvents == 0)
        // The device has LL_LENGTH_REQ to send, which has not gone out yet: it is not lost. LL_VERSION_IND is taken for a
        // repetition where its number says so, and not answered.
        func isAnswer(_ pdu: RawCentral.PDU) -> Bool { if case .versionInd = pdu.control { true } else { false } }
        #expect(usual.received.count { !isAnswer($0) } > 0 && usual.received.count(where: isAnswer) == 1)
        #expect(raw.received == usual.received.filter { !sequenceNumber || !isAnswer($0) })
        #expect(answers(raw))
        try expectRecovery(raw)
    }

    @Test(
        "Sequence numbers that follow no rule, for 300 events: the host's count of buffers stays right, and nothing hangs",
        arguments: UInt64(1)...5
    )
    func randomSequence(seed: UInt64) throws {
        let scene = AttackScene(seed: seed), counter = BufferCounter(scene.peripheralID)
        scene.world.tap = counter
        let raw = try connect(scene, sequenceNumber: false, nextExpected: false)
        raw.stop()
        var schedule = try #require(raw.schedule), random = SeededRandom(seed: seed, purpose: "numbers"), events = 0
        let read = RawCentral.PDU(channel: 4, [0x0A, 0x02, 0x01])
        func send(_ world: World) {
            let payload = random.next(below: 2) == 0 ? read.payload : []
            let header = DataHeader(
                payload.isEmpty ? .continuation : .start,
                nextExpectedSequenceNumber: random.next(below: 2) == 0,
                sequenceNumber: random.next(below: 2) == 0
            )
            let frame = RawFrame(
                accessAddress: schedule.accessAddress,
                header: header,
                payload: payload,
                crcInit: schedule.crcInit
            )
            raw.radio.transmit(frame, on: schedule.channel)
            schedule.advance()
            events += 1
            if events < 300 { world.schedule(at: schedule.anchor, send) }
        }
        schedule.advance()
        scene.world.schedule(at: schedule.anchor, send)
        scene.world.run(for: .seconds(10)) { events == 300 }
        #expect(events == 300 && scene.isConnected(scene.peripheral))
        #expect(counter.sent > 20 && counter.isRight)
        scene.world.run(for: .seconds(2))
        #expect(scene.peripheral.disconnection == .connectionTimeout)
        #expect(try scene.connect())
    }

    @Test("Control PDUs of no length, of one byte, and with instants long past")
    func oddControl() throws {
        let raw = try connect()
        raw.send(RawCentral.PDU(.control, []))
        for opcode in UInt8(0x07)..<0x40 where opcode != ControlOpcode.terminateInd.rawValue {
            raw.send(RawCentral.PDU(.control, [opcode]))
        }
        scene.world.run(for: .seconds(2))
        #expect(scene.isConnected(scene.peripheral) && answers(raw))
        try expectRecovery(raw)
    }

    // MARK: L2CAP and ATT

    @Test("Truncated L2CAP (CVE-2019-17517), Invalid L2CAP Fragment (-19195): starts and continuations that do not fit")
    func fragments() throws {
        let raw = try connect()
        let payloads: [(DataHeader.LogicalLink, [UInt8])] = [
            (.start, [0]), (.start, [3, 0]), (.start, [3, 0, 4]), (.start, [0, 0, 4, 0]), (.continuation, [1, 2, 3]),
            (.start, [0xFF, 0xFF, 4, 0, 0x52]), (.start, [3, 0, 4, 0, 0x0A]),
            (.start, [3, 0, 4, 0, 0x0A, 0x02, 0x01, 0xFF]),
            (.start, [1, 0, 4, 0, 0x0A, 0x02, 0x01]), (.start, [65, 0, 6, 0, 0x0C]), (.continuation, [1]),
            (.start, [7, 0, 6, 0]), (.start, [0, 0, 6, 0]), (.start, [1, 0, 0, 0, 1]), (.start, [1, 0, 5, 0, 1]),
            (.start, [7, 0]), (.continuation, [4, 0, 0x52, 2, 1, 0x66]),
        ]
        for (logicalLink, payload) in payloads { raw.send(RawCentral.PDU(logicalLink, payload)) }
        scene.world.run(for: .seconds(1))
        #expect(scene.isConnected(scene.peripheral) && answers(raw))
        try expectRecovery(raw)
        #expect(scene.written == [[77]])
    }

    @Test("Sequential ATT Deadlock (CVE-2019-19192): requests that do not wait for their responses")
    func sequentialRequests() throws {
        let raw = try connect()
        for _ in 0..<10 {
            raw.send(RawCentral.PDU(channel: 4, [0x02, 0xF7, 0x00]))
            raw.send(RawCentral.PDU(channel: 4, [0x10, 0x01, 0x00, 0xFF, 0xFF, 0x00, 0x28]))
            raw.send(RawCentral.PDU(channel: 4, [0x0A, 0x02, 0x01]))
            // A confirmation of nothing.
            raw.send(RawCentral.PDU(channel: 4, [0x1E]))
        }
        scene.world.run(for: .seconds(2))
        #expect(answers(raw))
        try expectRecovery(raw)
    }

    // MARK: Security Manager

    @Test("Unexpected Public Key (CVE-2019-17520): a public key in legacy pairing, and before any pairing")
    func unexpectedPublicKey() throws {
        for isLegacy in [true, false] {
            let scene = AttackScene()
            let raw = try #require(try scene.connectRaw())
            let key = P256KeyPair.debug.publicKey
            if isLegacy {
                smp(
                    raw,
                    .pairingRequest(
                        PairingFeatures(
                            inputOutput: .noInputNoOutput,
                            requirements: [.bonding],
                            initiatorKeys: [],
                            responderKeys: []
                        )
                    )
                )
            }
            sendLong(raw, .pairingPublicKey(PairingPublicKey(x: key.x, y: key.y)))
            scene.world.run(for: .seconds(1))
            let answers = smpAnswers(raw)
            #expect(!answers.contains { if case .pairingPublicKey = $0 { true } else { false } })
            if isLegacy { #expect(answers.contains { if case .pairingFailed = $0 { true } else { false } }) }
            #expect(raw.unansweredEvents == 0)
            #expect(scene.peripheral.results.isEmpty)
        }
    }

    @Test(
        "Key Size Overflow (CVE-2019-19196): a Pairing Request that offers keys longer than 16 bytes",
        arguments: [
            17, 32, 253, 255,
        ] as [UInt8]
    )
    func keySizeOverflow(_ size: UInt8) throws {
        let raw = try connect()
        raw.send(RawCentral.PDU(channel: 6, [0x01, 0x03, 0x00, 0x01, size, 0x01, 0x01]))
        raw.send(encryptionRequest)
        scene.world.run(for: .seconds(1))
        #expect(smpAnswers(raw) == [.pairingFailed(.invalidParameters)])
        #expect(!raw.received.contains { $0.control == .startEncReq })
        #expect(answers(raw))
        try expectRecovery(raw)
    }

    private var secureRequest: SMPPDU {
        .pairingRequest(
            PairingFeatures(
                inputOutput: .noInputNoOutput,
                requirements: [.bonding, .secureConnections],
                initiatorKeys: [],
                responderKeys: []
            )
        )
    }

    /// How far a pairing has come when the link is to be encrypted.
    enum Step: CaseIterable {
        case nothing, request, publicKey, random
    }

    @Test(
        "Zero LTK Installation (CVE-2019-19194), DHCheck Skipping (CVE-2020-13593): LL_ENC_REQ before a pairing has a key",
        arguments: Step.allCases
    )
    func earlyEncryption(_ step: Step) throws {
        let raw = try connect()
        if step != .nothing { smp(raw, secureRequest) }
        if step == .publicKey || step == .random {
            var random = SeededRandom(seed: 1, purpose: "attacker")
            let pair = P256KeyPair(using: &random)
            scene.world.run(for: .milliseconds(200))
            sendLong(raw, .pairingPublicKey(PairingPublicKey(x: pair.publicKey.x, y: pair.publicKey.y)))
            scene.world.run(for: .milliseconds(500))
            #expect(smpAnswers(raw).contains { if case .pairingConfirm = $0 { true } else { false } })
        }
        if step == .random {
            smp(raw, .pairingRandom(Block128(high: 1, low: 2)))
            scene.world.run(for: .milliseconds(300))
            #expect(smpAnswers(raw).contains { if case .pairingRandom = $0 { true } else { false } })
        }
        raw.send(encryptionRequest)
        scene.world.run(for: .seconds(1))
        #expect(raw.received.contains { if case .encRsp = $0.control { true } else { false } })
        #expect(!raw.received.contains { $0.control == .startEncReq })
        #expect(
            raw.received.contains {
                $0.control == .rejectInd(.pinOrKeyMissing) || $0.control == .rejectExtInd(.encReq, .pinOrKeyMissing)
            }
        )
        #expect(!scene.isEncrypted(scene.peripheral, scene.peripheralID))
        try expectRecovery(raw)
    }

    // MARK: HCI

    @Test("HCI Desync (CVE-2020-13595): a MIC failure while data wait leaves the host's count of buffers right")
    func completedPackets() throws {
        let scene = AttackScene()
        let follower = LinkFollower(in: scene.world, at: AttackScene.near)
        let counter = BufferCounter(scene.peripheralID)
        scene.world.tap = counter
        try #require(try scene.connect())
        try #require(try scene.pair())
        scene.world.run(for: .milliseconds(500))
        let link = try #require(scene.central.connection?.id)
        follower.inject(.start, [1, 2, 3, 4, 5, 6, 7, 8])
        // Responses of the peripheral are under way when it happens.
        for _ in 0..<8 {
            try scene.world.perform(on: scene.centralID) { host, now, actions throws(OrderError) in
                _ = try host.read(link, AttackScene.protectedValue, at: now, into: &actions)
            }
        }
        scene.world.run(for: .seconds(6))
        #expect(scene.peripheral.disconnection == .connectionTerminatedMICFailure)
        #expect(counter.sent > 0 && counter.isRight)
        #expect(try scene.connect())
    }
}

/// Counts what a host hands over and what its controller says is done with.
private final class BufferCounter: WorldTap {
    private let device: DeviceID
    private(set) var sent = 0
    private var completed = 0
    private(set) var isRight = true

    init(_ device: DeviceID) { self.device = device }

    func hci(_ packet: [UInt8], fromHost: Bool, of device: DeviceID, at now: Instant) {
        guard device == self.device else { return }
        if packet.first == 2, fromHost { sent += 1 }
        guard !fromHost, packet.first == 4, case .numberOfCompletedPackets(let event)? = try? Event(parsing: packet)
        else { return }
        completed += event.completed.reduce(0) { $0 + Int($1.count) }
        if completed > sent { isRight = false }
    }
}
