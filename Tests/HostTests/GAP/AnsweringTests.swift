import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatHost
import BluethroatVirtualTime
import Testing

/// Core 6.0, Vol 6, Part B, 4.5: a connection is created with the request, and established with the peer's first packet;
/// without one within six intervals it is lost.
@Suite("Connections that count when the peer has answered")
struct AnsweringTests {
    private static let peer = ConnectingTests.peer
    private static let handle = ConnectionHandle(rawValue: 0x0003)!

    private static func connect(
        _ bench: inout HostBench,
        timeout: TimeSpan? = nil
    ) throws(OrderError) {
        try bench.order { host, now, actions throws(OrderError) in
            let parameters = ConnectParameters(timeout: timeout, untilAnswered: true)
            try host.connect(to: peer, parameters, at: now, into: &actions)
        }
    }

    /// The controller has sent its request, and the host has asked what there is to ask.
    private static func created(
        _ controller: ScriptedController = ScriptedController(),
        timeout: TimeSpan? = nil,
        configure: (inout HostConfiguration) -> Void = { _ in }
    ) throws -> HostBench {
        var bench = HostBench.up(controller, configure: configure)
        try connect(&bench, timeout: timeout)
        bench.connectionComplete(handle: handle.rawValue, role: .central, peer: peer)
        return bench
    }

    private static func lost(_ bench: inout HostBench, _ reason: ControllerError = .connectionFailedToBeEstablished) {
        bench.report(.disconnectionComplete(DisconnectionComplete(connection: handle, reason: reason)))
    }

    private static func features(_ status: ControllerError = .success) -> Event {
        .leReadRemoteFeaturesComplete(
            LEReadRemoteFeaturesComplete(status: status, connection: handle, features: [.le2MPHY])
        )
    }

    @Test("Nobody is told before the peer has said what it can do; what the host wants of a new connection waits, too")
    func answered() throws {
        var bench = try Self.created { $0.asksForLongPackets = true }
        #expect(bench.takeEvents().isEmpty && bench.host.openConnections.isEmpty)
        #expect(bench.controller.opcodes == [.leCreateConnection, .leReadRemoteFeatures])
        #expect(throws: OrderError.busy) { try ConnectingTests.connect(&bench) }
        bench.report(Self.features())
        #expect(bench.takeEvents().names == ["connected"] && bench.host.openConnections.count == 1)
        // A connection that is told may end like any other.
        Self.lost(&bench, .connectionTimeout)
        #expect(bench.takeEvents().names == ["disconnected"])
        bench.run(for: .seconds(60))
        #expect(bench.takeEvents().isEmpty && bench.host.nextDeadline == nil)
    }

    @Test("Whatever else comes from the peer will do: an unknown request, data, other lengths, its good-bye")
    func anythingElse() throws {
        let length = LEDataLengthChange(
            connection: Self.handle,
            transmitOctets: 251,
            transmitTime: 2120,
            receiveOctets: 251,
            receiveTime: 2120
        )
        for event in [Self.features(.unsupportedRemoteFeature), .leDataLengthChange(length)] {
            var bench = try Self.created()
            bench.report(event)
            #expect(bench.takeEvents().names.first == "connected", "\(event)")
        }
        var hangsUp = try Self.created()
        Self.lost(&hangsUp, .remoteUserTerminatedConnection)
        #expect(hangsUp.takeEvents().names == ["connected", "disconnected"])
        var talks = try Self.created()
        // A request for its MTU, in one packet. Core 6.0, Vol 3, Part F, 3.4.2.1.
        talks.receive([0x02, 0x03, 0x20, 7, 0, 3, 0, 4, 0, 0x02, 247, 0])
        #expect(talks.takeEvents().names.first == "connected" && talks.controller.data.count == 1)
    }

    @Test("A peer that did not hear the call is called again with what is left of the time; nobody is told")
    func calledAgain() throws {
        var bench = try Self.created(timeout: .seconds(4))
        bench.run(for: .seconds(1))
        Self.lost(&bench)
        #expect(bench.takeEvents().isEmpty)
        #expect(bench.controller.opcodes == [.leCreateConnection, .leReadRemoteFeatures, .leCreateConnection])
        #expect(bench.controller.commands.first == bench.controller.commands.last)
        // A late word of the lost connection says nothing about the next.
        bench.report(Self.features(.connectionFailedToBeEstablished))
        bench.connectionComplete(role: .central, peer: Self.peer, status: .connectionFailedToBeEstablished)
        #expect(bench.controller.opcodes.last == .leCreateConnection && bench.controller.commands.count == 4)
        bench.run(for: .milliseconds(2_999))
        #expect(bench.controller.commands.count == 4)
        bench.run(for: .milliseconds(1))
        #expect(bench.controller.opcodes.last == .leCreateConnectionCancel)
        bench.connectionComplete(role: .central, peer: Self.peer, status: .unknownConnectionIdentifier)
        #expect(ConnectingTests.failures(bench.takeEvents()) == [.timeout])
        try Self.connect(&bench)
    }

