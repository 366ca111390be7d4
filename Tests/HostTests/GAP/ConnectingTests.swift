import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatHost
import BluethroatVirtualTime
import Testing

@Suite("Connecting")
struct ConnectingTests {
    static let peer = DeviceAddress(value: 0x78C5_E59B_760D, kind: .public)

    static func connect(_ bench: inout HostBench, timeout: TimeSpan? = nil) throws(OrderError) {
        try bench.order { host, now, actions throws(OrderError) in
            try host.connect(to: peer, ConnectParameters(timeout: timeout), at: now, into: &actions)
        }
    }

    static func cancel(_ bench: inout HostBench) throws(OrderError) {
        try bench.order { host, now, actions throws(OrderError) in try host.cancelConnect(at: now, into: &actions) }
    }

    static func failures(_ events: [HostEvent]) -> [ConnectFailure] {
        events.compactMap { if case .connectFailed(peer, let failure) = $0 { failure } else { nil } }
    }

    @Test("The controller is told whom to connect to and at what pace; the connection is told with what came of it")
    func connection() throws {
        var bench = HostBench.up()
        try Self.connect(&bench)
        let command = LECreateConnection(
            scanInterval: 48,
            scanWindow: 48,
            peer: PeerAddress(Self.peer),
            minimumInterval: 24,
            maximumInterval: 40,
            maximumLatency: 0,
            supervisionTimeout: 500
        )
        #expect(bench.controller.commands == [.leCreateConnection(command)])
        #expect(throws: OrderError.busy) { try Self.connect(&bench) }
        bench.connectionComplete(handle: 0x0003, role: .central, peer: Self.peer)
        guard case .connected(let description) = bench.takeEvents().first else {
            Issue.record("not connected")
            return
        }
        #expect(description.role == .central && description.peer == Self.peer)
        #expect(description.parameters == ConnectionParameters(intervalSteps: 24, latencyEvents: 0, timeoutSteps: 72))
        #expect(bench.host.openConnections == [description])
        try Self.connect(&bench)
    }

    @Test(
        "A refused attempt is told with the reason",
        arguments: [ControllerError.commandDisallowed, .connectionLimitExceeded]
    )
    func refusal(error: ControllerError) throws {
        var bench = HostBench.up()
        bench.controller.refusals[.leCreateConnection] = error
        try Self.connect(&bench)
        #expect(Self.failures(bench.takeEvents()) == [.refused(error)])
        bench.controller.refusals = [:]
        try Self.connect(&bench)
        bench.connectionComplete(role: .central, peer: Self.peer, status: .connectionFailedToBeEstablished)
        #expect(Self.failures(bench.takeEvents()) == [.refused(.connectionFailedToBeEstablished)])
    }

    @Test("A cancelled attempt ends when the controller says so")
    func cancellation() throws {
        var bench = HostBench.up()
        #expect(throws: OrderError.notActive) { try Self.cancel(&bench) }
        try Self.connect(&bench)
        try Self.cancel(&bench)
        #expect(bench.controller.opcodes == [.leCreateConnection, .leCreateConnectionCancel])
        #expect(bench.takeEvents().isEmpty)
        #expect(throws: OrderError.notActive) { try Self.cancel(&bench) }
        bench.connectionComplete(role: .central, peer: Self.peer, status: .unknownConnectionIdentifier)
        #expect(Self.failures(bench.takeEvents()) == [.cancelled])
        #expect(bench.host.nextDeadline == nil)
    }

    @Test("A controller that never says so is not waited for")
    func silentCancellation() throws {
        var bench = HostBench.up()
        try Self.connect(&bench)
        try Self.cancel(&bench)
        bench.run(for: .seconds(2))
        #expect(Self.failures(bench.takeEvents()) == [.cancelled])
        try Self.connect(&bench)
    }

    @Test("A connection made while it was being cancelled is a connection")
    func cancelledTooLate() throws {
        var bench = HostBench.up()
        try Self.connect(&bench)
        bench.controller.refusals[.leCreateConnectionCancel] = .commandDisallowed
        try Self.cancel(&bench)
        bench.connectionComplete(role: .central, peer: Self.peer)
        bench.run(for: .seconds(10))
        #expect(bench.takeEvents().names == ["connected"])
    }

