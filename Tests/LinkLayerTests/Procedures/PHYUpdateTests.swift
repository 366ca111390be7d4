import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

@Suite("PHY update")
struct PHYUpdateTests {
    private static let both: PHYSet = [.le1M, .le2M]

    private static func setPHY(
        _ link: LinkTester,
        _ transmit: PHYSet,
        _ receive: PHYSet,
        noPreference: PHYIndifference = []
    ) -> Command {
        .leSetPHY(
            LESetPHY(connection: link.handle, noPreference: noPreference, transmit: transmit, receive: receive)
        )
    }

    private static func update(_ down: PHYSet, _ up: PHYSet, at instant: UInt16) -> PHYUpdateIndication {
        PHYUpdateIndication(centralToPeripheral: down, peripheralToCentral: up, instant: instant)
    }

    private static func complete(
        _ link: LinkTester,
        _ transmit: PHY,
        _ receive: PHY,
        _ status: ControllerError = .success
    ) -> Event {
        .lePHYUpdateComplete(
            LEPHYUpdateComplete(status: status, connection: link.handle, transmit: transmit, receive: receive)
        )
    }

    /// The PHYs in use as the host is told: transmit, receive.
    private func phys(_ link: LinkTester) throws -> [PHY] {
        let answer = try link.bench.command(.leReadPHY(LEReadPHY(connection: link.handle)))
        guard case .commandComplete(let complete) = answer else { throw Unexpected("no Command Complete") }
        let phys = try complete.returned(LEReadPHYReturn.self)
        #expect(phys.status == .success && phys.connection == link.handle)
        return [phys.transmit, phys.receive]
    }

    /// Takes the link to LE 2M both ways, as the side that asks.
    private func change(_ link: LinkTester, to phy: PHYSet = .le2M) throws {
        let update = try decide(link, phy, phy)
        link.follow(update)
        while link.eventCounter != update.instant &+ 1 { try link.idle(events: 1) }
    }

    /// The tester asks, and decides if it is the central.
    private func decide(_ link: LinkTester, _ transmit: PHYSet, _ receive: PHYSet) throws -> PHYUpdateIndication {
        let answer = try link.ask(.phyReq(transmit: transmit, receive: receive))
        switch answer {
        case .phyUpdateInd(let update): return update
        case .phyRsp:
            let update = Self.update(transmit, receive, at: link.eventCounter &+ 6)
            try link.send(.phyUpdateInd(update))
            return update
        default: throw Unexpected("\(answer)")
        }
    }

    //  Controller       Lower Tester
    //      |       LL_PHY_REQ |
    //      |<-----------------|
    //      | LL_PHY_RSP       |
    //      |----------------->|
    //      | LL_PHY_UPDATE_IND|
    //      |<-----------------|
    //          … instant …
    //   LE PHY Update Complete
    @Test("LL/CON/PER/BV-42-C: a peripheral says what it can, and changes over at the instant")
    func peripheralFollows() throws {
        let link = try Bench().connectAsPeripheral()
        try link.idle(events: 3)
        let answer = try link.ask(.phyReq(transmit: .le2M, receive: .le2M))
        #expect(answer == .phyRsp(transmit: Self.both, receive: Self.both))
        let update = Self.update(.le2M, .le2M, at: link.eventCounter &+ 8)
        link.follow(update)
        try link.send(.phyUpdateInd(update))
        while link.eventCounter != update.instant {
            #expect(link.bench.packets.isEmpty)
            #expect(try phys(link) == [.le1M, .le1M])
            try link.idle(events: 1)
        }
        // The tester hears and checks PHY and T_IFS of every frame.
        try link.idle(events: 20)
        #expect(try link.bench.takeEvents() == [Self.complete(link, .le2M, .le2M)])
        #expect(try phys(link) == [.le2M, .le2M])
        try link.send(.start([1, 2, 3]))
        #expect(link.bench.takePackets().contains([2, UInt8(link.handle.rawValue), 0x20, 3, 0, 1, 2, 3]))
        try change(link, to: .le1M)
        #expect(try link.bench.takeEvents() == [Self.complete(link, .le1M, .le1M)])
    }