    @Test("If the time is over when the peer is known not to have heard, that is why there is no connection")
    func inVain() throws {
        var bench = try Self.created(timeout: .milliseconds(100))
        bench.run(for: .milliseconds(150))
        #expect(bench.takeEvents().isEmpty && bench.controller.opcodes.last == .leReadRemoteFeatures)
        Self.lost(&bench)
        #expect(ConnectingTests.failures(bench.takeEvents()) == [.refused(.connectionFailedToBeEstablished)])
        try Self.connect(&bench)
    }

    @Test("Cancelled before the peer has answered, it ends with the connection or with none, and is not tried again")
    func cancelled() throws {
        var bench = try Self.created()
        try ConnectingTests.cancel(&bench)
        #expect(throws: OrderError.notActive) { try ConnectingTests.cancel(&bench) }
        #expect(bench.takeEvents().isEmpty)
        Self.lost(&bench)
        #expect(ConnectingTests.failures(bench.takeEvents()) == [.cancelled])
        #expect(bench.controller.opcodes == [.leCreateConnection, .leReadRemoteFeatures])
        var other = try Self.created()
        try ConnectingTests.cancel(&other)
        other.report(Self.features())
        #expect(other.takeEvents().names == ["connected"])
    }

    @Test(
        "A controller that cannot ask has the connection told at once; one that knows of none any more has not",
        arguments: [(ControllerError.unknownCommand, ["connected"]), (.unknownConnectionIdentifier, [])]
    )
    func cannotAsk(status: ControllerError, told: [String]) throws {
        var controller = ScriptedController()
        controller.refusals[.leReadRemoteFeatures] = status
        var bench = try Self.created(controller)
        #expect(bench.takeEvents().names == told)
    }

    @Test("A controller that does not have the command has the connection told at once")
    func doesNotHave() throws {
        var controller = ScriptedController()
        controller.supported = SupportedCommands(ScriptedController.usual.filter { $0 != .leReadRemoteFeatures })
        var bench = try Self.created(controller)
        #expect(bench.takeEvents().names == ["connected"] && bench.controller.opcodes == [.leCreateConnection])
    }

    @Test("Six intervals and two seconds without a word against it, and the connection counts")
    func undisputed() throws {
        var bench = try Self.created()
        // Intervals of 30 ms.
        bench.run(for: .milliseconds(2_179))
        #expect(bench.takeEvents().isEmpty)
        bench.run(for: .milliseconds(1))
        #expect(bench.takeEvents().names == ["connected"])
    }

    @Test("Switched off, or without a controller, the attempt ends like any other, and nobody hears of the connection")
    func ended() throws {
        var off = try Self.created()
        off.order { host, now, actions in host.powerOff(at: now, into: &actions) }
        #expect(off.takeEvents().names == ["connectFailed"])
        var gone = try Self.created()
        gone.order { host, now, actions in host.loseController(at: now, into: &actions) }
        #expect(gone.takeEvents().names == ["connectFailed", "controllerFailed"])
    }

    @Test("The peer is asked what it can do once, for its answer and for LE 2M")
    func askedOnce() throws {
        var controller = ScriptedController()
        controller.supported = SupportedCommands(ScriptedController.usual + [.leSetPHY])
        controller.leFeatures = [.encryption, .le2MPHY]
        var bench = try Self.created(controller) { $0.asksForLE2M = true }
        bench.report(Self.features())
        #expect(bench.controller.opcodes == [.leCreateConnection, .leReadRemoteFeatures, .leSetPHY])
        #expect(bench.takeEvents().names == ["connected"])
        // And an application that asks later for LE 2M has it asked for with what is known.
        var later = try Self.created(controller) { $0.asksForLE2M = false }
        later.report(Self.features())
        guard case .connected(let description) = later.takeEvents().first else {
            Issue.record("not connected")
            return
        }
        try later.order { host, now, actions throws(OrderError) in
            try host.askForLE2M(description.id, at: now, into: &actions)
        }
        #expect(later.controller.opcodes == [.leCreateConnection, .leReadRemoteFeatures, .leSetPHY])
    }
}
