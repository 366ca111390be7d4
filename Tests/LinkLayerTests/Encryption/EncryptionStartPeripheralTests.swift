import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// The encryption start procedure with the controller as peripheral. Core 6.0, Vol 6, Part B, 5.1.3.1.
@Suite("Encryption start: peripheral")
struct EncryptionStartPeripheralTests {
    private func tester(latency: UInt16 = 0) throws -> SecureTester {
        SecureTester(try Bench().connectAsPeripheral(latency: latency))
    }

    private static func negative(_ handle: ConnectionHandle) -> Command {
        .leLongTermKeyRequestNegativeReply(LELongTermKeyRequestNegativeReply(connection: handle))
    }

    //  Controller        Lower Tester
    //      |       LL_ENC_REQ  |
    //      |<------------------|
    //      | LL_ENC_RSP        |
    //      |------------------>|
    //   LE Long Term Key Request, … Reply
    //      | LL_START_ENC_REQ  |
    //      |------------------>|
    //      | LL_START_ENC_RSP  |   encrypted, as all that follows
    //      |<----------------->|
    //   Encryption Change
    @Test("LL/SEC/PER/BV-01-C: the host is asked for the key, and the link is encrypted with it")
    func start() throws {
        let tester = try tester()
        try tester.encryptAsCentral()
        #expect(try tester.bench.takeNews() == [tester.change()])
        try tester.checkTraffic()
        let version = VersionIndication(version: 9, companyIdentifier: 13, subversion: 1)
        #expect(try tester.ask(.versionInd(version)).opcode == .versionInd)
        try tester.checkTraffic()
    }

    //  Controller                    Lower Tester
    //      | LL_CONNECTION_PARAM_REQ     |
    //      |---------------------------->|
    //      |           LL_REJECT_EXT_IND |   different transaction collision (0x2A)
    //      |<----------------------------|
    //      |                  LL_ENC_REQ |
    //      |<----------------------------|
    //      | LL_ENC_RSP …                |
    //      |---------------------------->|
    // The collision of LL/CON/PER/BV-28-C.
    @Test("A request for parameters that the central rejects since it encrypts is given up, and the link is encrypted")
    func parameterRequestMeets() throws {
        let tester = try tester()
        let link = tester.link
        try tester.bench.succeed(link.update())
        #expect(try tester.nextControl().opcode == .connectionParamReq)
        try tester.send(.rejectExtInd(.connectionParamReq, .differentTransactionCollision))
        let failed = LEConnectionUpdateComplete(
            status: .differentTransactionCollision,
            connection: tester.handle,
            interval: 24,
            latency: 0,
            supervisionTimeout: 200
        )
        #expect(try tester.bench.takeNews() == [.leConnectionUpdateComplete(failed)])
        try tester.encryptAsCentral()
        #expect(try tester.bench.takeNews() == [tester.change()])
        try tester.checkTraffic()
    }

    @Test("Each session has a share of its own")
    func shares() throws {
        let tester = try tester()
        let first = try tester.requestEncryption()
        try tester.bench.succeed(Self.negative(tester.handle))
        _ = try tester.nextControl()
        let second = try tester.requestEncryption()
        #expect(first.sessionKeyDiversifier != second.sessionKeyDiversifier)
        #expect(first.initializationVector != second.initializationVector)
        // Another seed, another share; the same one, the same.
        let shares = try [1, 1, 2].map { seed in
            try SecureTester(try Bench(seed: seed).connectAsPeripheral()).requestEncryption()
        }
        #expect(shares[0] == shares[1] && shares[0] != shares[2])
    }

    @Test("A secret of the configuration's takes the place of the seed")
    func secret() throws {
        let shares = try [(UInt64(1), UInt64(5)), (2, 5), (1, 6)].map { seed, secret in
            var configuration = ControllerConfiguration(publicAddress: Bench.address)
            configuration.secret = Block128(high: 0, low: secret)
            return try SecureTester(
                try Bench(configuration: configuration, seed: seed).connectAsPeripheral()
            ).requestEncryption()
        }
        #expect(shares[0] == shares[1] && shares[0] != shares[2])
    }