    @Test("One direction may have another PHY than the other", arguments: [true, false])
    func asymmetric(isDown: Bool) throws {
        for link in [try Bench().connectAsPeripheral(), try Bench().connectAsCentral()] {
            let testerSends = (link.role == .central) == isDown
            try link.idle(events: 3)
            let update: PHYUpdateIndication
            if link.role == .central {
                _ = try link.ask(.phyReq(transmit: Self.both, receive: Self.both))
                update = Self.update(isDown ? .le2M : [], isDown ? [] : .le2M, at: link.eventCounter &+ 6)
                try link.send(.phyUpdateInd(update))
            } else {
                update = try decide(link, testerSends ? .le2M : .le1M, testerSends ? .le1M : .le2M)
                #expect(update.centralToPeripheral == (isDown ? .le2M : []))
                #expect(update.peripheralToCentral == (isDown ? [] : .le2M))
            }
            link.follow(update)
            try link.idle(events: 20)
            let expected: [PHY] = testerSends ? [.le1M, .le2M] : [.le2M, .le1M]
            #expect(try phys(link) == expected)
            #expect(try link.bench.takeEvents() == [Self.complete(link, expected[0], expected[1])])
        }
    }

    //   Upper Tester    Controller       Lower Tester
    //   LE Set PHY
    //                       | LL_PHY_REQ       |
    //                       |----------------->|
    //                       |       LL_PHY_RSP |
    //                       |<-----------------|
    //                       | LL_PHY_UPDATE_IND|
    //                       |----------------->|
    //                          … instant …
    //   LE PHY Update Complete
    @Test("LL/CON/CEN/BV-41-C: a central asks for its host, decides, and changes over at the instant")
    func centralAsks() throws {
        let link = try Bench().connectAsCentral()
        try link.idle(events: 3)
        try link.bench.succeed(Self.setPHY(link, .le2M, .le2M))
        #expect(try link.bench.status(of: Self.setPHY(link, .le1M, .le1M)) == .commandDisallowed)
        #expect(try link.nextControl() == .phyReq(transmit: .le2M, receive: .le2M))
        guard case .phyUpdateInd(let update) = try link.ask(.phyRsp(transmit: Self.both, receive: Self.both)) else {
            throw Unexpected("no LL_PHY_UPDATE_IND")
        }
        #expect(update.centralToPeripheral == .le2M && update.peripheralToCentral == .le2M)
        #expect(update.instant &- link.eventCounter >= 4)
        link.follow(update)
        try link.idle(events: 20)
        #expect(try link.bench.takeEvents() == [Self.complete(link, .le2M, .le2M)])
        // Nothing stands in the way of the next.
        try link.bench.succeed(Self.setPHY(link, .le1M, .le1M))
        #expect(try link.nextControl() == .phyReq(transmit: .le1M, receive: .le1M))
    }

    @Test("LL/CON/PER/BV-41-C: a peripheral asks for its host, and the central decides")
    func peripheralAsks() throws {
        let link = try Bench().connectAsPeripheral()
        try link.idle(events: 3)
        try link.bench.succeed(Self.setPHY(link, [], .le2M, noPreference: .transmit))
        #expect(try link.nextControl() == .phyReq(transmit: Self.both, receive: .le2M))
        let update = Self.update(.le2M, [], at: link.eventCounter &+ 6)
        link.follow(update)
        try link.send(.phyUpdateInd(update))
        try link.idle(events: 20)
        #expect(try link.bench.takeEvents() == [Self.complete(link, .le1M, .le2M)])
    }

