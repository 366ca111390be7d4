import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatLinkLayer

@Suite("Initiating")
struct InitiatingTests {
    private static let other = DeviceAddress(value: 0xC0FF_EE00_0002, kind: .random)
    private static let advertisement = AdvertisingPDU.advInd(
        advertiser: Bench.testerAddress,
        data: [],
        supportsChannelSelection2: true
    )

    private static func command(
        _ filter: InitiatorFilterPolicy = .peer,
        peer: PeerAddress = PeerAddress(Bench.testerAddress),
        own: OwnAddressType = .public,
        interval: ClosedRange<UInt16> = 24...40,
        latency: UInt16 = 3,
        timeout: UInt16 = 300,
        scan: (interval: UInt16, window: UInt16) = (0x10, 0x10),
        eventLength: (UInt16, UInt16) = (0, 0)
    ) -> Command {
        .leCreateConnection(
            LECreateConnection(
                scanInterval: scan.interval,
                scanWindow: scan.window,
                filterPolicy: filter,
                peer: peer,
                ownAddressType: own,
                minimumInterval: interval.lowerBound,
                maximumInterval: interval.upperBound,
                maximumLatency: latency,
                supervisionTimeout: timeout,
                minimumEventLength: eventLength.0,
                maximumEventLength: eventLength.1
            )
        )
    }

    //  Controller       Lower Tester
    //      |          ADV_IND |
    //      |<-----------------|
    //      | CONNECT_IND      |   T_IFS later
    //      |----------------->|
    //   LE Connection Complete, LE Channel Selection Algorithm
    //      | data PDU         |   in the transmit window
    //      |----------------->|
    @Test("LL/CON/INI/BV-01-C: the request says what the host wanted, and the connection begins in its window")
    func connectionRequest() throws {
        let bench = try Bench()
        try bench.succeed(Self.command())
        let (indication, end) = try bench.takeConnectIndication(to: Self.advertisement)
        #expect(indication.initiator == Bench.address)
        #expect(indication.advertiser == Bench.testerAddress)
        #expect(indication.accessAddress.isAllowedForConnection)
        #expect(24...40 ~= indication.parameters.interval.steps)
        #expect(indication.parameters.latency.events == 3)
        #expect(indication.parameters.supervisionTimeout.steps == 300)
        #expect(indication.channelMap == .all)
        #expect(indication.sleepClockAccuracy == .upTo50)
        #expect(indication.supportsChannelSelection2)
        guard case .leConnectionComplete(let complete) = try bench.nextEvent() else {
            Issue.record("no LE Connection Complete")
            return
        }
        #expect(bench.now == end)
        let expected = LEConnectionComplete(
            connection: try #require(ConnectionHandle(rawValue: 0)),
            role: .central,
            peer: PeerAddress(Bench.testerAddress),
            interval: indication.parameters.interval.steps,
            latency: 3,
            supervisionTimeout: 300
        )
        #expect(complete == expected)
        let selection = LEChannelSelectionAlgorithm(connection: complete.connection, algorithm: .two)
        #expect(try bench.nextEvent() == .leChannelSelectionAlgorithm(selection))
        let first = try bench.nextFrame(within: .milliseconds(100))
        let opens = end + .microseconds(1_250) + indication.window.offset
        #expect(first.start >= opens && first.start <= opens + indication.window.size)
        #expect(first.accessAddress == indication.accessAddress)
    }

    @Test(
        "A further connection has the shortest interval allowed that divides, or is divided by, those there are",
        arguments: [(24, 40, 36), (24, 31, 24), (7, 100, 9), (50, 100, 72), (37, 70, 37), (36, 36, 36)]
            as [(UInt16, UInt16, UInt16)]
    )
    func intervals(minimum: UInt16, maximum: UInt16, chosen: UInt16) throws {
        let bench = try Bench()
        _ = try bench.connectAsCentral(intervalSteps: 36)
        let peer = DeviceAddress(value: 0xB20E_0000_0077, kind: .public)
        let command = LECreateConnection(
            scanInterval: 0x10,
            scanWindow: 0x10,
            filterPolicy: .peer,
            peer: PeerAddress(peer),
            ownAddressType: .public,
            minimumInterval: minimum,
            maximumInterval: maximum,
            maximumLatency: 0,
            supervisionTimeout: 300
        )
        try bench.succeed(.leCreateConnection(command))
        let box = try #require(bench.controller.initiator)
        #expect(box.parameters.interval.steps == chosen)
    }

    @Test("Hop increments, access addresses and CRC presets differ from connection to connection")
    func variety() throws {
        var hops = Set<UInt8>(), addresses = Set<UInt32>(), presets = Set<CRCInit>()
        for seed in 1...100 {
            let bench = try Bench(seed: UInt64(seed))
            try bench.succeed(Self.command())
            let (indication, _) = try bench.takeConnectIndication(to: Self.advertisement)
            hops.insert(indication.hopIncrement.channels)
            addresses.insert(indication.accessAddress.rawValue)
            presets.insert(indication.crcInit)
        }
        #expect(hops == Set(5...16))
        #expect(addresses.count == 100)
        #expect(presets.count == 100)
    }