    @Test("LL/SEC/PER/BV-02-C: data of the host waits for the end of the procedure, and goes out encrypted")
    func dataWaits() throws {
        let tester = try tester()
        let response = try tester.requestEncryption()
        tester.sendData([UInt8](repeating: 7, count: 60))
        try tester.idle(events: 4)
        try tester.reply()
        #expect(try tester.nextControl() == .startEncReq)
        try tester.idle(events: 4)
        let session = SecureTester.session(SecureTester.request, response)
        tester.encrypt(by: session)
        tester.decrypt(by: session)
        #expect(try tester.ask(.startEncRsp) == .startEncRsp)
        #expect(try tester.nextPayload() == .start([UInt8](repeating: 7, count: 27)))
        #expect(try tester.nextPayload() == .continuation([UInt8](repeating: 7, count: 27)))
        #expect(try tester.nextPayload() == .continuation([UInt8](repeating: 7, count: 6)))
    }

    @Test("A PDU that is in flight when LL_ENC_REQ comes is finished first, in the clear")
    func inFlight() throws {
        let tester = try tester()
        tester.sendData([UInt8](repeating: 7, count: 40))
        // It goes out with the answer, and is not acknowledged.
        let heard = try tester.link.exchange(.empty, .deaf)
        #expect(heard?.payload == .start([UInt8](repeating: 7, count: 27)))
        var news = try tester.link.send(.encReq(SecureTester.request))
        for _ in 0..<6 { if let payload = try tester.link.nextPayload(within: 2) { news.append(payload) } }
        #expect(news.map(\.link) == [.start, .control])
    }

    @Test("LL/SEC/PER/BI-02-C: without a key LL_ENC_REQ is refused, the link goes on, and may try again")
    func noKey() throws {
        for hasExtendedReject in [true, false] {
            let tester = try tester()
            if !hasExtendedReject { _ = try tester.ask(.featureReq(features: 1)) }
            try tester.requestEncryption()
            try tester.takeKeyRequest()
            tester.sendData([1])
            try tester.bench.succeed(Self.negative(tester.handle))
            let refusal: ControlPDU =
                hasExtendedReject ? .rejectExtInd(.encReq, .pinOrKeyMissing) : .rejectInd(.pinOrKeyMissing)
            #expect(try tester.nextControl() == refusal)
            #expect(try tester.nextPayload() == .start([1]))
            #expect(try tester.bench.takeNews().isEmpty)
            try tester.checkTraffic()
            try tester.encryptAsCentral()
            try tester.checkTraffic()
        }
    }

    @Test("A host that does not want to hear of it has no key")
    func masked() throws {
        let bench = try Bench()
        try bench.enableEvents(except: [.enhancedConnectionComplete, .longTermKeyRequest])
        let tester = SecureTester(try bench.connectAsPeripheral())
        try tester.requestEncryption()
        #expect(try tester.nextControl() == .rejectExtInd(.encReq, .pinOrKeyMissing))
        #expect(try bench.takeNews().isEmpty)
        #expect(try bench.status(of: Self.negative(tester.handle)) == .commandDisallowed)
        try tester.checkTraffic()
    }

    @Test("Replies are allowed once, when a key was asked for")
    func replies() throws {
        let tester = try tester()
        let bench = tester.bench
        let reply = Command.leLongTermKeyRequestReply(
            LELongTermKeyRequestReply(connection: tester.handle, longTermKey: SecureTester.key.littleEndianBytes)
        )
        for command in [reply, Self.negative(tester.handle)] {
            #expect(try bench.status(of: command) == .commandDisallowed)
        }
        try tester.encryptAsCentral()
        for command in [reply, Self.negative(tester.handle)] {
            #expect(try bench.status(of: command) == .commandDisallowed)
        }
        try tester.checkTraffic()
        #expect(try bench.status(of: tester.order()) == .commandDisallowed, "only a central begins")
    }

    @Test("LL/SEC/PER/BI-05-C, BI-07-C: nothing else has a place in the procedure", arguments: 0..<12)
    func unexpected(index: Int) throws {
        let payloads: [Payload] = [
            .start([1, 2, 3]), .continuation([1]), .control(.startEncRsp), .control(.pauseEncReq),
            .control(.encReq(SecureTester.request)), .control(.pingReq), .control(.featureReq(features: 1)),
            .control(.versionInd(VersionIndication(version: 9, companyIdentifier: 1, subversion: 1))),
            .control(.rejectInd(.unspecifiedError)), Payload(link: .control, bytes: [0xFF]),
            Payload(link: .control, bytes: [0x06, 0]), .control(.unknownRsp(.encRsp)),
        ]
        // Before the host has answered, and after; in the clear where it ought to be encrypted.
        for hasReplied in [false, true] {
            let tester = try tester()
            try tester.requestEncryption()
            try tester.takeKeyRequest()
            if hasReplied {
                try tester.reply()
                #expect(try tester.nextControl() == .startEncReq)
                try tester.idle(events: 1)
            }
            try tester.throwIn(payloads[index])
            try tester.expectEnd(.connectionTerminatedMICFailure)
        }
    }