    @Test("What a central decides: the fastest that both want; one PHY both ways or nothing if that is asked for")
    func decisions() throws {
        // Default of the controller, the peripheral's wish, and what comes of it: to the peripheral, from it.
        let cases: [((PHYSet, PHYSet), (PHYSet, PHYSet), (PHYSet, PHYSet))] = [
            ((Self.both, Self.both), (Self.both, Self.both), (.le2M, .le2M)),
            ((Self.both, Self.both), ([.le2M, .leCoded], .leCoded), ([], .le2M)),
            ((Self.both, Self.both), (.leCoded, .leCoded), ([], [])),
            ((Self.both, Self.both), (.le2M, .le2M), (.le2M, .le2M)),
            ((.le1M, Self.both), (Self.both, Self.both), ([], .le2M)),
            ((.le2M, .le1M), (Self.both, Self.both), (.le2M, [])),
            // Only the same both ways, and that is not to be had.
            ((.le1M, Self.both), (.le2M, .le2M), ([], [])), ((.le1M, .le1M), (Self.both, Self.both), ([], [])),
            ((.le2M, .le2M), (.le1M, Self.both), ([], [])),
            ((Self.both, Self.both), ([], []), ([], [])),
        ]
        for (own, peer, expected) in cases {
            let bench = try Bench()
            try bench.succeed(.leSetDefaultPHY(LESetDefaultPHY(transmit: own.0, receive: own.1)))
            let link = try bench.connectAsCentral()
            let update = try decide(link, peer.0, peer.1)
            #expect(update.centralToPeripheral == expected.0, "\(own) \(peer)")
            #expect(update.peripheralToCentral == expected.1, "\(own) \(peer)")
            link.follow(update)
            try link.idle(events: 20)
            let phys: [PHY] = [expected.0.only ?? .le1M, expected.1.only ?? .le1M]
            #expect(try self.phys(link) == phys)
            // The host hears of changes that it did not ask for, and of nothing else.
            let isChange = !expected.0.isEmpty || !expected.1.isEmpty
            #expect(try bench.takeEvents() == (isChange ? [Self.complete(link, phys[0], phys[1])] : []))
        }
    }

    @Test("A host that asked is told even if everything stays")
    func noChange() throws {
        let central = try Bench().connectAsCentral()
        try central.bench.succeed(Self.setPHY(central, .le1M, .le1M))
        _ = try central.nextControl()
        let answer = try central.ask(.phyRsp(transmit: .le2M, receive: .le2M))
        #expect(answer == .phyUpdateInd(Self.update([], [], at: 0)))
        #expect(try central.bench.takeEvents() == [Self.complete(central, .le1M, .le1M)])

        let peripheral = try Bench().connectAsPeripheral()
        try peripheral.bench.succeed(Self.setPHY(peripheral, .le2M, .le2M))
        _ = try peripheral.nextControl()
        try peripheral.send(.phyUpdateInd(Self.update([], [], at: 0)))
        #expect(try peripheral.bench.takeEvents() == [Self.complete(peripheral, .le1M, .le1M)])
        try peripheral.idle(events: 10)
    }

    @Test("A peer that cannot, or will not: the host hears why, and the link goes on")
    func refused() throws {
        for link in [try Bench().connectAsPeripheral(), try Bench().connectAsCentral()] {
            let answers: [(ControlPDU, ControllerError)] = [
                (.unknownRsp(.phyReq), .unsupportedRemoteFeature),
                (.rejectExtInd(.phyReq, .linkLayerProcedureCollision), .linkLayerProcedureCollision),
                (.rejectInd(.unspecifiedError), .unspecifiedError),
            ]
            for (answer, status) in answers {
                try link.bench.succeed(Self.setPHY(link, .le2M, .le2M))
                guard case .phyReq = try link.nextControl() else { throw Unexpected("no LL_PHY_REQ") }
                try link.send(answer)
                #expect(try link.bench.takeEvents() == [Self.complete(link, .le1M, .le1M, status)])
            }
            // Who is known to have no other PHY is not asked.
            _ = try link.ask(link.role == .central ? .featureReq(features: 0) : .peripheralFeatureReq(features: 0))
            try link.bench.succeed(Self.setPHY(link, .le2M, .le2M))
            #expect(try link.bench.takeEvents() == [Self.complete(link, .le1M, .le1M, .unsupportedRemoteFeature)])
            try link.idle(events: 10)
        }
    }

