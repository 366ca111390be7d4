import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

@Suite("Connection parameter request")
struct ConnectionParameterRequestTests {
    private static func proposal(
        _ interval: ClosedRange<UInt16> = 40...60,
        latency: UInt16 = 2,
        timeout: UInt16 = 400
    ) throws -> ConnectionParameterProposal {
        let range = try #require(
            ConnectionParameterRange(
                minimumSteps: interval.lowerBound,
                maximumSteps: interval.upperBound,
                latencyEvents: latency,
                timeoutSteps: timeout
            )
        )
        return ConnectionParameterProposal(range: range)
    }

    private func reply(_ link: LinkTester, _ interval: ClosedRange<UInt16> = 40...60) -> Command {
        .leRemoteConnectionParameterRequestReply(
            LERemoteConnectionParameterRequestReply(
                connection: link.handle,
                minimumInterval: interval.lowerBound,
                maximumInterval: interval.upperBound,
                maximumLatency: 2,
                supervisionTimeout: 400
            )
        )
    }

    private func negativeReply(_ link: LinkTester) -> Command {
        .leRemoteConnectionParameterRequestNegativeReply(
            LERemoteConnectionParameterRequestNegativeReply(connection: link.handle)
        )
    }

    private func asked(_ link: LinkTester) -> Event {
        .leRemoteConnectionParameterRequest(
            LERemoteConnectionParameterRequest(
                connection: link.handle,
                minimumInterval: 40,
                maximumInterval: 60,
                maximumLatency: 2,
                supervisionTimeout: 400
            )
        )
    }

    private func complete(_ link: LinkTester, _ status: ControllerError, _ values: (UInt16, UInt16, UInt16)) -> Event {
        .leConnectionUpdateComplete(
            LEConnectionUpdateComplete(
                status: status,
                connection: link.handle,
                interval: values.0,
                latency: values.1,
                supervisionTimeout: values.2
            )
        )
    }

    /// A central that knows what its peripheral can do.
    private func central(knowing features: LEFeatures = .connectionParametersRequest) throws -> LinkTester {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        try link.idle(events: 1)
        try bench.succeed(.leReadRemoteFeatures(LEReadRemoteFeatures(connection: link.handle)))
        #expect(try link.nextControl().opcode == .featureReq)
        try link.send(.featureRsp(features: features.rawValue))
        _ = bench.takePackets()
        return link
    }

    /// Follows LL_CONNECTION_UPDATE_IND until some events after its instant.
    private func follow(_ pdu: ControlPDU, of link: LinkTester, interval: UInt16) throws {
        guard case .connectionUpdateInd(let update) = pdu else { throw Unexpected("no LL_CONNECTION_UPDATE_IND") }
        #expect(update.intervalSteps == interval)
        try link.follow(update)
        while link.eventCounter != update.instant { try link.idle(events: 1) }
        try link.idle(events: 5)
        let values = (interval, update.latencyEvents, update.timeoutSteps)
        #expect(try link.bench.takeEvents() == [complete(link, .success, values)])
        // The next one begins anew.
        try link.bench.succeed(link.update(100...120))
        #expect(try link.nextControl().opcode != .connectionUpdateInd)
    }

    //  Upper Tester          Controller (central)       Lower Tester
    //       | LE Connection Update  |                         |
    //       |---------------------->| LL_CONNECTION_PARAM_REQ |
    //       |                       |------------------------>|
    //       |                       | LL_CONNECTION_PARAM_RSP |
    //       |                       |<------------------------|
    //       |                       | LL_CONNECTION_UPDATE_IND|
    //       | … Update Complete     |------------------------>|
    //       |<----------------------|                         |
    @Test("LL/CON/CEN/BV-24-C: a central whose peripheral has the procedure asks it for its host's parameters")
    func centralAsks() throws {
        let link = try central()
        try link.bench.succeed(link.update(40...60))
        guard case .connectionParamReq(let request) = try link.nextControl() else {
            throw Unexpected("no LL_CONNECTION_PARAM_REQ")
        }
        #expect(request.minimumIntervalSteps == 40 && request.maximumIntervalSteps == 60)
        #expect(try link.bench.status(of: link.update()) == .commandDisallowed)
        try link.idle(events: 3)
        try follow(link.ask(.connectionParamRsp(Self.proposal(50...70))), of: link, interval: 50)
    }

    @Test("LL/CON/CEN/BV-25-C: a central whose peripheral refuses lets its host know why, and changes nothing")
    func centralIsRefused() throws {
        let link = try central()
        for reason in [ControllerError.unacceptableConnectionParameters, .linkLayerProcedureCollision] {
            try link.bench.succeed(link.update())
            #expect(try link.nextControl().opcode == .connectionParamReq)
            #expect(try link.send(.rejectExtInd(.connectionParamReq, reason)).isEmpty)
            #expect(try link.bench.takeEvents() == [complete(link, reason, (24, 0, 200))])
        }
        try link.bench.succeed(link.update(40...60))
        #expect(try link.nextControl().opcode == .connectionParamReq)
        // Nothing of it is in the range that was asked for. The peripheral hears so: it waits for an answer.
        let answer = try link.ask(.connectionParamRsp(Self.proposal(70...80)))
        #expect(answer == .rejectInd(.unsupportedLinkLayerParameterValue))
        #expect(try link.bench.takeEvents() == [complete(link, .unsupportedLinkLayerParameterValue, (24, 0, 200))])
        let other = try central(knowing: [.connectionParametersRequest, .extendedRejectIndication])
        try other.bench.succeed(other.update(40...60))
        #expect(try other.nextControl().opcode == .connectionParamReq)
        var impossible = try Self.proposal()
        impossible.latencyEvents = 500
        #expect(
            try other.ask(.connectionParamRsp(impossible))
                == .rejectExtInd(.connectionParamRsp, .invalidLinkLayerParameters)
        )
        #expect(try other.bench.takeEvents() == [complete(other, .invalidLinkLayerParameters, (24, 0, 200))])
    }

    @Test("A peripheral whose answer the central cannot use goes on without it", arguments: [true, false])
    func answerIsRefused(names: Bool) throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try link.send(.connectionParamReq(Self.proposal()))
        _ = try bench.nextEvent()
        try bench.succeed(reply(link))
        #expect(try link.nextControl().opcode == .connectionParamRsp)
        let reason = ControllerError.unsupportedLinkLayerParameterValue
        try link.send(names ? .rejectExtInd(.connectionParamRsp, reason) : .rejectInd(reason))
        // Its own request may begin, and 40 s later the link is still there.
        try bench.succeed(link.update())
        #expect(try link.nextControl().opcode == .connectionParamReq)
        try link.send(.rejectExtInd(.connectionParamReq, .unacceptableConnectionParameters))
        #expect(try bench.takeEvents() == [complete(link, .unacceptableConnectionParameters, (24, 0, 200))])
        let begin = bench.now
        while bench.now < begin + .seconds(42) { _ = try link.exchange() }
        #expect(bench.takePackets().isEmpty)
    }

    @Test(
        """
        LL/CON/CEN/BV-29-C, LL/CON/CEN/BV-81-C: a central changes the parameters itself where the peripheral's host, or \
        its controller, does not know the procedure
        """,
        arguments: [
            ControlPDU.unknownRsp(.connectionParamReq), .rejectExtInd(.connectionParamReq, .unsupportedRemoteFeature),
        ]
    )
    func centralDecides(answer: ControlPDU) throws {
        let link = try central()
        try link.bench.succeed(link.update(40...60))
        #expect(try link.nextControl().opcode == .connectionParamReq)
        try follow(link.ask(answer), of: link, interval: 40)
    }

    @Test("LL/CON/CEN/BV-82-C: a central whose peripheral lacks the procedure does not ask, nor one that does not know")
    func centralDoesNotAsk() throws {
        let ignorant = try Bench().connectAsCentral()
        try ignorant.idle(events: 1)
        for link in [try central(knowing: .ping), ignorant] {
            try link.bench.succeed(link.update())
            #expect(try link.nextControl().opcode == .connectionUpdateInd)
        }
    }

    @Test("LL/CON/CEN/BI-05-C: a peripheral that never answers a central's question is given up after 40 s")
    func centralIsNotAnswered() throws {
        let link = try central()
        try link.bench.succeed(link.update())
        #expect(try link.nextControl().opcode == .connectionParamReq)
        let begin = link.bench.now
        while link.bench.packets.isEmpty, link.bench.now < begin + .seconds(42) { try link.exchange() }
        let ending = DisconnectionComplete(connection: link.handle, reason: .linkLayerResponseTimeout)
        let failed = complete(link, .linkLayerResponseTimeout, (24, 0, 200))
        #expect(try link.bench.takeEvents() == [failed, .disconnectionComplete(ending)])
    }

    //  Upper Tester                    Controller (central)       Lower Tester
    //       |                                  | LL_CONNECTION_PARAM_REQ |
    //       | LE Remote Connection Parameter … |<------------------------|
    //       |<---------------------------------|                         |
    //       | … Request Reply                  |                         |
    //       |--------------------------------->| LL_CONNECTION_UPDATE_IND|
    //       |                                  |------------------------>|
    @Test("LL/CON/CEN/BV-30-C: a central whose host agrees changes the pace as the peripheral wishes")
    func centralAccepts() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        try link.idle(events: 2)
        #expect(try link.send(.connectionParamReq(Self.proposal())).isEmpty)
        #expect(try bench.nextEvent() == asked(link))
        try link.idle(events: 5)
        try bench.succeed(reply(link))
        guard case .connectionUpdateInd(let update) = try link.nextControl() else {
            Issue.record("no LL_CONNECTION_UPDATE_IND")
            return
        }
        #expect(update.intervalSteps == 40 && update.latencyEvents == 2 && update.timeoutSteps == 400)
        try link.follow(update)
        while link.eventCounter != update.instant { try link.idle(events: 1) }
        try link.idle(events: 5)
        #expect(try bench.takeEvents() == [complete(link, .success, (40, 2, 400))])
        #expect(try bench.status(of: reply(link)) == .commandDisallowed)
    }

    @Test("LL/CON/PER/BV-29-C: a peripheral whose host agrees answers, and follows the update that comes")
    func peripheralAccepts() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        #expect(try link.send(.connectionParamReq(Self.proposal())).isEmpty)
        #expect(try bench.nextEvent() == asked(link))
        try bench.succeed(reply(link, 50...60))
        guard case .connectionParamRsp(let answer) = try link.nextControl() else {
            Issue.record("no LL_CONNECTION_PARAM_RSP")
            return
        }
        #expect(answer.minimumIntervalSteps == 50 && answer.maximumIntervalSteps == 60)
        let parameters = try #require(ConnectionParameters(intervalSteps: 50, latencyEvents: 2, timeoutSteps: 400))
        let window = try #require(TransmitWindow(sizeSteps: 1, offsetSteps: 0, interval: parameters.interval))
        let update = ConnectionUpdateIndication(
            window: window,
            parameters: parameters,
            instant: link.eventCounter &+ 8
        )
        try link.follow(update)
        try link.send(.connectionUpdateInd(update))
        while link.eventCounter != update.instant { try link.idle(events: 1) }
        #expect(try link.exchange() != nil)
        #expect(try bench.takeEvents() == [complete(link, .success, (50, 2, 400))])
        // The procedure is over: 40 s later the link is still there.
        let begin = bench.now
        while bench.now < begin + .seconds(42) { _ = try link.exchange() }
        #expect(bench.takePackets().isEmpty)
    }

    @Test("A peripheral that has answered waits 40 s for the update, not longer")
    func updateNeverComes() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try link.send(.connectionParamReq(Self.proposal()))
        _ = try bench.nextEvent()
        try bench.succeed(reply(link))
        let begin = bench.now
        while bench.packets.isEmpty, bench.now < begin + .seconds(42) { try link.exchange() }
        let ending = DisconnectionComplete(connection: link.handle, reason: .linkLayerResponseTimeout)
        #expect(try bench.takeEvents() == [.disconnectionComplete(ending)])
    }

    @Test("LL/CON/PER/BV-34-C, LL/CON/CEN/BV-35-C: a host that does not agree has the request rejected")
    func hostRejects() throws {
        for link in [try Bench().connectAsPeripheral(), try Bench().connectAsCentral()] {
            try link.send(.connectionParamReq(Self.proposal()))
            #expect(try link.bench.nextEvent() == asked(link))
            try link.bench.succeed(negativeReply(link))
            #expect(try link.nextControl() == .rejectExtInd(.connectionParamReq, .unacceptableConnectionParameters))
            #expect(try link.bench.status(of: negativeReply(link)) == .commandDisallowed)
        }
    }

    @Test("LL/CON/PER/BV-33-C, LL/CON/CEN/BV-34-C: a host that has masked the question lacks the feature")
    func eventMasked() throws {
        for link in [try Bench().connectAsPeripheral(), try Bench().connectAsCentral()] {
            try link.bench.enableEvents(except: .remoteConnectionParameterRequest)
            let answer = try link.ask(.connectionParamReq(Self.proposal()))
            #expect(answer == .rejectExtInd(.connectionParamReq, .unsupportedRemoteFeature))
            #expect(link.bench.takePackets().isEmpty)
        }
    }

    @Test("What the connection has already needs no host")
    func nothingNew() throws {
        let peripheral = try Bench().connectAsPeripheral()
        try peripheral.bench.enableEvents(except: .remoteConnectionParameterRequest)
        let same = try Self.proposal(20...30, latency: 0, timeout: 200)
        #expect(try peripheral.ask(.connectionParamReq(same)).opcode == .connectionParamRsp)
        let central = try Bench().connectAsCentral()
        #expect(try central.ask(.connectionParamReq(same)).opcode == .connectionUpdateInd)
        #expect(central.bench.takePackets().isEmpty)
    }

    @Test(
        "LL/CON/PER/BI-08-C: parameters that are not allowed are rejected as invalid (0x1E)",
        arguments: [
            (5, 40, 0, 400, 0), (40, 3_201, 0, 3_200, 0), (60, 40, 0, 400, 0), (40, 60, 500, 3_200, 0),
            (40, 60, 0, 9, 0), (40, 60, 0, 3_201, 0), (40, 60, 30, 400, 0), (40, 60, 0, 400, 61),
        ] as [(UInt16, UInt16, UInt16, UInt16, UInt8)]
    )
    func invalid(minimum: UInt16, maximum: UInt16, latency: UInt16, timeout: UInt16, period: UInt8) throws {
        for link in [try Bench().connectAsPeripheral(), try Bench().connectAsCentral()] {
            var proposal = try Self.proposal()
            proposal.minimumIntervalSteps = minimum
            proposal.maximumIntervalSteps = maximum
            proposal.latencyEvents = latency
            proposal.timeoutSteps = timeout
            proposal.preferredPeriodicity = period
            let answer = try link.ask(.connectionParamReq(proposal))
            #expect(answer == .rejectExtInd(.connectionParamReq, .invalidLinkLayerParameters))
            #expect(link.bench.takePackets().isEmpty)
        }
    }

    @Test("A peer that does not know LL_REJECT_EXT_IND gets LL_REJECT_IND")
    func plainReject() throws {
        let link = try Bench().connectAsPeripheral()
        _ = try link.ask(.featureReq(features: 0x02))
        try link.bench.enableEvents(except: .remoteConnectionParameterRequest)
        #expect(try link.ask(.connectionParamReq(Self.proposal())) == .rejectInd(.unsupportedRemoteFeature))
    }

    @Test("A host's reply out of range is refused, and the question stays open")
    func invalidReply() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        #expect(try bench.status(of: reply(link)) == .commandDisallowed)
        try link.send(.connectionParamReq(Self.proposal()))
        _ = try bench.nextEvent()
        #expect(try bench.status(of: reply(link, 5...6)) == .invalidCommandParameters)
        try bench.succeed(negativeReply(link))
    }

    //  Upper Tester            Controller (peripheral)     Lower Tester
    //       | LE Connection Update   |                          |
    //       |----------------------->| LL_CONNECTION_PARAM_REQ  |
    //       |                        |------------------------->|
    //       |                        | LL_CONNECTION_UPDATE_IND |
    //       |                        |<-------------------------|
    //       |        … Complete      |                          |
    //       |<-----------------------|   at the instant
    @Test("LL/CON/PER/BV-24-C: a peripheral's host asks, the central updates")
    func peripheralAsks() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try bench.succeed(link.update())
        guard case .connectionParamReq(let request) = try link.nextControl() else {
            Issue.record("no LL_CONNECTION_PARAM_REQ")
            return
        }
        #expect(request.range == (try Self.proposal().range))
        #expect(try bench.status(of: link.update()) == .commandDisallowed)
        let parameters = try #require(ConnectionParameters(intervalSteps: 48, latencyEvents: 2, timeoutSteps: 400))
        let window = try #require(TransmitWindow(sizeSteps: 1, offsetSteps: 0, interval: parameters.interval))
        let indication = ConnectionUpdateIndication(
            window: window,
            parameters: parameters,
            instant: link.eventCounter &+ 8
        )
        try link.follow(indication)
        try link.send(.connectionUpdateInd(indication))
        while link.eventCounter != indication.instant { try link.idle(events: 1) }
        #expect(try link.exchange() != nil)
        #expect(try bench.takeEvents() == [complete(link, .success, (48, 2, 400))])
    }

    @Test("LL/CON/PER/BV-25-C, LL/CON/PER/BV-85-C: a central that says no is a failure the host hears of")
    func centralRefuses() throws {
        let answers: [(ControlPDU, ControllerError)] = [
            (.rejectExtInd(.connectionParamReq, .unacceptableConnectionParameters), .unacceptableConnectionParameters),
            (.rejectInd(.unsupportedLinkLayerParameterValue), .unsupportedLinkLayerParameterValue),
            (.unknownRsp(.connectionParamReq), .unsupportedRemoteFeature),
        ]
        for (answer, status) in answers {
            let bench = try Bench()
            let link = try bench.connectAsPeripheral()
            try bench.succeed(link.update())
            _ = try link.nextControl()
            try link.send(answer)
            #expect(try bench.takeEvents() == [complete(link, status, (24, 0, 200))])
            // It may be tried again.
            try bench.succeed(link.update())
        }
    }

    @Test("LL/CON/PER/BV-86-C: known not to have the feature, the central is not asked")
    func centralLacksFeature() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        _ = try link.ask(.featureReq(features: 0))
        #expect(try bench.status(of: link.update()) == .unsupportedRemoteFeature)
    }

    // MARK: Collisions, 5.3

    //  Controller (central)       Lower Tester
    //      | LL_CONNECTION_UPDATE_IND |
    //      |------------------------->|
    //      |  LL_CONNECTION_PARAM_REQ |   before the instant
    //      |<-------------------------|
    //      | LL_REJECT_EXT_IND        |   LL procedure collision (0x23)
    //      |------------------------->|
    @Test("The central's own update goes first")
    func collisionAtCentral() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        try link.idle(events: 1)
        try bench.succeed(link.update())
        guard case .connectionUpdateInd(let indication) = try link.nextControl() else { return }
        try link.follow(indication)
        let answer = try link.ask(.connectionParamReq(Self.proposal()))
        #expect(answer == .rejectExtInd(.connectionParamReq, .linkLayerProcedureCollision))
        while link.eventCounter != indication.instant { try link.idle(events: 1) }
        try link.idle(events: 1)
        #expect(try bench.takeEvents() == [complete(link, .success, (40, 2, 400))])
    }

    //  Controller (central)       Lower Tester
    //      |  LL_CONNECTION_PARAM_REQ |
    //      |------------------------->|
    //      |  LL_CONNECTION_PARAM_REQ |   sent before the other was received
    //      |<-------------------------|
    //      | LL_REJECT_EXT_IND        |   LL procedure collision (0x23)
    //      |------------------------->|
    //      |  LL_CONNECTION_PARAM_RSP |
    //      |<-------------------------|
    //      | LL_CONNECTION_UPDATE_IND |
    //      |------------------------->|
    @Test("LL/CON/CEN/BV-26-C: of two requests that meet, the central's goes on and the peripheral's is rejected")
    func requestsMeetAtCentral() throws {
        let link = try central(knowing: [.connectionParametersRequest, .extendedRejectIndication])
        try link.bench.succeed(link.update(40...60))
        #expect(try link.nextControl().opcode == .connectionParamReq)
        let answer = try link.ask(.connectionParamReq(Self.proposal(100...120)))
        #expect(answer == .rejectExtInd(.connectionParamReq, .linkLayerProcedureCollision))
        #expect(link.bench.takePackets().isEmpty)
        try follow(link.ask(.connectionParamRsp(Self.proposal())), of: link, interval: 40)
    }

    @Test("LL/CON/CEN/BV-27-C: so does its channel map update, with another error (0x2A)")
    func collisionWithChannelMap() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        try link.idle(events: 1)
        let classification = LESetHostChannelClassification(channels: [0xFF, 0, 0, 0, 0])
        try bench.succeed(.leSetHostChannelClassification(classification))
        guard case .channelMapInd(let indication) = try link.nextControl() else { return }
        link.follow(indication)
        let answer = try link.ask(.connectionParamReq(Self.proposal()))
        #expect(answer == .rejectExtInd(.connectionParamReq, .differentTransactionCollision))
        #expect(bench.takePackets().isEmpty)
    }

    @Test("LL/CON/PER/BV-26-C: of two requests that meet, the peripheral's gives way")
    func collisionAtPeripheral() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try bench.succeed(link.update())
        // The central has asked before it heard; then it rejects.
        let news = try link.send(.connectionParamReq(Self.proposal()))
        #expect(news.compactMap(\.controlPDU).map(\.opcode) == [.connectionParamReq])
        #expect(try bench.takeEvents() == [asked(link)])
        try link.send(.rejectExtInd(.connectionParamReq, .linkLayerProcedureCollision))
        #expect(try bench.takeEvents() == [complete(link, .linkLayerProcedureCollision, (24, 0, 200))])
        try bench.succeed(reply(link))
        #expect(try link.nextControl().opcode == .connectionParamRsp)
    }

    @Test("LL/CON/PER/BV-27-C: a channel map update that meets a request is followed, the request given up")
    func channelMapAtPeripheral() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try bench.succeed(link.update())
        let map = ChannelMapIndication(
            channelMap: try #require(ChannelMap(bits: 0xFF)),
            instant: link.eventCounter &+ 10
        )
        link.follow(map)
        try link.send(.channelMapInd(map))
        try link.send(.rejectExtInd(.connectionParamReq, .differentTransactionCollision))
        #expect(try bench.takeEvents() == [complete(link, .differentTransactionCollision, (24, 0, 200))])
        while link.eventCounter != map.instant { try link.idle(events: 1) }
        try link.idle(events: 30)
    }

    @Test("The answer to a request waits until the host has spoken, other procedures do not wait for it")
    func besideOthers() throws {
        let link = try Bench().connectAsCentral()
        try link.send(.connectionParamReq(Self.proposal()))
        _ = try link.bench.nextEvent()
        let version = VersionIndication(version: 9, companyIdentifier: 13, subversion: 1)
        #expect(try link.ask(.versionInd(version)).opcode == .versionInd)
        #expect(try link.ask(.peripheralFeatureReq(features: 0xFF)).opcode == .featureRsp)
        try link.bench.succeed(negativeReply(link))
        #expect(try link.nextControl().opcode == .rejectExtInd)
    }
}
