import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// The encryption start procedure with the controller as central. Core 6.0, Vol 6, Part B, 5.1.3.1.
@Suite("Encryption start: central")
struct EncryptionStartCentralTests {
    private func tester() throws -> SecureTester {
        let tester = SecureTester(try Bench().connectAsCentral())
        try tester.idle(events: 1)
        return tester
    }

    /// A link whose controller has sent LL_ENC_REQ.
    private func ordered() throws -> (SecureTester, EncryptionRequest) {
        let tester = try tester()
        try tester.bench.succeed(tester.order())
        return (tester, try tester.takeRequest())
    }

    //   LE Enable Encryption
    //      | LL_ENC_REQ        |
    //      |------------------>|
    //      |       LL_ENC_RSP  |
    //      |<------------------|
    //      | LL_START_ENC_REQ  |
    //      |<------------------|
    //      | LL_START_ENC_RSP  |   encrypted, as all that follows
    //      |<----------------->|
    //   Encryption Change
    @Test("LL/SEC/CEN/BV-01-C: the link is encrypted with the host's key")
    func start() throws {
        let tester = try tester()
        try tester.encryptAsPeripheral()
        #expect(try tester.bench.takeNews() == [tester.change()])
        try tester.checkTraffic()
        #expect(try tester.ask(.lengthReq(Self.lengths)).opcode == .lengthRsp)
        try tester.checkTraffic()
    }

    private static let lengths = DataLengths(
        maximumReceiveOctets: 27,
        maximumReceiveTime: 328,
        maximumTransmitOctets: 27,
        maximumTransmitTime: 328
    )

    @Test("LL/SEC/CEN/BV-02-C: data of the host waits for the end of the procedure, and goes out encrypted")
    func dataWaits() throws {
        let (tester, request) = try ordered()
        tester.sendData([UInt8](repeating: 7, count: 30))
        try tester.idle(events: 3)
        try tester.send(.encRsp(SecureTester.response))
        try tester.idle(events: 3)
        let session = SecureTester.session(request, SecureTester.response)
        try tester.send(.startEncReq)
        tester.decrypt(by: session)
        #expect(try tester.nextControl() == .startEncRsp)
        try tester.idle(events: 3)
        tester.encrypt(by: session)
        try tester.send(.startEncRsp)
        #expect(try tester.nextPayload() == .start([UInt8](repeating: 7, count: 27)))
        #expect(try tester.nextPayload() == .continuation([UInt8](repeating: 7, count: 3)))
    }

    @Test("What the peripheral sends before LL_ENC_RSP is taken; it is answered when the link is encrypted")
    func beforeResponse() throws {
        let (tester, request) = try ordered()
        try tester.send(.start([1, 2]))
        try tester.send(.peripheralFeatureReq(features: ~0))
        try tester.send(.lengthReq(Self.lengths))
        #expect(tester.bench.takePackets() == [tester.received([1, 2])])
        try tester.idle(events: 3)
        try tester.send(.encRsp(SecureTester.response))
        try tester.start(SecureTester.session(request, SecureTester.response))
        #expect(try tester.nextControl().opcode == .featureRsp)
        #expect(try tester.nextControl().opcode == .lengthRsp)
        #expect(try tester.bench.takeNews().last == tester.change())
        try tester.checkTraffic()
    }