    @Test("PHYs that there are not, and none at all, are refused")
    func parameters() throws {
        let link = try Bench().connectAsCentral()
        let cases: [(PHYSet, PHYSet, PHYIndifference, ControllerError)] = [
            ([], .le1M, [], .invalidCommandParameters), (.le1M, [], [], .invalidCommandParameters),
            ([], [], .transmit, .invalidCommandParameters), (.leCoded, .le1M, [], .unsupportedFeatureOrParameterValue),
            (.le1M, [.le2M, .leCoded], [], .unsupportedFeatureOrParameterValue),
            (PHYSet(rawValue: 0x80), .le1M, [], .unsupportedFeatureOrParameterValue),
            ([], [], [.transmit, .receive], .success), (.leCoded, .leCoded, [.transmit, .receive], .success),
        ]
        for (transmit, receive, indifference, status) in cases {
            let defaults = LESetDefaultPHY(noPreference: indifference, transmit: transmit, receive: receive)
            #expect(try link.bench.status(of: .leSetDefaultPHY(defaults)) == status)
            guard status != .success else { continue }
            let set = Self.setPHY(link, transmit, receive, noPreference: indifference)
            #expect(try link.bench.status(of: set) == status)
        }
        try link.idle(events: 5)
    }

    @Test("In a direction for which the central says a PHY that nobody has, or several, nothing changes")
    func unusable() throws {
        for unusable in [PHYSet.leCoded, [.le1M, .le2M], PHYSet(rawValue: 0x10)] {
            let link = try Bench().connectAsPeripheral()
            try link.idle(events: 3)
            let update = Self.update(unusable, .le2M, at: link.eventCounter &+ 6)
            link.follow(Self.update([], .le2M, at: update.instant))
            try link.send(.phyUpdateInd(update))
            while link.eventCounter != update.instant &+ 3 { try link.idle(events: 1) }
            #expect(try phys(link) == [.le2M, .le1M])
        }
    }

    @Test("A past instant ends the link (0x28), and two changes at once (0x2A)")
    func wrongIndications() throws {
        let endings: [(ControllerError, (UInt16) -> PHYUpdateIndication)] = [
            (.instantPassed, { Self.update(.le2M, .le2M, at: $0 &- 1) })
        ]
        for (reason, update) in endings {
            let link = try Bench().connectAsPeripheral()
            try link.idle(events: 3)
            try link.exchange(.control(.phyUpdateInd(update(link.eventCounter))))
            let ending = DisconnectionComplete(connection: link.handle, reason: reason)
            #expect(try link.bench.takeEvents() == [.disconnectionComplete(ending)])
        }
        let link = try Bench().connectAsPeripheral()
        let map = ChannelMapIndication(channelMap: .all, instant: link.eventCounter &+ 20)
        try link.send(.channelMapInd(map))
        try link.exchange(.control(.phyUpdateInd(Self.update(.le2M, .le2M, at: link.eventCounter &+ 10))))
        let ending = DisconnectionComplete(connection: link.handle, reason: .differentTransactionCollision)
        #expect(try link.bench.takeEvents() == [.disconnectionComplete(ending)])
        // A central is not told what to do.
        let central = try Bench().connectAsCentral()
        let update = Self.update(.le2M, .le2M, at: central.eventCounter &+ 10)
        #expect(try central.ask(.phyUpdateInd(update)) == .unknownRsp(.phyUpdateInd))
    }

