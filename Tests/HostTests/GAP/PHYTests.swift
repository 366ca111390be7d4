import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatHost
import BluethroatVirtualTime
import Testing

@Suite("PHYs of connections")
struct PHYTests {
    /// A controller with LE 2M, and a central connected by it.
    private static func bench(
        features: LEFeatures = [.le2MPHY, .peripheralInitiatedFeaturesExchange],
        role: ConnectionRole = .central,
        prepare: (inout ScriptedController) -> Void = { _ in },
        configure: (inout HostConfiguration) -> Void = { $0.asksForLE2M = true }
    ) -> (HostBench, ConnectionHandle) {
        var controller = ScriptedController()
        controller.leFeatures = features
        controller.supported = SupportedCommands(
            ScriptedController.usual + [.leReadPHY, .leSetDefaultPHY, .leSetPHY]
        )
        prepare(&controller)
        var bench = HostBench.up(controller, configure: configure)
        bench.connectionComplete(role: role)
        return (bench, ConnectionHandle(rawValue: 0x40)!)
    }

    private static func id(_ bench: HostBench) -> ConnectionID { bench.host.openConnections[0].id }

    private static func features(_ handle: ConnectionHandle, _ features: LEFeatures) -> Event {
        .leReadRemoteFeaturesComplete(LEReadRemoteFeaturesComplete(connection: handle, features: features))
    }

    private static func complete(_ handle: ConnectionHandle, _ status: ControllerError = .success) -> Event {
        .lePHYUpdateComplete(
            LEPHYUpdateComplete(status: status, connection: handle, transmit: .le2M, receive: .le2M)
        )
    }

    private static func both(_ handle: ConnectionHandle, _ phys: PHYSet) -> Command {
        .leSetPHY(LESetPHY(connection: handle, transmit: phys, receive: phys))
    }

    @Test("A host that wants LE 2M asks for the peer's features, then for LE 2M both ways, and tells when it has come")
    func asks() {
        var (bench, handle) = Self.bench()
        let first = bench.controller.opcodes
        #expect(first == [.leReadRemoteFeatures])
        bench.report(Self.features(handle, [.le2MPHY]))
        let last = bench.controller.commands.last
        #expect(last == Self.both(handle, .le2M))
        // Nobody asked for the features.
        #expect(bench.takeEvents().names == ["connected"])
        bench.report(Self.complete(handle))
        let events = bench.takeEvents()
        guard case .phys(_, ConnectionPHYs(sending: .le2M, receiving: .le2M)) = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(events.count == 1)
    }

    @Test("A peer without LE 2M, or one that does not tell, is never asked for it")
    func peerWithout() {
        for report in [
            Self.features(ConnectionHandle(rawValue: 0x40)!, [.encryption, .leCodedPHY]),
            .leReadRemoteFeaturesComplete(
                LEReadRemoteFeaturesComplete(
                    status: .unsupportedRemoteFeature,
                    connection: ConnectionHandle(rawValue: 0x40)!,
                    features: []
                )
            ),
        ] {
            var (bench, _) = Self.bench()
            bench.report(report)
            #expect(bench.controller.opcodes == [.leReadRemoteFeatures])
            #expect(bench.takeEvents().names == ["connected"])
        }
    }

    @Test("A host asks only where it wants to, and its controller can")
    func hostWithout() {
        let without = [
            Self.bench(configure: { _ in }).0,
            Self.bench(features: []).0,
            Self.bench(prepare: { $0.supported = SupportedCommands(ScriptedController.usual) }).0,
            // The central's features are nothing that this peripheral could ask for.
            Self.bench(features: [.le2MPHY], role: .peripheral).0,
        ]
        for bench in without { #expect(bench.controller.commands.isEmpty) }
        #expect(Self.bench(role: .peripheral).0.controller.opcodes == [.leReadRemoteFeatures])
    }

    @Test("Features that the application wants to know are asked for once, whoever was first")
    func sharedFeatures() throws {
        var (bench, handle) = Self.bench()
        let id = Self.id(bench)
        try bench.order { host, now, actions throws(OrderError) in
            try host.readRemoteFeatures(id, at: now, into: &actions)
        }
        bench.report(Self.features(handle, [.le2MPHY]))
        #expect(bench.controller.opcodes == [.leReadRemoteFeatures, .leSetPHY])
        #expect(bench.takeEvents().names == ["connected", "remoteFeatures"])

        (bench, handle) = Self.bench(configure: { _ in })
        try bench.order { host, now, actions throws(OrderError) in
            try host.readRemoteFeatures(id, at: now, into: &actions)
            try host.askForLE2M(id, at: now, into: &actions)
        }
        #expect(throws: OrderError.busy) {
            try bench.order { host, now, actions throws(OrderError) in
                try host.askForLE2M(id, at: now, into: &actions)
            }
        }
        bench.report(Self.features(handle, [.le2MPHY]))
        #expect(bench.controller.opcodes == [.leReadRemoteFeatures, .leSetPHY])
        #expect(bench.takeEvents().names == ["connected", "remoteFeatures"])
    }

