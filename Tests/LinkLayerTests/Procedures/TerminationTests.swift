import BluethroatAirPackets
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

@Suite("Termination")
struct TerminationTests {
    private static let reasons: [ControllerError] = [
        .authenticationFailure, .remoteUserTerminatedConnection, .remoteDeviceTerminatedLowResources,
        .remoteDeviceTerminatedPowerOff, .unsupportedRemoteFeature, .pairingWithUnitKeyNotSupported,
        .unacceptableConnectionParameters,
    ]

    private func disconnect(_ link: LinkTester, _ reason: ControllerError = .remoteUserTerminatedConnection) -> Command
    {
        .disconnect(Disconnect(connection: link.handle, reason: reason))
    }

    private func ending(_ link: LinkTester, _ reason: ControllerError) -> [Event] {
        [.disconnectionComplete(DisconnectionComplete(connection: link.handle, reason: reason))]
    }

    private func links() throws -> [LinkTester] {
        [try Bench().connectAsPeripheral(), try Bench().connectAsCentral()]
    }

    //  Upper Tester    Controller            Lower Tester
    //       | Disconnect   | LL_TERMINATE_IND    |
    //       |------------->|-------------------->|
    //       |              |      acknowledgement|
    //       | Disconnection Complete (0x16)      |
    //       |<-------------|<--------------------|
    @Test("LL/CON/PER/BV-11-C, LL/CON/CEN/BV-08-C: the host ends a link, and hears of it once the peer knows")
    func byHost() throws {
        for reason in Self.reasons {
            for link in try links() {
                try link.idle(events: 2)
                try link.bench.succeed(disconnect(link, reason))
                #expect(try link.bench.status(of: disconnect(link)) == .commandDisallowed)
                #expect(try link.nextControl() == .terminateInd(reason))
                // A peripheral needs one more packet of the central's for its acknowledgement.
                if link.role == .central { try link.exchange() } else { #expect(!link.bench.packets.isEmpty) }
                #expect(try link.bench.takeEvents() == ending(link, .connectionTerminatedByLocalHost))
                // Silence, and the handle is dead.
                link.bench.run(for: .seconds(1))
                #expect(link.bench.takeFrames().isEmpty && link.bench.radio.isIdle)
                #expect(try link.bench.status(of: disconnect(link)) == .unknownConnectionIdentifier)
            }
        }
    }

    @Test("Reasons that are none for a host are refused")
    func invalidReasons() throws {
        let bench = try Bench()
        let link = try bench.connectAsCentral()
        for reason in UInt8.min...UInt8.max where !Self.reasons.contains(ControllerError(rawValue: reason)) {
            let command = disconnect(link, ControllerError(rawValue: reason))
            #expect(try bench.status(of: command) == .invalidCommandParameters)
        }
        try link.idle(events: 3)
    }

    //  Controller       Lower Tester
    //      | LL_TERMINATE_IND |
    //      |<-----------------|
    //      | acknowledgement  |
    //      |----------------->|
    //   Disconnection Complete with the peer's reason
    @Test("LL/CON/PER/BV-12-C, LL/CON/CEN/BV-09-C: the peer ends a link, whatever its reason")
    func byPeer() throws {
        for reason in [0x13, 0x15, 0x05, 0x3D, 0xFF] as [UInt8] {
            for link in try links() {
                let reason = ControllerError(rawValue: reason)
                try link.idle(events: 2)
                // Answers once it has been acknowledged.
                try link.send(.terminateInd(reason))
                #expect(try link.bench.takeEvents() == ending(link, reason))
                link.bench.run(for: .seconds(1))
                #expect(link.bench.takeFrames().isEmpty && link.bench.radio.isIdle)
            }
        }
    }

    @Test("An acknowledgement that never comes: it tries until the supervision timeout, and then it is over")
    func neverAcknowledged() throws {
        for link in try links() {
            try link.idle(events: 2)
            let begin = link.bench.now
            try link.bench.succeed(disconnect(link))
            var repetitions = 0
            while link.bench.packets.isEmpty, link.bench.now < begin + .seconds(3) {
                let heard = try link.exchange(.empty, .deaf)
                if heard?.payload == .control(.terminateInd(.remoteUserTerminatedConnection)) { repetitions += 1 }
            }
            #expect(repetitions > 60)
            #expect(try link.bench.takeEvents() == ending(link, .connectionTerminatedByLocalHost))
            let lasted = link.bench.now - begin
            #expect(lasted > .milliseconds(1_990) && lasted < .milliseconds(2_040))
        }
    }

    @Test("A peer that is gone: over after the supervision timeout, by the host's own wish")
    func peerIsGone() throws {
        for link in try links() {
            try link.idle(events: 2)
            try link.bench.succeed(disconnect(link))
            #expect(try link.bench.nextEvent(within: .seconds(3)) == ending(link, .connectionTerminatedByLocalHost)[0])
        }
    }

    @Test("Data that was acknowledged is reported before the end, none after it, and all buffers are free again")
    func buffers() throws {
        for role in [ConnectionRole.central, .peripheral] {
            let bench = try Bench()
            let link = try role == .central ? bench.connectAsCentral() : bench.connectAsPeripheral()
            try link.idle(events: 2)
            for byte in 0..<12 as Range<UInt8> { bench.send([2, 0, 0, 27, 0] + [UInt8](repeating: byte, count: 27)) }
            try link.exchange()
            try bench.succeed(disconnect(link))
            // Data that comes after the command goes nowhere, and is done with at once or with the link.
            for _ in 0..<20 where !bench.packets.contains(where: { $0[1] == 5 }) { try link.exchange() }
            let events = try bench.takeEvents()
            guard case .disconnectionComplete? = events.last else {
                Issue.record("\(events)")
                continue
            }
            bench.run(for: .seconds(1))
            #expect(bench.takePackets().isEmpty)
            // Twelve packets fit in again.
            let next = try role == .central ? bench.connectAsCentral() : bench.connectAsPeripheral()
            try next.idle(events: 2)
            for byte in 0..<12 as Range<UInt8> { bench.send([2, 0, 0, 1, 0, byte]) }
            #expect(bench.takePackets().isEmpty)
            bench.send([2, 0, 0, 1, 0, 12])
            #expect(try bench.takeEvents().count == 1)
        }
    }

    @Test("Both sides end it at once")
    func both() throws {
        for link in try links() {
            try link.idle(events: 2)
            try link.bench.succeed(disconnect(link))
            for _ in 0..<5 where link.bench.packets.isEmpty {
                try link.exchange(.control(.terminateInd(.remoteUserTerminatedConnection)))
            }
            let events = try link.bench.takeEvents()
            #expect(events.count == 1)
            link.bench.run(for: .seconds(3))
            #expect(link.bench.takePackets().isEmpty)
        }
    }

    @Test("Questions of the host that nobody will answer any more are answered before the end")
    func openQuestions() throws {
        let bench = try Bench()
        let link = try bench.connectAsPeripheral()
        try bench.succeed(.leReadRemoteFeatures(LEReadRemoteFeatures(connection: link.handle)))
        try bench.succeed(.readRemoteVersionInformation(ReadRemoteVersionInformation(connection: link.handle)))
        try bench.succeed(
            .leConnectionUpdate(
                LEConnectionUpdate(
                    connection: link.handle,
                    minimumInterval: 40,
                    maximumInterval: 40,
                    maximumLatency: 0,
                    supervisionTimeout: 400
                )
            )
        )
        try link.send(.terminateInd(.remoteUserTerminatedConnection))
        let statuses = try bench.takeEvents().map { event -> ControllerError in
            switch event {
            case .leReadRemoteFeaturesComplete(let complete): complete.status
            case .readRemoteVersionInformationComplete(let complete): complete.status
            case .leConnectionUpdateComplete(let complete): complete.status
            case .disconnectionComplete(let complete): complete.reason
            default: .success
            }
        }
        #expect(statuses == [ControllerError](repeating: .remoteUserTerminatedConnection, count: 4))
    }
}