    @Test("Only a peer that can makes it the second algorithm")
    func firstAlgorithm() throws {
        let bench = try Bench()
        try bench.succeed(Self.command())
        _ = try bench.takeConnectIndication(
            to: .advInd(advertiser: Bench.testerAddress, data: [], supportsChannelSelection2: false)
        )
        _ = try bench.nextEvent()
        guard case .leChannelSelectionAlgorithm(let selection) = try bench.nextEvent() else {
            Issue.record("no event")
            return
        }
        #expect(selection.algorithm == .one)
    }

    /// Whether an advertisement makes the controller connect.
    private func answers(_ bench: Bench, _ pdu: AdvertisingPDU) throws -> Bool {
        for _ in 0..<3 {
            _ = try #require(bench.advertise(pdu))
            bench.run(for: .milliseconds(1))
            if !bench.takeFrames().isEmpty { return true }
        }
        return false
    }

    @Test("Of advertisements the connectable ones of the right device count, directed ones if directed at us")
    func whichAdvertisements() throws {
        let tester = Bench.testerAddress
        let twin = DeviceAddress(value: tester.value, kind: .random)
        let answered: [AdvertisingPDU] = [
            Self.advertisement,
            .advDirectInd(advertiser: tester, target: Bench.address, supportsChannelSelection2: true),
        ]
        for pdu in answered {
            let bench = try Bench()
            try bench.succeed(Self.command())
            #expect(try answers(bench, pdu), "\(pdu)")
        }
        let ignored: [AdvertisingPDU] = [
            .advInd(advertiser: Self.other, data: [], supportsChannelSelection2: true),
            .advInd(advertiser: twin, data: [], supportsChannelSelection2: true),
            .advScanInd(advertiser: tester, data: []),
            .advNonconnInd(advertiser: tester, data: []),
            .advDirectInd(advertiser: tester, target: Self.other, supportsChannelSelection2: true),
            .scanRsp(advertiser: tester, data: []),
        ]
        let bench = try Bench()
        try bench.succeed(Self.command())
        for pdu in ignored { #expect(try !answers(bench, pdu), "\(pdu)") }
        #expect(bench.takePackets().isEmpty)
    }

    @Test("With the list as filter the first listed device is connected, whoever the command names")
    func list() throws {
        let bench = try Bench()
        for device in [Bench.testerAddress, DeviceAddress(value: 77, kind: .public)] {
            let add = LEAddDeviceToFilterAcceptList(device: PeerAddress(device))
            try bench.succeed(.leAddDeviceToFilterAcceptList(add))
        }
        try bench.succeed(Self.command(.list, peer: PeerAddress(Self.other)))
        #expect(try !answers(bench, .advInd(advertiser: Self.other, data: [], supportsChannelSelection2: true)))
        #expect(try answers(bench, Self.advertisement))
        guard case .leConnectionComplete(let complete) = try bench.nextEvent() else {
            Issue.record("no connection")
            return
        }
        #expect(complete.peer == PeerAddress(Bench.testerAddress))
    }

    @Test("Cancelled, the attempt ends with LE Connection Complete and unknown connection identifier")
    func cancel() throws {
        let bench = try Bench()
        #expect(try bench.status(of: .leCreateConnectionCancel) == .commandDisallowed)
        try bench.succeed(Self.command())
        bench.run(for: .milliseconds(100))
        try bench.succeed(.leCreateConnectionCancel)
        guard case .leConnectionComplete(let complete) = try bench.nextEvent() else {
            Issue.record("no LE Connection Complete")
            return
        }
        #expect(complete.status == .unknownConnectionIdentifier)
        #expect(complete.role == .central)
        #expect(bench.radio.isIdle)
        #expect(try bench.status(of: .leCreateConnectionCancel) == .commandDisallowed)
        // And it can begin again.
        try bench.succeed(Self.command())
        #expect(try answers(bench, Self.advertisement))
    }

    @Test("Cancelled between advertisement and request nothing goes out; once the request is out it is too late")
    func cancelLate() throws {
        let bench = try Bench()
        try bench.succeed(Self.command())
        _ = try #require(bench.advertise(Self.advertisement))
        try bench.succeed(.leCreateConnectionCancel)
        bench.run(for: .milliseconds(5))
        #expect(bench.takeFrames().isEmpty)
        _ = try bench.takeEvents()

        try bench.succeed(Self.command())
        let end = try #require(bench.advertise(Self.advertisement))
        bench.run(until: end + .microseconds(200))
        #expect(try bench.status(of: .leCreateConnectionCancel) == .commandDisallowed)
        guard case .leConnectionComplete(let complete) = try bench.nextEvent(within: .milliseconds(1)) else {
            Issue.record("no LE Connection Complete")
            return
        }
        #expect(complete.status == .success)
    }

    //  Controller       Lower Tester
    //      | CONNECT_IND      |
    //      |----------------->|   not received
    //      | data PDU         |
    //      |----------------->|   six times, no answer
    //   Disconnection Complete, connection failed to be established (0x3E)
    @Test(
        "LL/CON/CEN/BI-…: a peer that never answers makes 0x3E after six intervals",
        arguments: [6, 24, 100] as [UInt16]
    )
    func notEstablished(intervalSteps: UInt16) throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral(intervalSteps: intervalSteps)
        let event = try bench.nextEvent(within: .seconds(3))
        let reason = ControllerError.connectionFailedToBeEstablished
        #expect(event == .disconnectionComplete(DisconnectionComplete(connection: link.handle, reason: reason)))
        #expect(bench.now == link.requestEnd + link.interval.span * 6)
        #expect(5...6 ~= bench.takeFrames().count)
    }

