import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// The encryption pause procedure, and the new key after it. Core 6.0, Vol 6, Part B, 5.1.3.2.
@Suite("Encryption pause")
struct EncryptionPauseTests {
    private static let otherKey = Block128(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10)

    // MARK: The controller as peripheral

    /// Pauses; both directions are in the clear.
    private func pauseAsCentral(_ tester: SecureTester) throws {
        #expect(try tester.ask(.pauseEncReq) == .pauseEncRsp)
        tester.stopEncrypting()
        try tester.send(.pauseEncRsp)
        tester.stopDecrypting()
    }

    //  Controller        Lower Tester
    //      | LL_PAUSE_ENC_REQ  |
    //      |<------------------|
    //      | LL_PAUSE_ENC_RSP  |   the last PDU with the old key
    //      |------------------>|
    //      | LL_PAUSE_ENC_RSP  |   in the clear
    //      |<------------------|
    //      | LL_ENC_REQ        |   and so on, as at the first time
    //      |<------------------|
    @Test("LL/SEC/PER/BV-05-C: the key of an encrypted link is changed")
    func peripheral() throws {
        let tester = try SecureTester.encrypted(as: .peripheral)
        for _ in 0..<3 {
            try pauseAsCentral(tester)
            try tester.encryptAsCentral()
            #expect(try tester.bench.takeNews() == [tester.refresh()])
            try tester.checkTraffic()
        }
    }

    @Test("Data of a peripheral's host waits from LL_PAUSE_ENC_REQ to the end, and never goes out in the clear")
    func peripheralDataWaits() throws {
        let tester = try SecureTester.encrypted(as: .peripheral)
        try tester.send(.pauseEncReq)
        tester.sendData([7, 7, 7])
        #expect(try tester.nextControl() == .pauseEncRsp)
        try tester.idle(events: 3)
        tester.stopEncrypting()
        try tester.send(.pauseEncRsp)
        tester.stopDecrypting()
        try tester.idle(events: 3)
        let response = try tester.requestEncryption()
        try tester.idle(events: 3)
        try tester.reply(Self.otherKey)
        #expect(try tester.nextControl() == .startEncReq)
        try tester.idle(events: 3)
        let session = SecureTester.session(SecureTester.request, response, key: Self.otherKey)
        tester.encrypt(by: session)
        tester.decrypt(by: session)
        #expect(try tester.ask(.startEncRsp) == .startEncRsp)
        #expect(try tester.nextPayload() == .start([7, 7, 7]))
    }

    @Test("LL/SEC/PER/BI-06-C: a peripheral that has lost the key ends the link rather than to go on in the clear")
    func peripheralNoKey() throws {
        let tester = try SecureTester.encrypted(as: .peripheral)
        try pauseAsCentral(tester)
        try tester.requestEncryption()
        tester.sendData([7])
        try tester.bench.succeed(
            .leLongTermKeyRequestNegativeReply(LELongTermKeyRequestNegativeReply(connection: tester.handle))
        )
        #expect(try tester.nextControl() == .terminateInd(.pinOrKeyMissing))
        let end = try tester.awaitEnd()
        #expect(end?.reason == .connectionTerminatedByLocalHost)
    }

    @Test("Nothing else has a place in the pause", arguments: 0..<5)
    func peripheralUnexpected(index: Int) throws {
        let payloads: [Payload] = [
            .start([1, 2]), .control(.pingReq), .control(.startEncRsp), .control(.pauseEncReq),
            .control(.featureReq(features: 1)),
        ]
        // Encrypted, before our LL_PAUSE_ENC_RSP was acknowledged.
        let early = try SecureTester.encrypted(as: .peripheral)
        try early.send(.pauseEncReq)
        try early.link.exchange(early.seal(payloads[index]), .deaf)
        try early.expectEnd(.connectionTerminatedMICFailure)
        // In the clear, in the place of the central's.
        let late = try SecureTester.encrypted(as: .peripheral)
        #expect(try late.ask(.pauseEncReq) == .pauseEncRsp)
        try late.throwIn(payloads[index])
        try late.expectEnd(.connectionTerminatedMICFailure)
        // In the clear, in the place of LL_ENC_REQ.
        let paused = try SecureTester.encrypted(as: .peripheral)
        try pauseAsCentral(paused)
        try paused.throwIn(payloads[index])
        try paused.expectEnd(.connectionTerminatedMICFailure)
    }

    @Test("An encrypted link is not encrypted anew without a pause, and a plain one is not paused")
    func outOfPlace() throws {
        let tester = try SecureTester.encrypted(as: .peripheral)
        #expect(try tester.ask(.encReq(SecureTester.request)) == .rejectExtInd(.encReq, .commandDisallowed))
        try tester.checkTraffic()
        let plain = SecureTester(try Bench().connectAsPeripheral())
        #expect(try plain.ask(.pauseEncReq) == .rejectExtInd(.pauseEncReq, .commandDisallowed))
        try plain.checkTraffic()
    }

