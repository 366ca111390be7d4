import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

@Suite("Feature exchange")
struct FeatureExchangeTests {
    /// What a peer is sent.
    private static let own: LEFeatures = [
        .encryption, .ping,
        .connectionParametersRequest, .extendedRejectIndication, .peripheralInitiatedFeaturesExchange,
        .dataPacketLengthExtension, .privacy, .extendedScanningFilterPolicies, .le2MPHY,
        .channelSelectionAlgorithm2,
    ]

    private func complete(_ link: LinkTester, _ status: ControllerError, _ features: LEFeatures) -> Event {
        .leReadRemoteFeaturesComplete(
            LEReadRemoteFeaturesComplete(status: status, connection: link.handle, features: features)
        )
    }

    //  Controller       Lower Tester
    //      |   LL_FEATURE_REQ |
    //      |<-----------------|
    //      | LL_FEATURE_RSP   |
    //      |----------------->|
    @Test("LL/CON/PER/BV-14-C: the answer has what both can in its first byte, and all of its own in the others")
    func peripheralAnswers() throws {
        let link = try Bench().connectAsPeripheral()
        #expect(try link.ask(.featureReq(features: ~0)) == .featureRsp(features: Self.own.rawValue))
        #expect(try link.ask(.featureReq(features: 0x02)) == .featureRsp(features: Self.own.rawValue & ~0xFF | 0x02))
        #expect(try link.ask(.featureReq(features: 0)) == .featureRsp(features: Self.own.rawValue & ~0xFF))
    }

    @Test("LL/CON/CEN/BV-23-C: a central answers LL_PERIPHERAL_FEATURE_REQ")
    func centralAnswers() throws {
        let link = try Bench().connectAsCentral()
        #expect(try link.ask(.peripheralFeatureReq(features: ~0)) == .featureRsp(features: Self.own.rawValue))
    }

    //  Controller             Lower Tester
    //      | LL_(PERIPHERAL_)FEATURE_REQ |
    //      |---------------------------->|
    //      | LL_FEATURE_RSP              |   to a request of the tester's
    //      |---------------------------->|
    @Test("The bit of Remote Public Key Validation is masked to the peer in each PDU, and the host reads it")
    func maskedToPeer() throws {
        let masked = LEFeatures.remotePublicKeyValidation.rawValue
        for link in [try Bench().connectAsPeripheral(), try Bench().connectAsCentral()] {
            try link.idle(events: 1)
            try link.bench.succeed(.leReadRemoteFeatures(LEReadRemoteFeatures(connection: link.handle)))
            switch try link.nextControl() {
            case .featureReq(let features), .peripheralFeatureReq(let features): #expect(features & masked == 0)
            case let other: Issue.record("\(other) instead of a request")
            }
        }
        let peripheral = try Bench().connectAsPeripheral(), central = try Bench().connectAsCentral()
        #expect(try peripheral.ask(.featureReq(features: ~0)) == .featureRsp(features: Self.own.rawValue))
        #expect(try central.ask(.peripheralFeatureReq(features: ~0)) == .featureRsp(features: Self.own.rawValue))
        guard case .commandComplete(let complete) = try Bench().command(.leReadLocalSupportedFeatures) else { return }
        #expect(try complete.returned(LEReadLocalSupportedFeaturesReturn.self).features.rawValue & masked != 0)
    }

    @Test("The wrong side's request is not understood")
    func wrongSide() throws {
        let peripheral = try Bench().connectAsPeripheral()
        #expect(try peripheral.ask(.peripheralFeatureReq(features: 1)) == .unknownRsp(.peripheralFeatureReq))
        let central = try Bench().connectAsCentral()
        #expect(try central.ask(.featureReq(features: 1)) == .unknownRsp(.featureReq))
    }

    //  Upper Tester            Controller        Lower Tester
    //       | LE Read Remote Features |                |
    //       |------------------------>|                |
    //       |          Command Status | LL_FEATURE_REQ |
    //       |<------------------------|--------------->|
    //       |                         | LL_FEATURE_RSP |
    //       |        … Complete       |<---------------|
    //       |<------------------------|
    @Test("LL/CON/CEN/BV-13-C, LL/CON/PER/BV-22-C: the host is told the peer's features, and again without asking")
    func hostAsks() throws {
        for role in [ConnectionRole.central, .peripheral] {
            let bench = try Bench()
            let link = try role == .central ? bench.connectAsCentral() : bench.connectAsPeripheral()
            try link.idle(events: 1)
            let command = Command.leReadRemoteFeatures(LEReadRemoteFeatures(connection: link.handle))
            try bench.succeed(command)
            let request = try link.nextControl()
            let expected: ControlPDU =
                role == .central
                ? .featureReq(features: Self.own.rawValue) : .peripheralFeatureReq(features: Self.own.rawValue)
            #expect(request == expected)
            // Once more before the answer: not now.
            #expect(try bench.status(of: command) == .commandDisallowed)
            try link.send(.featureRsp(features: 0x25))
            #expect(try bench.nextEvent() == complete(link, .success, LEFeatures(rawValue: 0x25)))
            try bench.succeed(command)
            #expect(try bench.nextEvent() == complete(link, .success, LEFeatures(rawValue: 0x25)))
            try link.idle(events: 3)
        }
    }

    @Test("A peer that does not know the request, or refuses it, lacks a feature")
    func refused() throws {
        let answers: [(ControlPDU, ControllerError)] = [
            (.unknownRsp(.peripheralFeatureReq), .unsupportedRemoteFeature),
            (.rejectExtInd(.peripheralFeatureReq, .unsupportedRemoteFeature), .unsupportedRemoteFeature),
            (.rejectInd(.unspecifiedError), .unspecifiedError),
        ]
        for (answer, status) in answers {
            let bench = try Bench()
            let link = try bench.connectAsPeripheral()
            try bench.succeed(.leReadRemoteFeatures(LEReadRemoteFeatures(connection: link.handle)))
            _ = try link.nextControl()
            try link.send(answer)
            #expect(try bench.nextEvent() == complete(link, status, []))
        }
    }

    @Test("Both sides may ask at once")
    func bothAsk() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try bench.succeed(.leReadRemoteFeatures(LEReadRemoteFeatures(connection: link.handle)))
        let news = try link.send(.featureReq(features: 0x0F))
        let said = [try link.nextControl()] + news.compactMap(\.controlPDU)
        #expect(Set(said.map(\.opcode)) == [.featureRsp, .peripheralFeatureReq])
        try link.send(.featureRsp(features: 0x0F))
        #expect(try bench.nextEvent() == complete(link, .success, LEFeatures(rawValue: 0x0F)))
    }

    @Test("An answer that nobody asked for changes nothing")
    func unexpectedAnswer() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        #expect(try link.send(.featureRsp(features: 0xFF)).isEmpty)
        try link.idle(events: 3)
        #expect(bench.takePackets().isEmpty)
    }
}