    @Test("Nor has anything but LL_START_ENC_RSP once the central encrypts")
    func unexpectedEncrypted() throws {
        for payload in [Payload.start([1]), .control(.pingReq), .control(.pauseEncReq)] {
            let tester = try tester()
            let response = try tester.requestEncryption()
            try tester.takeKeyRequest()
            try tester.reply()
            _ = try tester.nextControl()
            tester.encrypt(by: SecureTester.session(SecureTester.request, response))
            try tester.throwIn(try tester.seal(payload))
            try tester.expectEnd(.connectionTerminatedMICFailure)
        }
    }

    @Test("LL/SEC/PER/BI-04-C: two keys that differ show in the first encrypted PDU")
    func otherKey() throws {
        let tester = try tester()
        let response = try tester.requestEncryption()
        try tester.takeKeyRequest()
        try tester.reply(Block128(high: 1, low: 2))
        _ = try tester.nextControl()
        tester.encrypt(by: SecureTester.session(SecureTester.request, response))
        try tester.throwIn(try tester.seal(.control(.startEncRsp)))
        try tester.expectEnd(.connectionTerminatedMICFailure)
    }

    @Test("The central may still end the link at any step")
    func termination() throws {
        for hasReplied in [false, true] {
            let tester = try tester()
            try tester.requestEncryption()
            try tester.takeKeyRequest()
            if hasReplied {
                try tester.reply()
            }
            _ = try tester.link.exchange(.control(.terminateInd(.remoteUserTerminatedConnection)))
            #expect(try tester.awaitEnd()?.reason == .remoteUserTerminatedConnection)
        }
    }

    @Test("The host may end the link at any step")
    func disconnect() throws {
        for hasReplied in [false, true] {
            let tester = try tester()
            try tester.requestEncryption()
            try tester.takeKeyRequest()
            if hasReplied {
                try tester.reply()
                _ = try tester.nextControl()
            }
            try tester.bench.succeed(
                .disconnect(Disconnect(connection: tester.handle, reason: .remoteUserTerminatedConnection))
            )
            #expect(try tester.nextControl() == .terminateInd(.remoteUserTerminatedConnection))
            #expect(try tester.awaitEnd()?.reason == .connectionTerminatedByLocalHost)
        }
    }

    @Test("Whoever keeps the other waiting for 40 s loses the link: host or central")
    func starvation() throws {
        for hasReplied in [false, true] {
            let tester = try tester()
            try tester.requestEncryption()
            if hasReplied { try tester.reply() }
            let end = try #require(try tester.awaitEnd())
            #expect(end.reason == .linkLayerResponseTimeout)
            #expect((39...41).contains(end.after.nanoseconds / 1_000_000_000))
        }
    }

    @Test("A peripheral that may sleep stays awake until the link is encrypted")
    func latency() throws {
        let tester = try tester(latency: 10)
        try tester.idle(events: 30)
        try tester.encryptAsCentral()
        #expect(try tester.bench.takeNews() == [tester.change()])
        try tester.checkTraffic()
    }

    @Test(
        "Repetitions of every PDU of the procedure, in both directions, do no harm",
        arguments: 1...12 as ClosedRange<UInt64>
    )
    func repetitions(seed: UInt64) throws {
        let tester = try tester()
        var stream = SeededRandom(seed: seed, purpose: "repetitions")
        guard
            case .encRsp(let response)? = try tester.converse(.control(.encReq(SecureTester.request)), &stream)?
                .controlPDU
        else { throw Unexpected("no LL_ENC_RSP") }
        try tester.reply()
        #expect(try tester.converse(nil, &stream) == .control(.startEncReq))
        let session = SecureTester.session(SecureTester.request, response)
        tester.encrypt(by: session)
        tester.decrypt(by: session)
        #expect(try tester.converse(.control(.startEncRsp), &stream) == .control(.startEncRsp))
        for number in 0..<20 as Range<UInt8> {
            tester.sendData([number, 1])
            #expect(try tester.converse(.start([number, 2]), &stream) == .start([number, 1]))
        }
        let data = tester.bench.takePackets().filter { $0[0] == 2 }
        #expect(data == (0..<20 as Range<UInt8>).map { tester.received([$0, 2]) })
    }
}
