import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatLinkLayer

/// What waits while another procedure is under way. Core 6.0, Vol 6, Part B, 5.3: one at a time.
@Suite("Procedures that wait")
struct WaitingProceduresTests {
    private static func proposal(_ number: UInt16) throws -> ConnectionParameterProposal {
        // All of these allow the present parameters, so that no host is asked.
        let range = try #require(
            ConnectionParameterRange(
                minimumSteps: 6 + number % 18,
                maximumSteps: 24 + number,
                latencyEvents: 0,
                timeoutSteps: 200
            )
        )
        return ConnectionParameterProposal(range: range)
    }

    //  Controller                           Lower Tester
    //      | LL_FEATURE_REQ                      |
    //      |------------------------------------>|
    //      | LL_CONNECTION_PARAM_REQ, a hundred  |   and never LL_FEATURE_RSP
    //      |<------------------------------------|
    //      | LL_REJECT_EXT_IND, for all but one  |
    //      |------------------------------------>|
    @Test("A peripheral that asks for parameters a hundred times has one wish granted, and is told about the others")
    func parameterRequests() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        try link.idle(events: 1)
        try bench.succeed(.leReadRemoteFeatures(LEReadRemoteFeatures(connection: link.handle)))
        #expect(try link.nextControl().opcode == .featureReq)
        #expect(try link.send(.connectionParamReq(Self.proposal(0))).isEmpty)
        for number in 1..<100 as Range<UInt16> {
            let answer = try link.ask(.connectionParamReq(Self.proposal(number)))
            #expect(answer == .rejectExtInd(.connectionParamReq, .linkLayerProcedureCollision))
            #expect(bench.controller.connection(link.handle)?.connection.procedures.waiting.count == 1)
        }
        bench.controller.checkInvariants()
        // The one wish is granted when its turn comes.
        guard case .connectionUpdateInd(let update) = try link.ask(.featureRsp(features: 0x22)) else {
            Issue.record("no LL_CONNECTION_UPDATE_IND")
            return
        }
        #expect(update.intervalSteps == 24)
    }

    @Test(
        "A peripheral that has answered a request of the central's waits for its end before it begins another such one"
    )
    func afterAnswer() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try link.idle(events: 2)
        #expect(try link.ask(.phyReq(transmit: .le2M, receive: .le2M)).opcode == .phyRsp)
        try bench.succeed(link.update())
        #expect(try (0..<5).allSatisfy { _ in try link.exchange()?.payload.controlPDU == nil })
        // The central has decided that nothing changes.
        let nothing = PHYUpdateIndication(centralToPeripheral: [], peripheralToCentral: [], instant: 0)
        let next = try link.ask(.phyUpdateInd(nothing))
        #expect(next.opcode == .connectionParamReq)
    }

    @Test("Whatever host and peer want while the peer keeps a procedure waiting, one of each kind waits")
    func bound() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        let tester = SecureTester(link)
        try link.idle(events: 1)
        try bench.succeed(.leReadRemoteFeatures(LEReadRemoteFeatures(connection: link.handle)))
        #expect(try link.nextControl().opcode == .featureReq)
        for round in 0..<20 as Range<UInt16> {
            let isFirst = round == 0
            func order(_ command: Command) throws {
                #expect(try bench.status(of: command) == (isFirst ? .success : .commandDisallowed), "\(command.opcode)")
            }
            try order(.readRemoteVersionInformation(ReadRemoteVersionInformation(connection: link.handle)))
            try order(link.update(40 + round...60 + round))
            try order(tester.order())
            try order(.leSetPHY(LESetPHY(connection: link.handle, transmit: .le2M, receive: .le2M)))
            // These may be ordered at any time: what counts is the last.
            let length = LESetDataLength(connection: link.handle, transmitOctets: 100 + round, transmitTime: 2_120)
            try bench.succeed(.leSetDataLength(length))
            let channels = LESetHostChannelClassification(channels: [0xFF, 0xFF, 0xFF, UInt8(round + 1), 0])
            try bench.succeed(.leSetHostChannelClassification(channels))
            try link.send(.connectionParamReq(Self.proposal(round)))
            bench.controller.checkInvariants()
        }
        let waiting = try #require(bench.controller.connection(link.handle)?.connection.procedures.waiting)
        #expect(
            waiting.map(\.kind) == [
                .versionExchange, .connectionUpdate, .encryptionStart, .phyUpdate, .dataLengthUpdate, .channelMapUpdate,
                .connectionUpdateForPeer,
            ]
        )
        // The newest map, and no other.
        #expect(
            bench.controller.connection(link.handle)?.connection.plannedChannelMap == ChannelMap(bits: 0x14_FF_FF_FF)
        )
    }
}
