import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// Control PDUs that mean nothing here, and peers that send too many of them.
@Suite("Unknown and unwanted control PDUs")
struct UnknownControlTests {
    /// Sends a control PDU as bytes; answers the one that comes back, if one does within three events.
    private func ask(_ link: LinkTester, _ bytes: [UInt8]) throws -> ControlPDU? {
        let news = try link.send(Payload(link: .control, bytes: bytes))
        return try news.first?.controlPDU ?? link.nextPayload(within: 3)?.controlPDU
    }

    @Test("Opcodes that nobody knows, or that belong to features not claimed, are answered with LL_UNKNOWN_RSP")
    func unknown() throws {
        let link = try Bench().connectAsPeripheral()
        let features: [ControlPDU] = [
            .minUsedChannelsInd(phys: [.le1M], channels: 4),
            .clockAccuracyReq(.upTo20), .cteReq(ToneRequest(rawValue: 0)),
        ]
        for pdu in features { #expect(try link.ask(pdu) == .unknownRsp(pdu.opcode)) }
        for opcode in [0x1C, 0x1F, 0x2A, 0x80, 0xFF] as [UInt8] {
            let answer = try ask(link, [opcode] + [UInt8](repeating: 0, count: 10))
            #expect(answer == .unknownRsp(ControlOpcode(rawValue: opcode)))
        }
        #expect(link.bench.takePackets().isEmpty)
    }

    @Test(
        "A PDU of a wrong length is not understood",
        arguments: [0x00, 0x01, 0x02, 0x08, 0x0C, 0x0F, 0x14] as [UInt8]
    )
    func wrongLength(opcode: UInt8) throws {
        let link = try Bench().connectAsPeripheral()
        for bytes in [[opcode], [opcode] + [UInt8](repeating: 1, count: 26)] {
            #expect(try ask(link, bytes) == .unknownRsp(ControlOpcode(rawValue: opcode)))
        }
        #expect(link.bench.takePackets().isEmpty)
    }

    @Test("Complaints are not answered with complaints: that would go on for ever")
    func complaints() throws {
        let link = try Bench().connectAsPeripheral()
        for bytes in [[7, 0x55], [7], [7, 1, 2], [0x0D, 0x1A], [0x0D], [0x11, 0x0F, 0x1A], [0x11]] as [[UInt8]] {
            #expect(try ask(link, bytes) == nil)
        }
        #expect(link.bench.takePackets().isEmpty)
    }

    @Test("Refusals and answers that nobody waits for change nothing")
    func unexpected() throws {
        for link in [try Bench().connectAsPeripheral(), try Bench().connectAsCentral()] {
            let range = try #require(
                ConnectionParameterRange(minimumSteps: 40, maximumSteps: 60, latencyEvents: 0, timeoutSteps: 400)
            )
            let pdus: [ControlPDU] = [
                .unknownRsp(.featureReq), .rejectInd(.unspecifiedError), .featureRsp(features: 1),
                .rejectExtInd(.lengthReq, .unspecifiedError), .lengthRsp(.longest),
                .connectionParamRsp(ConnectionParameterProposal(range: range)),
            ]
            for pdu in pdus { #expect(try link.send(pdu).isEmpty, "\(pdu)") }
            try link.idle(events: 3)
            #expect(link.bench.takePackets().isEmpty)
        }
    }

    @Test("A control PDU without a byte, and data with LLID 0b00, are passed over")
    func emptyControl() throws {
        let link = try Bench().connectAsPeripheral()
        try link.send(Payload(link: .control, bytes: []))
        try link.send(Payload(link: .reserved, bytes: [1, 2, 3]))
        try link.idle(events: 2)
        #expect(link.bench.takePackets().isEmpty)
    }

    //  Controller       Lower Tester
    //      |     LL_PING_REQ  |
    //      |<-----------------|   again and again, and the answers are never acknowledged
    @Test("A peer that asks for ever and never acknowledges is held back: new questions are not taken any more")
    func flood() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        var taken = 0
        for _ in 0..<200 {
            try link.exchange(.control(.pingReq), .deaf)
            if link.isAcknowledged { taken += 1 }
        }
        #expect(taken < 20)
        // It comes to its senses: everything that was taken is answered.
        var answers = 0
        for _ in 0..<40 {
            if let heard = try link.exchange(), heard.isNew, heard.payload.controlPDU == .pingRsp {
                answers += 1
            }
        }
        #expect(answers == taken || answers == taken + 1)
        try link.idle(events: 3)
        #expect(bench.takePackets().isEmpty)
    }

    @Test("Procedures of the host's queue up and are gone through one by one")
    func queue() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        try link.idle(events: 1)
        let handle = link.handle
        try bench.succeed(.leReadRemoteFeatures(LEReadRemoteFeatures(connection: handle)))
        try bench.succeed(.readRemoteVersionInformation(ReadRemoteVersionInformation(connection: handle)))
        try bench.succeed(
            .leSetDataLength(LESetDataLength(connection: handle, transmitOctets: 251, transmitTime: 2_120))
        )
        let classification = LESetHostChannelClassification(channels: [0xFF, 0, 0, 0, 0])
        try bench.succeed(.leSetHostChannelClassification(classification))
        // Each waits until the one before is answered.
        #expect(try link.nextControl().opcode == .featureReq)
        try link.idle(events: 3)
        #expect(try link.ask(.featureRsp(features: 0xFF)).opcode == .versionInd)
        try link.idle(events: 3)
        let version = VersionIndication(version: 9, companyIdentifier: 13, subversion: 1)
        #expect(try link.ask(.versionInd(version)).opcode == .lengthReq)
        try link.idle(events: 3)
        #expect(try link.ask(.lengthRsp(.shortest)).opcode == .channelMapInd)
        #expect(try bench.takeEvents().count == 2)
    }
}