    @Test("An order for PHYs says which directions do not matter, and is answered whatever comes of it")
    func orders() throws {
        var (bench, handle) = Self.bench(configure: { _ in })
        let id = Self.id(bench)
        _ = bench.takeEvents()
        func set(_ sending: PHYSet, _ receiving: PHYSet) throws {
            try bench.order { host, now, actions throws(OrderError) in
                try host.setPHYs(id, sending: sending, receiving: receiving, at: now, into: &actions)
            }
        }
        try set(.le2M, [])
        let command = bench.controller.commands.last
        #expect(
            command == .leSetPHY(LESetPHY(connection: handle, noPreference: .receive, transmit: .le2M, receive: []))
        )
        bench.report(Self.complete(handle))
        #expect(bench.takeEvents().names == ["phys"])
        try set([.le1M, .le2M], .leCoded)
        bench.report(Self.complete(handle, .unsupportedRemoteFeature))
        #expect(bench.takeEvents().names == ["connectionOrderFailed"])
        bench.controller.refusals[.leSetPHY] = .commandDisallowed
        try set(.le2M, .le2M)
        #expect(bench.takeEvents().names == ["connectionOrderFailed"])
        // The peer wanted something that came to nothing: nobody here minds.
        bench.report(Self.complete(handle, .unsupportedRemoteFeature))
        #expect(bench.takeEvents().isEmpty)
        #expect(throws: OrderError.parametersOutOfRange) { try set(PHYSet(rawValue: 8), []) }
    }

    @Test("Which PHYs a connection has is answered by the controller")
    func read() throws {
        var (bench, handle) = Self.bench(configure: { _ in })
        let id = Self.id(bench)
        bench.controller.answers[.leReadPHY] =
            LEReadPHYReturn(connection: handle, transmit: .le2M, receive: .le1M).bytes
        func read() throws {
            try bench.order { host, now, actions throws(OrderError) in
                try host.readPHYs(id, at: now, into: &actions)
            }
        }
        _ = bench.takeEvents()
        try read()
        guard case .phys(id, ConnectionPHYs(sending: .le2M, receiving: .le1M)) = bench.takeEvents().first else {
            Issue.record("no answer")
            return
        }
        bench.controller.answers[.leReadPHY] = [0, 0x40]
        try read()
        #expect(bench.takeEvents().names == ["malformedPacket", "connectionOrderFailed"])
        bench.controller.answers = [:]
        bench.controller.refusals[.leReadPHY] = .unknownConnectionIdentifier
        try read()
        #expect(bench.takeEvents().names == ["connectionOrderFailed"])
    }

    @Test("The PHYs of new connections are the controller's business, unless the host says otherwise")
    func defaults() {
        func commands(_ phys: PHYSet?) -> [Command] {
            var controller = ScriptedController()
            controller.supported = SupportedCommands(ScriptedController.usual + [.leSetDefaultPHY])
            var bench = HostBench(controller) { $0.defaultPHYs = phys }
            bench.powerOn()
            #expect(bench.host.identity != nil)
            return bench.controller.commands
        }
        let wanted = Command.leSetDefaultPHY(LESetDefaultPHY(transmit: .le1M, receive: .le1M))
        #expect(commands(.le1M).contains(wanted))
        #expect(!commands(nil).contains { $0.opcode == .leSetDefaultPHY })
    }

    @Test(
        "A controller that never answers about PHYs or features keeps nothing waiting for long, and is not asked again",
        arguments: [Opcode.leSetPHY, .leReadRemoteFeatures]
    )
    func silence(opcode: Opcode) throws {
        var (bench, handle) = Self.bench(prepare: { $0.silent = [opcode] })
        let id = Self.id(bench)
        bench.report(Self.features(handle, [.le2MPHY]))
        // A second connection wants the same while nothing is answered.
        bench.connectionComplete(handle: 0x41, peer: DeviceAddress(value: 0xC0FF_EE00_0002, kind: .random))
        bench.report(Self.features(ConnectionHandle(rawValue: 0x41)!, [.le2MPHY]))
        try bench.order { host, now, actions throws(OrderError) in try host.readRSSI(id, at: now, into: &actions) }
        _ = bench.takeEvents()
        bench.run(for: .milliseconds(500))
        #expect(bench.takeEvents().names == ["signalStrength"])
        #expect(bench.controller.opcodes.filter { $0 == opcode }.count == 1)
        #expect(throws: OrderError.unsupported) {
            try bench.order { host, now, actions throws(OrderError) in
                try host.askForLE2M(id, at: now, into: &actions)
            }
        }
        bench.run(for: .seconds(20))
        #expect(bench.host.identity != nil && bench.takeEvents().isEmpty)
        // A controller that was reset is given another chance.
        bench.controller.silent = []
        bench.powerOn()
        bench.controller.forget()
        bench.connectionComplete()
        #expect(bench.controller.opcodes == [.leReadRemoteFeatures])
    }

    @Test("An order for PHYs that the controller does not answer fails")
    func silentOrder() throws {
        var (bench, _) = Self.bench(prepare: { $0.silent = [.leSetPHY] }, configure: { _ in })
        let id = Self.id(bench)
        _ = bench.takeEvents()
        try bench.order { host, now, actions throws(OrderError) in
            try host.setPHYs(id, sending: .le2M, receiving: .le2M, at: now, into: &actions)
        }
        bench.run(for: .seconds(1))
        #expect(bench.takeEvents().names == ["connectionOrderFailed"])
    }
}