    @Test("An attempt that lasts too long is cancelled and told as a timeout")
    func timeout() throws {
        var bench = HostBench.up()
        try Self.connect(&bench, timeout: .seconds(4))
        bench.run(for: .milliseconds(3_999))
        #expect(bench.controller.opcodes == [.leCreateConnection])
        bench.run(for: .milliseconds(1))
        #expect(bench.controller.opcodes == [.leCreateConnection, .leCreateConnectionCancel])
        bench.connectionComplete(role: .central, peer: Self.peer, status: .unknownConnectionIdentifier)
        #expect(Self.failures(bench.takeEvents()) == [.timeout])
    }

    @Test("A disconnection is told with its reason, and the connection is gone")
    func disconnection() throws {
        var bench = HostBench.up()
        let connection = bench.connected()
        try bench.order { host, now, actions throws(OrderError) in
            try host.disconnect(connection, reason: .remoteDeviceTerminatedPowerOff, at: now, into: &actions)
        }
        let command = Disconnect(connection: connection.handle, reason: .remoteDeviceTerminatedPowerOff)
        #expect(bench.controller.commands == [.disconnect(command)])
        #expect(throws: OrderError.busy) {
            try bench.order { host, now, actions throws(OrderError) in
                try host.disconnect(connection, at: now, into: &actions)
            }
        }
        bench.disconnectionComplete(connection, reason: .connectionTerminatedByLocalHost)
        guard case .disconnected(connection, reason: .connectionTerminatedByLocalHost) = bench.takeEvents().first else {
            Issue.record("not disconnected")
            return
        }
        #expect(throws: OrderError.noSuchConnection) {
            try bench.order { host, now, actions throws(OrderError) in
                try host.readRSSI(connection, at: now, into: &actions)
            }
        }
        bench.disconnectionComplete(connection, reason: .connectionTimeout)
        #expect(bench.takeEvents().isEmpty)
    }

    @Test("The next connection under the same handle is another one")
    func generations() {
        var bench = HostBench.up()
        let first = bench.connected()
        bench.disconnectionComplete(first, reason: .connectionTimeout)
        let second = bench.connected()
        #expect(first != second && first.handle == second.handle)
        #expect(bench.host.description(of: first) == nil)
        #expect(bench.host.description(of: second)?.id == second)
    }

    @Test("A refused disconnection is told, and may be tried again; one of an unknown connection ends it")
    func refusedDisconnection() throws {
        var bench = HostBench.up()
        let connection = bench.connected()
        func disconnect() throws(OrderError) {
            try bench.order { host, now, actions throws(OrderError) in
                try host.disconnect(connection, at: now, into: &actions)
            }
        }
        bench.controller.refusals[.disconnect] = .invalidCommandParameters
        try disconnect()
        #expect(bench.takeEvents().names == ["connectionOrderFailed"])
        bench.controller.refusals[.disconnect] = .unknownConnectionIdentifier
        try disconnect()
        #expect(bench.takeEvents().names == ["disconnected"])
    }

    @Test("What the controller or the peer is asked about a connection comes back as events")
    func questions() throws {
        var bench = HostBench.up()
        let connection = bench.connected()
        try bench.order { host, now, actions throws(OrderError) in
            try host.readRSSI(connection, at: now, into: &actions)
            try host.readRemoteVersion(connection, at: now, into: &actions)
            try host.readRemoteFeatures(connection, at: now, into: &actions)
            try host.setDataLength(connection, sentBytes: 1000, at: now, into: &actions)
        }
        #expect(
            bench.controller.commands.last
                == .leSetDataLength(
                    LESetDataLength(connection: connection.handle, transmitOctets: 251, transmitTime: 2120)
                )
        )
        let handle = connection.handle
        bench.report(
            .readRemoteVersionInformationComplete(
                ReadRemoteVersionInformationComplete(
                    connection: handle,
                    version: 9,
                    companyIdentifier: 13,
                    subversion: 2
                )
            )
        )
        bench.report(
            .leReadRemoteFeaturesComplete(
                LEReadRemoteFeaturesComplete(status: .unsupportedRemoteFeature, connection: handle, features: [])
            )
        )
        bench.report(.leReadRemoteFeaturesComplete(LEReadRemoteFeaturesComplete(connection: handle, features: [.ping])))
        bench.report(
            .leDataLengthChange(
                LEDataLengthChange(
                    connection: handle,
                    transmitOctets: 251,
                    transmitTime: 2120,
                    receiveOctets: 27,
                    receiveTime: 328
                )
            )
        )
        let texts = bench.takeEvents().map { "\($0)" }
        #expect(texts.count == 5)
        #expect(texts[0].contains("-50 dBm"))
        #expect(texts[1].contains("version: 9, manufacturer: 13, subversion: 2"))
        #expect(texts[2].contains("readRemoteFeatures") && texts[2].contains("unsupported remote feature"))
        #expect(texts[3].contains("featureBits: 16"))
        #expect(texts[4].contains("sentBytes: 251, sentMicroseconds: 2120, receivedBytes: 27"))
    }

    @Test("On each new connection the longest packets are asked for, if the controller can and the host wants them")
    func longPackets() {
        var controller = ScriptedController()
        var bench = HostBench.up(controller)
        bench.connectionComplete()
        #expect(bench.controller.commands.isEmpty)
        controller.leFeatures = [.dataPacketLengthExtension]
        bench = .up(controller)
        bench.connectionComplete()
        #expect(bench.controller.opcodes == [.leSetDataLength])
        bench = .up(controller) { $0.asksForLongPackets = false }
        bench.connectionComplete()
        #expect(bench.controller.commands.isEmpty)
    }

    @Test("Connections beyond the most that the host holds are ended as they come")
    func tooMany() {
        var bench = HostBench.up { $0.maximumConnections = 3 }
        for handle in 1...4 as ClosedRange<UInt16> { bench.connectionComplete(handle: handle) }
        #expect(bench.takeEvents().names == ["connected", "connected", "connected"])
        let command = Disconnect(
            connection: ConnectionHandle(rawValue: 4)!,
            reason: .remoteDeviceTerminatedLowResources
        )
        #expect(bench.controller.commands == [.disconnect(command)])
        bench.connectionComplete(handle: 1)
        #expect(bench.takeEvents().isEmpty)
    }

    @Test("An attempt that brings one connection too many has failed, and may be made again", arguments: [false, true])
    func oneTooMany(untilAnswered: Bool) throws {
        var bench = HostBench.up { $0.maximumConnections = 1 }
        let first = bench.connected(handle: 1)
        for _ in 0..<2 {
            try bench.order { host, now, actions throws(OrderError) in
                let parameters = ConnectParameters(untilAnswered: untilAnswered)
                try host.connect(to: Self.peer, parameters, at: now, into: &actions)
            }
            bench.connectionComplete(handle: 2, role: .central, peer: Self.peer)
            #expect(Self.failures(bench.takeEvents()) == [.refused(.connectionLimitExceeded)])
        }
        bench.disconnectionComplete(first, reason: .remoteUserTerminatedConnection)
        #expect(bench.takeEvents().names == ["disconnected"])
    }

    @Test("A peer that wants to encrypt is told that there is no key")
    func encryption() {
        var bench = HostBench.up()
        let connection = bench.connected()
        let request = LELongTermKeyRequest(connection: connection.handle, random: 1, encryptedDiversifier: 2)
        bench.report(.leLongTermKeyRequest(request))
        #expect(bench.controller.opcodes == [.leLongTermKeyRequestNegativeReply])
    }

    @Test(
        "Parameters outside the specification's range do not harm",
        arguments: [(0, 0, 0), (0xFFFF, 0xFFFF, 0xFFFF), (6, 499, 10)]
    )
    func oddParameters(interval: UInt16, latency: UInt16, timeout: UInt16) {
        var bench = HostBench.up()
        let complete = LEConnectionComplete(
            connection: ConnectionHandle(rawValue: 1)!,
            role: .central,
            peer: PeerAddress(Self.peer),
            interval: interval,
            latency: latency,
            supervisionTimeout: timeout
        )
        bench.report(.leConnectionComplete(complete))
        #expect(bench.takeEvents().names == ["connected"])
    }
}
