import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// LE Ping and the authenticated payload timeout. Core 6.0, Vol 6, Part B, 5.1.8, 5.4; Vol 4, Part E, 7.3.93, 7.3.94.
@Suite("LE Ping and the authenticated payload timeout")
struct AuthenticatedPayloadTests {
    private static func write(_ handle: ConnectionHandle, _ timeout: UInt16) -> Command {
        .writeAuthenticatedPayloadTimeout(WriteAuthenticatedPayloadTimeout(connection: handle, timeout: timeout))
    }

    private func read(_ tester: SecureTester) throws -> UInt16 {
        let command = ReadAuthenticatedPayloadTimeout(connection: tester.handle)
        guard case .commandComplete(let complete) = try tester.bench.command(.readAuthenticatedPayloadTimeout(command))
        else { throw Unexpected("no Command Complete") }
        return try complete.returned(ReadAuthenticatedPayloadTimeoutReturn.self).timeout
    }

    private func expired(_ tester: SecureTester) -> Event {
        .authenticatedPayloadTimeoutExpired(AuthenticatedPayloadTimeoutExpired(connection: tester.handle))
    }

    /// Exchanges empty PDUs for a while; what the controller sent, and when.
    private func idle(_ tester: SecureTester, for span: TimeSpan) throws -> [(payload: Payload, after: TimeSpan)] {
        let start = tester.bench.now
        var heard: [(Payload, TimeSpan)] = []
        while tester.bench.now - start < span {
            guard let one = try tester.link.exchange(), one.isNew, one.payload != .empty else { continue }
            heard.append((try tester.open(one.payload), one.sent.start - start))
        }
        return heard
    }

    @Test("LL/CON/PER/BV-34-C, LL/CON/CEN/BV-30-C: LL_PING_REQ is answered, encrypted or not")
    func answers() throws {
        for role in [ConnectionRole.central, .peripheral] {
            let plain = SecureTester(
                role == .central ? try Bench().connectAsCentral() : try Bench().connectAsPeripheral()
            )
            #expect(try plain.ask(.pingReq) == .pingRsp)
            #expect(try SecureTester.encrypted(as: role).ask(.pingReq) == .pingRsp)
        }
    }

    @Test("30 s to begin with; other times are kept as far as the peer can answer in them")
    func values() throws {
        let tester = try SecureTester.encrypted(as: .peripheral, latency: 9)
        #expect(try read(tester) == 3_000)
        try tester.bench.succeed(Self.write(tester.handle, 0xFFFF))
        #expect(try read(tester) == 0xFFFF)
        // Ten intervals of 30 ms.
        try tester.bench.succeed(Self.write(tester.handle, 30))
        for timeout in [0, 1, 29] as [UInt16] {
            #expect(try tester.bench.status(of: Self.write(tester.handle, timeout)) == .invalidCommandParameters)
        }
        #expect(try read(tester) == 30)
    }

    //      | LL_PING_REQ       |   180 ms before the second is over
    //      |------------------>|
    //      |       LL_PING_RSP |
    //      |<------------------|
    @Test(
        "LL/SEC/PER/BV-11-C, LL/SEC/CEN/BV-11-C: a peer that says nothing is asked in time",
        arguments: [ConnectionRole.central, .peripheral]
    )
    func ping(role: ConnectionRole) throws {
        let tester = try SecureTester.encrypted(as: role)
        try tester.bench.succeed(Self.write(tester.handle, 100))
        for _ in 0..<3 {
            let heard = try idle(tester, for: .milliseconds(900))
            #expect(heard.map(\.payload) == [.control(.pingReq)])
            let after = try #require(heard.first).after
            #expect(after > .milliseconds(700) && after < .milliseconds(900))
            try tester.send(.pingRsp)
        }
        #expect(try tester.bench.takeNews().isEmpty)
    }