    @Test("Of two sides that ask at once the central goes on: 0x23 for the same procedure, 0x2A beside another instant")
    func collisions() throws {
        let link = try Bench().connectAsCentral()
        try link.bench.succeed(Self.setPHY(link, .le2M, .le2M))
        _ = try link.nextControl()
        let rejected = try link.ask(.phyReq(transmit: .le1M, receive: .le1M))
        #expect(rejected == .rejectExtInd(.phyReq, .linkLayerProcedureCollision))
        guard case .phyUpdateInd(let update) = try link.ask(.phyRsp(transmit: Self.both, receive: Self.both)) else {
            throw Unexpected("no LL_PHY_UPDATE_IND")
        }
        link.follow(update)
        // Between decision and instant as well.
        let late = try link.ask(.phyReq(transmit: .le1M, receive: .le1M))
        #expect(late == .rejectExtInd(.phyReq, .linkLayerProcedureCollision))
        try link.idle(events: 20)
        #expect(try link.bench.takeEvents() == [Self.complete(link, .le2M, .le2M)])

        let other = try Bench().connectAsCentral()
        let few = LESetHostChannelClassification(channels: [0xFF, 0xFF, 0, 0, 0])
        try other.bench.succeed(.leSetHostChannelClassification(few))
        guard case .channelMapInd(let map) = try other.nextControl() else { throw Unexpected("no channel map") }
        other.follow(map)
        let beside = try other.ask(.phyReq(transmit: .le2M, receive: .le2M))
        #expect(beside == .rejectExtInd(.phyReq, .differentTransactionCollision))
        // Once that is over it may.
        try other.idle(events: 20)
        #expect(try decide(other, .le2M, .le2M).centralToPeripheral == .le2M)
    }