    // The collision of LL/CON/CEN/BV-28-C, where the central has begun to encrypt.
    @Test("A peripheral's request for parameters that meets LL_ENC_REQ is dealt with once the link is encrypted")
    func parameterRequestMeets() throws {
        let (tester, request) = try ordered()
        let range = try #require(
            ConnectionParameterRange(minimumSteps: 40, maximumSteps: 60, latencyEvents: 2, timeoutSteps: 400)
        )
        try tester.send(.connectionParamReq(ConnectionParameterProposal(range: range)))
        try tester.idle(events: 3)
        try tester.send(.encRsp(SecureTester.response))
        try tester.start(SecureTester.session(request, SecureTester.response))
        try tester.idle(events: 3)
        let news = try tester.bench.takeNews()
        #expect(news.contains(tester.change()) && news.count == 2)
        let asked = news.compactMap {
            if case .leRemoteConnectionParameterRequest(let question) = $0 { question.minimumInterval } else { nil }
        }
        #expect(asked == [40])
        let reply = LERemoteConnectionParameterRequestNegativeReply(connection: tester.handle)
        try tester.bench.succeed(.leRemoteConnectionParameterRequestNegativeReply(reply))
        let refusal = ControlPDU.rejectExtInd(.connectionParamReq, .unacceptableConnectionParameters)
        #expect(try tester.nextControl() == refusal)
        try tester.checkTraffic()
    }

    @Test(
        "LL/SEC/CEN/BI-02-C: a peripheral without the key, or without encryption, refuses; the link goes on in the clear"
    )
    func refused() throws {
        let refusals: [(ControlPDU, ControllerError)] = [
            (.rejectInd(.pinOrKeyMissing), .pinOrKeyMissing),
            (.rejectExtInd(.encReq, .pinOrKeyMissing), .pinOrKeyMissing),
            (.rejectExtInd(.encReq, .unsupportedRemoteFeature), .unsupportedRemoteFeature),
            (.unknownRsp(.encReq), .unsupportedRemoteFeature),
        ]
        for (refusal, status) in refusals {
            for answersFirst in [false, true] where !answersFirst || refusal.opcode != .unknownRsp {
                let (tester, _) = try ordered()
                if answersFirst { try tester.send(.encRsp(SecureTester.response)) }
                tester.sendData([1])
                try tester.send(refusal)
                #expect(try tester.bench.takeNews() == [tester.change(status)])
                #expect(try tester.nextPayload() == .start([1]))
                try tester.checkTraffic()
                try tester.encryptAsPeripheral()
                try tester.checkTraffic()
            }
        }
    }

    @Test("A refusal of something else is none of this")
    func otherRefusal() throws {
        let (tester, request) = try ordered()
        try tester.send(.rejectExtInd(.lengthReq, .unspecifiedError))
        try tester.send(.unknownRsp(.featureReq))
        try tester.send(.encRsp(SecureTester.response))
        try tester.start(SecureTester.session(request, SecureTester.response))
        #expect(try tester.bench.takeNews() == [tester.change()])
    }

    //  Upper Tester               Controller (central)        Lower Tester
    //       | LE Enable Encryption          |                       |
    //       |------------------------------>| LL_ENC_REQ            |
    //       | LE Enable Encryption, new key |---------------------->|
    //       |------------------------------>|     … LL_START_ENC_RSP|
    //       | Encryption Change             |<----------------------|
    //       |<------------------------------| LL_PAUSE_ENC_REQ      |
    //       |                               |---------------------->|
    //       | Encryption Key Refresh Complete      …                |
    //       |<------------------------------|                       |
    @Test(
        """
        LE Enable Encryption while encryption is being started, as BlueZ sends it during the first pairing, is carried \
        out after it: the key is refreshed
        """,
        arguments: 0..<3
    )
    func orderedTwice(step: Int) throws {
        let bench = try Bench()
        try bench.enableEncryptionEvents()
        let tester = SecureTester(try bench.connectAsCentral())
        let newKey = Block128(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10)
        try bench.succeed(tester.order())
        if step == 0 { try bench.succeed(tester.order(newKey)) }
        let request = try tester.takeRequest()
        if step == 1 { try bench.succeed(tester.order(newKey)) }
        try tester.send(.encRsp(SecureTester.response))
        if step == 2 { try bench.succeed(tester.order(newKey)) }
        tester.sendData([4, 2])
        try tester.start(SecureTester.session(request, SecureTester.response))
        #expect(try tester.nextControl() == .pauseEncReq)
        #expect(try bench.takeNews() == [tester.change()])
        try tester.send(.pauseEncRsp)
        tester.stopEncrypting()
        tester.stopDecrypting()
        #expect(try tester.nextControl() == .pauseEncRsp)
        let second = try tester.takeRequest()
        try tester.send(.encRsp(SecureTester.response))
        try tester.start(SecureTester.session(second, SecureTester.response, key: newKey))
        #expect(try bench.takeNews() == [tester.refresh()])
        #expect(try tester.nextPayload() == .start([4, 2]))
        try tester.checkTraffic()
    }

    @Test("LE Enable Encryption is refused where it cannot be")
    func refusedCommands() throws {
        let bench = try Bench()
        let tester = SecureTester(try bench.connectAsCentral())
        guard let nowhere = ConnectionHandle(rawValue: 7) else { return }
        let command = LEEnableEncryption(connection: nowhere, longTermKey: [UInt8](repeating: 0, count: 16))
        #expect(try bench.status(of: .leEnableEncryption(command)) == .unknownConnectionIdentifier)
        // While one waits for the one under way.
        try bench.succeed(tester.order())
        try bench.succeed(tester.order())
        #expect(try bench.status(of: tester.order()) == .commandDisallowed)
        _ = try tester.takeRequest()
        #expect(try bench.status(of: tester.order()) == .commandDisallowed)
        try tester.send(.rejectInd(.pinOrKeyMissing))
        _ = try tester.takeRequest()
        try tester.send(.rejectInd(.pinOrKeyMissing))
        try bench.succeed(tester.order())
        _ = try tester.takeRequest()
        try bench.succeed(.disconnect(Disconnect(connection: tester.handle, reason: .remoteUserTerminatedConnection)))
        #expect(try bench.status(of: tester.order()) == .commandDisallowed)
    }

    @Test("A peer that is known to have no encryption is not asked")
    func unsupported() throws {
        let bench = try Bench()
        let tester = SecureTester(try bench.connectAsCentral())
        _ = try tester.ask(.peripheralFeatureReq(features: 0x3E))
        #expect(try bench.status(of: tester.order()) == .unsupportedRemoteFeature)
        try tester.idle(events: 3)
    }

    @Test("LL/SEC/CEN/BV-14-C: nothing else has a place in the procedure after LL_ENC_RSP", arguments: 0..<10)
    func unexpected(index: Int) throws {
        let payloads: [Payload] = [
            .start([1, 2, 3]), .control(.startEncRsp), .control(.encRsp(SecureTester.response)), .control(.pingReq),
            .control(.peripheralFeatureReq(features: 1)), .control(.unknownRsp(.startEncRsp)),
            .control(.versionInd(VersionIndication(version: 9, companyIdentifier: 1, subversion: 1))),
            Payload(link: .control, bytes: [0xFF]), Payload(link: .control, bytes: [0x05, 0]),
            .control(.pauseEncRsp),
        ]
        let (tester, _) = try ordered()
        try tester.send(.encRsp(SecureTester.response))
        try tester.throwIn(payloads[index])
        try tester.expectEnd(.connectionTerminatedMICFailure)
    }

    @Test("Nor has anything but LL_START_ENC_RSP after LL_START_ENC_REQ, encrypted or not")
    func unexpectedEncrypted() throws {
        let payloads: [Payload] = [.start([1]), .control(.pingReq), .control(.rejectInd(.pinOrKeyMissing))]
        for payload in payloads {
            for isEncrypted in [true, false] {
                let (tester, request) = try ordered()
                try tester.send(.encRsp(SecureTester.response))
                try tester.send(.startEncReq)
                tester.encrypt(by: SecureTester.session(request, SecureTester.response))
                try tester.throwIn(isEncrypted ? try tester.seal(payload) : payload)
                try tester.expectEnd(.connectionTerminatedMICFailure)
            }
        }
        // And that must be encrypted.
        let (tester, _) = try ordered()
        try tester.send(.encRsp(SecureTester.response))
        try tester.send(.startEncReq)
        try tester.throwIn(.control(.startEncRsp))
        try tester.expectEnd(.connectionTerminatedMICFailure)
    }

    @Test("A peripheral that keeps the central waiting for 40 s loses the link", arguments: 0..<3)
    func starvation(step: Int) throws {
        let (tester, _) = try ordered()
        if step > 0 { try tester.send(.encRsp(SecureTester.response)) }
        if step > 1 { try tester.send(.startEncReq) }
        let end = try #require(try tester.awaitEnd())
        #expect(end.reason == .linkLayerResponseTimeout)
        #expect((39...41).contains(end.after.nanoseconds / 1_000_000_000))
    }

    @Test("It waits for other procedures, and they for it")
    func queue() throws {
        let tester = try tester()
        let bench = tester.bench
        try bench.succeed(.leReadRemoteFeatures(LEReadRemoteFeatures(connection: tester.handle)))
        try bench.succeed(tester.order())
        try bench.succeed(.readRemoteVersionInformation(ReadRemoteVersionInformation(connection: tester.handle)))
        #expect(try tester.nextControl().opcode == .featureReq)
        try tester.idle(events: 3)
        try tester.send(.featureRsp(features: 0x3F))
        let request = try tester.takeRequest()
        try tester.send(.encRsp(SecureTester.response))
        try tester.idle(events: 3)
        try tester.start(SecureTester.session(request, SecureTester.response))
        #expect(try tester.nextControl().opcode == .versionInd)
        try tester.send(.versionInd(VersionIndication(version: 9, companyIdentifier: 1, subversion: 1)))
        #expect(try bench.takeNews().count == 3)
        try tester.checkTraffic()
    }

    @Test("A channel map and a connection update that are agreed upon take effect in the middle of it")
    func instants() throws {
        let tester = try tester()
        let bench = tester.bench
        try bench.succeed(
            .leSetHostChannelClassification(LESetHostChannelClassification(channels: [0xFF, 0xFF, 0, 0, 0]))
        )
        guard case .channelMapInd(let update) = try tester.nextControl() else { return }
        tester.link.follow(update)
        try bench.succeed(tester.order())
        // The procedure begins when the map is in use.
        for _ in 0..<12 {
            guard let payload = try tester.nextPayload(within: 1) else { continue }
            guard case .encReq(let request)? = payload.controlPDU else { continue }
            try tester.send(.encRsp(SecureTester.response))
            try tester.start(SecureTester.session(request, SecureTester.response))
            break
        }
        #expect(try bench.takeNews() == [tester.change()])
        try tester.checkTraffic()
    }

    @Test("The host may end the link at any step")
    func disconnect() throws {
        for hasResponse in [false, true] {
            let (tester, _) = try ordered()
            if hasResponse { try tester.send(.encRsp(SecureTester.response)) }
            try tester.bench.succeed(
                .disconnect(Disconnect(connection: tester.handle, reason: .remoteUserTerminatedConnection))
            )
            #expect(try tester.nextControl() == .terminateInd(.remoteUserTerminatedConnection))
            #expect(try tester.awaitEnd()?.reason == .connectionTerminatedByLocalHost)
        }
    }

    @Test("LL_ENC_REQ and LL_PAUSE_ENC_REQ are nothing for a central")
    func wrongDirection() throws {
        let tester = try tester()
        #expect(try tester.ask(.encReq(SecureTester.request)) == .unknownRsp(.encReq))
        #expect(try tester.ask(.pauseEncReq) == .unknownRsp(.pauseEncReq))
        for pdu in [ControlPDU.encRsp(SecureTester.response), .startEncReq, .startEncRsp, .pauseEncRsp] {
            try tester.send(pdu)
        }
        try tester.idle(events: 3)
        try tester.checkTraffic()
    }
}
