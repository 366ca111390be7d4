import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

@Suite("Connection update")
struct ConnectionUpdateTests {
    private func indication(
        _ link: LinkTester,
        interval: UInt16,
        latency: UInt16 = 0,
        timeout: UInt16 = 200,
        window: (size: UInt8, offset: UInt16) = (1, 0),
        after events: UInt16
    ) throws -> ConnectionUpdateIndication {
        let parameters = try #require(
            ConnectionParameters(intervalSteps: interval, latencyEvents: latency, timeoutSteps: timeout)
        )
        let window = try #require(
            TransmitWindow(sizeSteps: window.size, offsetSteps: window.offset, interval: parameters.interval)
        )
        return ConnectionUpdateIndication(
            window: window,
            parameters: parameters,
            instant: link.eventCounter &+ events
        )
    }

    private func complete(
        _ link: LinkTester,
        _ status: ControllerError = .success,
        interval: UInt16,
        latency: UInt16 = 0,
        timeout: UInt16 = 200
    ) -> Event {
        .leConnectionUpdateComplete(
            LEConnectionUpdateComplete(
                status: status,
                connection: link.handle,
                interval: interval,
                latency: latency,
                supervisionTimeout: timeout
            )
        )
    }

    private func command(
        _ link: LinkTester,
        interval: ClosedRange<UInt16>,
        latency: UInt16 = 0,
        timeout: UInt16 = 200
    ) -> Command {
        .leConnectionUpdate(
            LEConnectionUpdate(
                connection: link.handle,
                minimumInterval: interval.lowerBound,
                maximumInterval: interval.upperBound,
                maximumLatency: latency,
                supervisionTimeout: timeout
            )
        )
    }

    //  Controller (peripheral)   Lower Tester (central)
    //      | LL_CONNECTION_UPDATE_IND |
    //      |<-------------------------|
    //      |            …             |   at the instant: the old anchor plus the offset
    //   LE Connection Update Complete
    @Test(
        "LL/CON/PER/BV-10-C: the new pace begins at the instant, anywhere in the transmit window",
        arguments: [(6, 0, 0), (6, 3, 700), (24, 24, 1_250), (3_200, 100, 0), (40, 0, 1_249)]
            as [(UInt16, UInt16, Int64)]
    )
    func peripheralFollows(interval: UInt16, offset: UInt16, microseconds: Int64) throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try link.idle(events: 3)
        let timeout: UInt16 = interval > 1_000 ? 3_200 : 300
        let update = try indication(link, interval: interval, timeout: timeout, window: (1, offset), after: 6)
        try link.follow(update, at: microseconds)
        try link.send(.connectionUpdateInd(update))
        while link.eventCounter != update.instant {
            #expect(bench.takePackets().isEmpty)
            #expect(try link.exchange() != nil)
        }
        try link.idle(events: 10)
        let news = interval == 24 && timeout == 200 ? [] : [complete(link, interval: interval, timeout: timeout)]
        #expect(try bench.takeEvents() == news)
    }

    @Test("The first packets after the instant may get lost: the window stays open")
    func lostAtInstant() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try link.idle(events: 3)
        let update = try indication(link, interval: 40, window: (4, 7), after: 6)
        try link.follow(update, at: 4_000)
        try link.send(.connectionUpdateInd(update))
        while link.eventCounter != update.instant { try link.exchange() }
        link.beSilent(events: 3)
        try link.idle(events: 5)
    }

    @Test("A peripheral that sleeps is awake at the instant")
    func latency() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral(latency: 9, timeoutSteps: 400)
        #expect(try link.exchange() != nil)
        while try link.exchange() == nil {}
        let update = try indication(link, interval: 30, latency: 9, timeout: 400, after: 17)
        try link.follow(update)
        try link.send(.connectionUpdateInd(update))
        while link.eventCounter != update.instant { _ = try link.exchange() }
        #expect(try link.exchange() != nil)
    }

    @Test("The new supervision timeout counts from the instant")
    func supervision() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try link.idle(events: 3)
        let update = try indication(link, interval: 24, timeout: 20, after: 6)
        try link.send(.connectionUpdateInd(update))
        while link.eventCounter != update.instant { try link.exchange() }
        _ = try bench.takeEvents()
        let instant = link.anchor
        link.beSilent(events: 1)
        let event = try bench.nextEvent(within: .seconds(3))
        if case .leConnectionUpdateComplete = event { _ = try bench.nextEvent(within: .seconds(3)) }
        let late = bench.now - instant
        #expect(late > .milliseconds(199) && late <= .milliseconds(200))
    }

    @Test(
        "LL/CON/PER/BI-…: an instant in the past ends the link with instant passed (0x28)",
        arguments: [1, 2, 32_768]
    )
    func instantPassed(ago: Int) throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try link.idle(events: 5)
        let update = try indication(link, interval: 40, after: UInt16(65_536 - ago))
        try link.exchange(.control(.connectionUpdateInd(update)))
        let ending = DisconnectionComplete(connection: link.handle, reason: .instantPassed)
        #expect(try bench.takeEvents() == [.disconnectionComplete(ending)])
    }

    @Test("An instant that is this very event: the central has changed over with it")
    func instantNow() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try link.idle(events: 5)
        let update = try indication(link, interval: 40, after: 0)
        link.interval = try #require(ConnectionInterval(steps: 40))
        try link.exchange(.control(.connectionUpdateInd(update)))
        try link.idle(events: 5)
        #expect(try bench.takeEvents() == [complete(link, interval: 40)])
    }

    @Test("Parameters that are not allowed end the link")
    func invalidParameters() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try link.idle(events: 1)
        var update = try indication(link, interval: 40, after: 6)
        update.intervalSteps = 5
        try link.exchange(.control(.connectionUpdateInd(update)))
        let ending = DisconnectionComplete(connection: link.handle, reason: .invalidLinkLayerParameters)
        #expect(try bench.takeEvents() == [.disconnectionComplete(ending)])
    }

    @Test("A second procedure with an instant while one is pending ends the link (0x2A)")
    func secondInstant() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try link.idle(events: 1)
        try link.send(.connectionUpdateInd(try indication(link, interval: 40, after: 20)))
        let map = ChannelMapIndication(channelMap: .all, instant: link.eventCounter &+ 10)
        try link.exchange(.control(.channelMapInd(map)))
        let ending = DisconnectionComplete(connection: link.handle, reason: .differentTransactionCollision)
        #expect(try bench.takeEvents() == [.disconnectionComplete(ending)])
    }

    @Test("A central does not take orders")
    func centralRefuses() throws {
        let link = try Bench().connectAsCentral()
        let update = try indication(link, interval: 40, after: 6)
        #expect(try link.ask(.connectionUpdateInd(update)) == .unknownRsp(.connectionUpdateInd))
    }

    //  Upper Tester           Controller (central)      Lower Tester
    //       | LE Connection Update   |                         |
    //       |----------------------->| LL_CONNECTION_UPDATE_IND|
    //       |                        |------------------------>|
    //       |                        |            …            |   at the instant
    //       |        … Complete      |                         |
    //       |<-----------------------|                         |
    @Test(
        "LL/CON/CEN/BV-07-C: the host's wish takes effect six events after the peer could have heard of it",
        arguments: [(40...60, 40, 0), (6...6, 6, 0), (8...100, 24, 2), (24...24, 24, 0)]
            as [(ClosedRange<UInt16>, UInt16, UInt16)]
    )
    func centralUpdates(wish: ClosedRange<UInt16>, interval: UInt16, latency: UInt16) throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        try link.idle(events: 5)
        try bench.succeed(command(link, interval: wish, latency: latency))
        #expect(try bench.status(of: command(link, interval: wish)) == .commandDisallowed)
        let begin = link.eventCounter
        guard case .connectionUpdateInd(let update) = try link.nextControl() else {
            Issue.record("no LL_CONNECTION_UPDATE_IND")
            return
        }
        #expect(update.instant &- begin >= 6)
        #expect(update.intervalSteps == interval)
        #expect(update.latencyEvents == latency)
        #expect(update.timeoutSteps == 200)
        try link.follow(update)
        while link.eventCounter != update.instant { try link.idle(events: 1) }
        #expect(bench.takePackets().isEmpty)
        try link.idle(events: 5)
        #expect(try bench.takeEvents() == [complete(link, interval: interval, latency: latency)])
        // Then another one may begin.
        try bench.succeed(command(link, interval: 80...80))
    }

    @Test("A peripheral that sleeps is given six events in which it listens")
    func instantWithLatency() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral(latency: 4)
        try link.idle(events: 5)
        let begin = link.eventCounter
        try bench.succeed(command(link, interval: 40...40))
        guard case .connectionUpdateInd(let update) = try link.nextControl() else {
            Issue.record("no LL_CONNECTION_UPDATE_IND")
            return
        }
        #expect(update.instant &- begin >= 30)
    }

    @Test("What the host cannot want is refused")
    func invalid() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        for wish in [5...24, 24...3_201] as [ClosedRange<UInt16>] {
            #expect(try bench.status(of: command(link, interval: wish)) == .invalidCommandParameters)
        }
        #expect(try bench.status(of: command(link, interval: 24...24, latency: 500)) == .invalidCommandParameters)
        #expect(try bench.status(of: command(link, interval: 24...24, timeout: 9)) == .invalidCommandParameters)
        #expect(try bench.status(of: command(link, interval: 24...24, timeout: 3201)) == .invalidCommandParameters)
        #expect(
            try bench.status(of: command(link, interval: 800...800, latency: 1, timeout: 400))
                == .invalidCommandParameters
        )
        try link.idle(events: 3)
    }
}