    @Test("A peripheral whose own request crosses the central's answers it, and hears that its own has lost")
    func crossing() throws {
        let link = try Bench().connectAsPeripheral()
        try link.idle(events: 3)
        try link.bench.succeed(Self.setPHY(link, .le1M, Self.both))
        #expect(try link.nextControl() == .phyReq(transmit: .le1M, receive: Self.both))
        #expect(
            try link.ask(.phyReq(transmit: .le2M, receive: .le2M)) == .phyRsp(transmit: .le1M, receive: Self.both)
        )
        try link.send(.rejectExtInd(.phyReq, .linkLayerProcedureCollision))
        let update = Self.update(.le2M, [], at: link.eventCounter &+ 6)
        link.follow(update)
        try link.send(.phyUpdateInd(update))
        try link.idle(events: 20)
        let events = [
            Self.complete(link, .le1M, .le1M, .linkLayerProcedureCollision), Self.complete(link, .le1M, .le2M),
        ]
        #expect(try link.bench.takeEvents() == events)
    }

    @Test("A host's channel map and PHYs ask for the same instant in turn")
    func queued() throws {
        let link = try Bench().connectAsCentral()
        let few = LESetHostChannelClassification(channels: [0xFF, 0xFF, 0, 0, 0])
        try link.bench.succeed(.leSetHostChannelClassification(few))
        try link.bench.succeed(Self.setPHY(link, .le2M, .le2M))
        guard case .channelMapInd(let map) = try link.nextControl() else { throw Unexpected("no channel map") }
        link.follow(map)
        while link.eventCounter != map.instant { try link.idle(events: 1) }
        #expect(try link.nextControl() == .phyReq(transmit: .le2M, receive: .le2M))
    }

    @Test("A peer that never answers, and one that never decides: 40 s, then the link ends (0x22)")
    func responseTimeout() throws {
        let asked = try Bench().connectAsPeripheral()
        try asked.bench.succeed(Self.setPHY(asked, .le2M, .le2M))
        _ = try asked.nextControl()
        for _ in 0..<1_400 where asked.bench.packets.isEmpty { try asked.exchange() }
        let ending = DisconnectionComplete(connection: asked.handle, reason: .linkLayerResponseTimeout)
        #expect(
            try asked.bench.takeEvents() == [
                Self.complete(asked, .le1M, .le1M, .linkLayerResponseTimeout), .disconnectionComplete(ending),
            ]
        )
        let answered = try Bench().connectAsPeripheral()
        _ = try answered.ask(.phyReq(transmit: .le2M, receive: .le2M))
        for _ in 0..<1_400 where answered.bench.packets.isEmpty { try answered.exchange() }
        let other = DisconnectionComplete(connection: answered.handle, reason: .linkLayerResponseTimeout)
        #expect(try answered.bench.takeEvents() == [.disconnectionComplete(other)])
    }

    @Test("A time that is short on LE 1M is long enough on LE 2M; while a change is under way LE 1M counts")
    func dataLength() throws {
        let link = try Bench().connectAsPeripheral()
        let set = LESetDataLength(connection: link.handle, transmitOctets: 251, transmitTime: 1_064)
        try link.bench.succeed(.leSetDataLength(set))
        _ = try link.nextControl()
        try link.send(.lengthRsp(.longest))
        func firstLength() throws -> Int {
            link.bench.send([2, UInt8(link.handle.rawValue), 0, 251, 0] + [UInt8](repeating: 1, count: 251))
            let first = try #require(try link.nextPayload()).bytes.count
            var rest = 251 - first
            while rest > 0 { rest -= try #require(try link.nextPayload()).bytes.count }
            return first
        }
        // 80 µs of a frame on LE 1M are no payload, 44 µs on LE 2M.
        #expect(try firstLength() == (1_064 - 80) / 8)
        try change(link)
        #expect(try firstLength() == 251)
        _ = try link.ask(.phyReq(transmit: .le1M, receive: .le1M))
        #expect(try firstLength() == (1_064 - 80) / 8)
        try link.send(.phyUpdateInd(Self.update([], [], at: 0)))
        #expect(try firstLength() == 251)
    }

    @Test("Two controllers change over under load, and lose nothing; more goes through on LE 2M")
    func underLoad() throws {
        let air = ControllerAir(seed: 5)
        let central = air.add(), peripheral = air.add()
        let (handle, _) = try air.connect(central, to: peripheral)
        let length = LESetDataLength(connection: handle, transmitOctets: 251, transmitTime: 2_120)
        try air.succeed(.leSetDataLength(length), at: central)
        air.run(for: .seconds(1))
        var number: UInt8 = 0, credits = 12
        func received(in span: TimeSpan) throws -> Int {
            let end = air.now + span
            var count = 0
            while air.now < end {
                while credits > 0 {
                    number &+= 1
                    credits -= 1
                    let data = [number] + [UInt8](repeating: 7, count: 250)
                    air.send([2, UInt8(handle.rawValue), 0, 251, 0] + data, to: central)
                }
                air.run(for: .milliseconds(5))
                for completed in air.takeEvents(
                    at: central,
                    { event -> NumberOfCompletedPackets? in
                        if case .numberOfCompletedPackets(let completed) = event { completed } else { nil }
                    }
                ) {
                    credits += completed.completed.reduce(0) { $0 + Int($1.count) }
                }
                for packet in air.takeData(at: peripheral) {
                    // At the end of an event a packet may go out in part.
                    #expect((packet[2] & 0x30 == 0x10) == !begun.isEmpty)
                    begun += packet.dropFirst(5)
                    guard begun.count >= 251 else { continue }
                    expected &+= 1
                    #expect(begun == [expected] + [UInt8](repeating: 7, count: 250))
                    count += 1
                    begun = []
                }
            }
            return count
        }
        var expected: UInt8 = 0, begun: [UInt8] = []
        let slow = try received(in: .seconds(3))
        let set = LESetPHY(connection: handle, transmit: .le2M, receive: .le2M)
        try air.succeed(.leSetPHY(set), at: central)
        _ = try received(in: .seconds(1))
        let fast = try received(in: .seconds(3))
        for index in [central, peripheral] {
            let completes = air.takeEvents(at: index) { event -> LEPHYUpdateComplete? in
                if case .lePHYUpdateComplete(let complete) = event { complete } else { nil }
            }
            #expect(completes.map(\.status) == [.success])
            #expect(completes.map(\.transmit) == [.le2M])
        }
        #expect(Double(fast) > Double(slow) * 1.5, "\(slow) \(fast)")
    }
}