    @Test("Whatever cannot be wanted is refused")
    func invalid() throws {
        let bench = try Bench()
        let anonymous = PeerAddress.anonymous, unresolved = PeerAddress(type: .unresolved, value: 5)
        let commands: [Command] = [
            Self.command(interval: 5...40), Self.command(interval: 24...3201),
            Self.command(latency: 500, timeout: 3200),
            Self.command(timeout: 9), Self.command(timeout: 3201), Self.command(latency: 100, timeout: 300),
            Self.command(scan: (3, 3)), Self.command(scan: (0x4001, 0x10)), Self.command(scan: (0x10, 0x11)),
            Self.command(scan: (0x10, 3)), Self.command(eventLength: (2, 1)),
            Self.command(peer: anonymous), Self.command(peer: unresolved),
            Self.command(own: .random), Self.command(own: .resolvableOrRandom),
        ]
        for command in commands {
            #expect(try bench.status(of: command) == .invalidCommandParameters, "\(command)")
        }
        let swapped = LECreateConnection(
            peer: PeerAddress(Bench.testerAddress),
            minimumInterval: 40,
            maximumInterval: 24,
            maximumLatency: 0,
            supervisionTimeout: 300
        )
        #expect(try bench.status(of: .leCreateConnection(swapped)) == .invalidCommandParameters)
        bench.run(for: .milliseconds(100))
        #expect(bench.radio.isIdle)
        // An identity stands for the same address while there is no resolving list.
        let identity = PeerAddress(identity: Bench.testerAddress)
        try bench.succeed(Self.command(peer: identity))
        #expect(try answers(bench, Self.advertisement))
    }

    @Test("One attempt at a time, and none to a device that is connected")
    func disallowed() throws {
        let bench = try Bench()
        try bench.succeed(Self.command())
        #expect(try bench.status(of: Self.command()) == .commandDisallowed)
        _ = try bench.takeConnectIndication(to: Self.advertisement)
        _ = try bench.takeEvents()
        #expect(try bench.status(of: Self.command()) == .connectionAlreadyExists)
        try bench.succeed(Self.command(peer: PeerAddress(Self.other)))
    }

    @Test("The request goes out under the address that the host has chosen")
    func ownAddress() throws {
        let bench = try Bench()
        let own = DeviceAddress(value: 0xC0DE_0000_0001, kind: .random)
        try bench.succeed(.leSetRandomAddress(LESetRandomAddress(address: own)))
        try bench.succeed(Self.command(own: .random))
        let (indication, _) = try bench.takeConnectIndication(to: Self.advertisement)
        #expect(indication.initiator == own)
    }

    @Test("Scanning goes on beside initiating: what is connected to is reported too")
    func scanningBeside() throws {
        let bench = try Bench()
        try bench.succeed(.leSetScanParameters(LESetScanParameters(interval: 0xA0, window: 0xA0)))
        try bench.succeed(.leSetScanEnable(LESetScanEnable(isEnabled: true)))
        try bench.succeed(Self.command(scan: (0x60, 0x30)))
        #expect(try !answers(bench, .advInd(advertiser: Self.other, data: [], supportsChannelSelection2: true)))
        #expect(try bench.takeEvents().count == 3)
        #expect(try answers(bench, Self.advertisement))
        let events = try bench.takeEvents()
        guard case .leAdvertisingReport? = events.first, case .leConnectionComplete? = events.dropFirst().first else {
            Issue.record("\(events)")
            return
        }
        // Connected, the controller scans on.
        bench.run(for: .milliseconds(200))
        #expect(
            bench.listenings.contains { $0.accessAddress == .advertising && $0.since > bench.now - .milliseconds(100) }
        )
    }

    @Test("LE Enhanced Connection Complete goes to hosts that enabled it, in place of the other")
    func enhanced() throws {
        let bench = try Bench()
        try bench.enableEvents(except: [])
        try bench.succeed(Self.command())
        _ = try bench.takeConnectIndication(to: Self.advertisement)
        let events = try bench.takeEvents()
        guard case .leEnhancedConnectionComplete(let complete)? = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(complete.status == .success && complete.peer == PeerAddress(Bench.testerAddress))
        #expect(events.count == 2)
    }
}