    @Test("A central that keeps the peripheral waiting for 40 s loses the link", arguments: 0..<4)
    func peripheralStarvation(step: Int) throws {
        let tester = try SecureTester.encrypted(as: .peripheral)
        #expect(try tester.ask(.pauseEncReq) == .pauseEncRsp)
        if step > 0 {
            tester.stopEncrypting()
            try tester.send(.pauseEncRsp)
            tester.stopDecrypting()
        }
        if step > 1 { try tester.requestEncryption() }
        if step > 2 { try tester.reply() }
        let end = try #require(try tester.awaitEnd())
        #expect(end.reason == .linkLayerResponseTimeout)
        #expect((39...41).contains(end.after.nanoseconds / 1_000_000_000))
    }

    // MARK: The controller as central

    private func takePause(_ tester: SecureTester) throws -> EncryptionRequest {
        #expect(try tester.nextControl() == .pauseEncReq)
        try tester.send(.pauseEncRsp)
        tester.stopEncrypting()
        tester.stopDecrypting()
        #expect(try tester.nextControl() == .pauseEncRsp)
        return try tester.takeRequest()
    }

    @Test("LL/SEC/CEN/BV-05-C: the host changes the key of an encrypted link")
    func central() throws {
        let tester = try SecureTester.encrypted(as: .central)
        for _ in 0..<3 {
            try tester.bench.succeed(tester.order(Self.otherKey))
            tester.sendData([7, 7])
            let request = try takePause(tester)
            try tester.idle(events: 3)
            try tester.send(.encRsp(SecureTester.response))
            try tester.idle(events: 3)
            try tester.start(SecureTester.session(request, SecureTester.response, key: Self.otherKey))
            #expect(try tester.bench.takeNews() == [tester.refresh()])
            #expect(try tester.nextPayload() == .start([7, 7]))
            try tester.checkTraffic()
        }
    }

    @Test("What the peripheral sends before it pauses is taken")
    func centralBeforePause() throws {
        let tester = try SecureTester.encrypted(as: .central)
        try tester.bench.succeed(tester.order())
        #expect(try tester.nextControl() == .pauseEncReq)
        try tester.send(.start([1]))
        try tester.send(.pingReq)
        #expect(tester.bench.takePackets() == [tester.received([1])])
        try tester.idle(events: 3)
        try tester.send(.pauseEncRsp)
        tester.stopEncrypting()
        tester.stopDecrypting()
        #expect(try tester.nextControl() == .pauseEncRsp)
        let request = try tester.takeRequest()
        try tester.send(.encRsp(SecureTester.response))
        try tester.start(SecureTester.session(request, SecureTester.response))
        // Answered at last, and encrypted.
        #expect(try tester.nextControl() == .pingRsp)
        try tester.checkTraffic()
    }

    @Test("A peripheral that has lost the key cannot talk the central into going on in the clear", arguments: 0..<6)
    func centralUnexpected(index: Int) throws {
        let payloads: [Payload] = [
            .control(.rejectInd(.pinOrKeyMissing)), .control(.rejectExtInd(.encReq, .pinOrKeyMissing)),
            .control(.unknownRsp(.encReq)), .start([1, 2]), .control(.pingReq), .control(.startEncReq),
        ]
        for answersFirst in [false, true] where !(answersFirst && index == 5) {
            let tester = try SecureTester.encrypted(as: .central)
            try tester.bench.succeed(tester.order())
            _ = try takePause(tester)
            if answersFirst { try tester.send(.encRsp(SecureTester.response)) }
            tester.sendData([9])
            try tester.throwIn(payloads[index])
            try tester.expectEnd(.connectionTerminatedMICFailure)
        }
    }

    @Test("A peripheral that ends the link since it has no key is heard")
    func centralNoKey() throws {
        let tester = try SecureTester.encrypted(as: .central)
        try tester.bench.succeed(tester.order())
        _ = try takePause(tester)
        try tester.send(.encRsp(SecureTester.response))
        _ = try tester.link.exchange(.control(.terminateInd(.pinOrKeyMissing)))
        #expect(try tester.awaitEnd()?.reason == .pinOrKeyMissing)
    }

    @Test("A peripheral that will not pause keeps its key; the link stays encrypted")
    func centralPauseRefused() throws {
        for refusal in [ControlPDU.rejectExtInd(.pauseEncReq, .unspecifiedError), .unknownRsp(.pauseEncReq)] {
            let tester = try SecureTester.encrypted(as: .central)
            try tester.bench.succeed(tester.order())
            #expect(try tester.nextControl() == .pauseEncReq)
            tester.sendData([6])
            try tester.send(refusal)
            guard case .encryptionKeyRefreshComplete(let event)? = try tester.bench.takeNews().first else {
                Issue.record("no Encryption Key Refresh Complete")
                continue
            }
            #expect(event.status != .success)
            #expect(try tester.nextPayload() == .start([6]))
            try tester.checkTraffic()
        }
    }

    @Test("A peripheral that keeps the central waiting for 40 s loses the link", arguments: 0..<4)
    func centralStarvation(step: Int) throws {
        let tester = try SecureTester.encrypted(as: .central)
        try tester.bench.succeed(tester.order())
        if step == 0 {
            #expect(try tester.nextControl() == .pauseEncReq)
        } else {
            _ = try takePause(tester)
        }
        if step > 1 { try tester.send(.encRsp(SecureTester.response)) }
        if step > 2 { try tester.send(.startEncReq) }
        let end = try #require(try tester.awaitEnd())
        #expect(end.reason == .linkLayerResponseTimeout)
        #expect((39...41).contains(end.after.nanoseconds / 1_000_000_000))
    }
}