    @Test(
        "LL/SEC/PER/BV-12-C, LL/SEC/CEN/BV-12-C: without an answer the host is told, each time anew",
        arguments: [ConnectionRole.central, .peripheral]
    )
    func expiry(role: ConnectionRole) throws {
        let tester = try SecureTester.encrypted(as: role)
        try tester.bench.succeed(Self.write(tester.handle, 100))
        #expect(try idle(tester, for: .milliseconds(970)).map(\.payload) == [.control(.pingReq)])
        #expect(try tester.bench.takeNews().isEmpty)
        _ = try idle(tester, for: .milliseconds(60))
        #expect(try tester.bench.takeNews() == [expired(tester)])
        // The ping is still under way: no second one.
        #expect(try idle(tester, for: .milliseconds(2_050)).isEmpty)
        #expect(try tester.bench.takeNews() == [expired(tester), expired(tester)])
        // After 40 s without an answer the link is over.
        #expect(try tester.awaitEnd()?.reason == .linkLayerResponseTimeout)
    }

    @Test("Every PDU with a MIC counts, and no empty one")
    func reset() throws {
        let tester = try SecureTester.encrypted(as: .peripheral)
        try tester.bench.succeed(Self.write(tester.handle, 100))
        for round in 0..<6 {
            #expect(try idle(tester, for: .milliseconds(600)).isEmpty)
            try tester.send(round % 2 == 0 ? .start([1]) : .control(.unknownRsp(.phyReq)))
        }
        #expect(try tester.bench.takeNews().isEmpty)
        // LE Write Authenticated Payload Timeout begins anew as well.
        #expect(try idle(tester, for: .milliseconds(600)).isEmpty)
        try tester.bench.succeed(Self.write(tester.handle, 100))
        #expect(try idle(tester, for: .milliseconds(600)).isEmpty)
        #expect(try idle(tester, for: .milliseconds(300)).count == 1)
    }

    @Test("A peer without LE Ping answers LL_UNKNOWN_RSP, which counts; one that is known to have none is not asked")
    func unsupported() throws {
        let tester = try SecureTester.encrypted(as: .peripheral)
        try tester.bench.succeed(Self.write(tester.handle, 100))
        #expect(try idle(tester, for: .milliseconds(900)).count == 1)
        try tester.send(.unknownRsp(.pingReq))
        #expect(try idle(tester, for: .milliseconds(700)).isEmpty)
        _ = try tester.ask(.featureReq(features: 1))
        #expect(try idle(tester, for: .milliseconds(950)).isEmpty)
        #expect(try tester.bench.takeNews().isEmpty)
        _ = try idle(tester, for: .milliseconds(100))
        #expect(try tester.bench.takeNews() == [expired(tester)])
    }

    @Test("A link in the clear has no such time; it runs on while the key changes")
    func still() throws {
        let plain = SecureTester(try Bench().connectAsPeripheral())
        try plain.bench.enableEncryptionEvents()
        try plain.bench.succeed(Self.write(plain.handle, 100))
        #expect(try idle(plain, for: .seconds(3)).isEmpty)
        #expect(plain.bench.takePackets().isEmpty)
        let tester = try SecureTester.encrypted(as: .peripheral)
        try tester.bench.succeed(Self.write(tester.handle, 100))
        #expect(try tester.ask(.pauseEncReq) == .pauseEncRsp)
        tester.stopEncrypting()
        try tester.send(.pauseEncRsp)
        tester.stopDecrypting()
        // Nothing can be asked in the pause; the host hears that the time is over, each time.
        #expect(try idle(tester, for: .milliseconds(2_950)).isEmpty)
        let news = try tester.bench.takeNews()
        #expect((2...3).contains(news.count) && news.allSatisfy { $0 == expired(tester) }, "\(news)")
        try tester.encryptAsCentral()
        #expect(try tester.bench.takeNews().last == tester.refresh())
        #expect(try idle(tester, for: .milliseconds(1_050)).count == 1)
        #expect(try tester.bench.takeNews() == [expired(tester)])
    }

    @Test("The event is masked after Reset")
    func masked() throws {
        let tester = try SecureTester.encrypted(as: .peripheral)
        try tester.bench.succeed(.setEventMaskPage2(SetEventMaskPage2(mask: .standard)))
        try tester.bench.succeed(Self.write(tester.handle, 100))
        _ = try idle(tester, for: .seconds(3))
        #expect(tester.bench.takePackets().isEmpty)
    }
}
