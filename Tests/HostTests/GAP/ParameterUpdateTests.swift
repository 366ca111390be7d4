import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatHost
import BluethroatVirtualTime
import Testing

@Suite("Connection parameters")
struct ParameterUpdateTests {
    /// The key fob's wish: 100 to 1000 ms, no latency, 10 s.
    static let range = ConnectionParameterRange(
        minimumSteps: 80,
        maximumSteps: 800,
        latencyEvents: 0,
        timeoutSteps: 1000
    )!
    static let rangeBytes: [UInt8] = [0x50, 0x00, 0x20, 0x03, 0x00, 0x00, 0xE8, 0x03]

    static func update(_ connection: ConnectionID, _ bench: inout HostBench) throws(OrderError) {
        try bench.order { host, now, actions throws(OrderError) in
            try host.updateParameters(connection, range, at: now, into: &actions)
        }
    }

    static func complete(
        _ connection: ConnectionID,
        interval: UInt16 = 80,
        status: ControllerError = .success
    ) -> Event {
        .leConnectionUpdateComplete(
            LEConnectionUpdateComplete(
                status: status,
                connection: connection.handle,
                interval: interval,
                latency: 0,
                supervisionTimeout: 1000
            )
        )
    }

    static func results(_ events: [HostEvent]) -> [ParameterUpdateResult] {
        events.compactMap { if case .parameterUpdateCompleted(_, let result) = $0 { result } else { nil } }
    }

    static func answers(_ events: [HostEvent]) -> [Bool] {
        events.compactMap {
            if case .parameterRequestAnswered(_, range, let accepted) = $0 { accepted } else { nil }
        }
    }

    /// The L2CAP payloads that were sent on the signalling channel.
    static func signals(_ bench: HostBench) -> [[UInt8]] {
        bench.controller.data.filter { $0[7] == 5 && $0[8] == 0 }.map { Array($0.dropFirst(9)) }
    }

    // host                 controller
    //  | LE Connection Update --> |
    //  | <-------- Command Status |
    //  | <-------- LE Connection Update Complete
    @Test("A central has its controller change the parameters")
    func asCentral() throws {
        var bench = HostBench.up()
        let connection = bench.connected(role: .central)
        try Self.update(connection, &bench)
        let command = LEConnectionUpdate(
            connection: connection.handle,
            minimumInterval: 80,
            maximumInterval: 800,
            maximumLatency: 0,
            supervisionTimeout: 1000
        )
        #expect(bench.controller.commands == [.leConnectionUpdate(command)])
        #expect(throws: OrderError.busy) { try Self.update(connection, &bench) }
        #expect(bench.takeEvents().isEmpty)
        bench.report(Self.complete(connection))
        let events = bench.takeEvents()
        #expect(events.names == ["parametersChanged", "parameterUpdateCompleted"])
        #expect(Self.results(events) == [.accepted])
        #expect(bench.host.description(of: connection)?.parameters.interval.steps == 80)
        try Self.update(connection, &bench)
        bench.report(Self.complete(connection, status: .unsupportedRemoteFeature))
        #expect(Self.results(bench.takeEvents()) == [.failed(.unsupportedRemoteFeature)])
        bench.controller.refusals[.leConnectionUpdate] = .commandDisallowed
        try Self.update(connection, &bench)
        #expect(Self.results(bench.takeEvents()) == [.failed(.commandDisallowed)])
    }

    // peripheral                              central
    //  | L2CAP Parameter Update Request -------> |
    //  | <------ L2CAP Parameter Update Response |
    @Test(
        "A peripheral whose controller lacks the Link Layer's procedure asks the central over L2CAP",
        arguments: [(0 as UInt8, ParameterUpdateResult.accepted), (1, .rejected)]
    )
    func asPeripheral(code: UInt8, result: ParameterUpdateResult) throws {
        var bench = HostBench.up()
        let connection = bench.connected()
        try Self.update(connection, &bench)
        #expect(bench.controller.commands.isEmpty)
        #expect(Self.signals(bench) == [[0x12, 0x01, 0x08, 0x00] + Self.rangeBytes])
        #expect(throws: OrderError.busy) { try Self.update(connection, &bench) }
        bench.receiveFrame([0x13, 0x01, 0x02, 0x00, code, 0x00], channel: 5, on: connection)
        #expect(Self.results(bench.takeEvents()) == [result])
        bench.report(Self.complete(connection))
        #expect(bench.takeEvents().names == ["parametersChanged"])
        bench.report(Self.complete(connection))
        #expect(bench.takeEvents().isEmpty)
        try Self.update(connection, &bench)
    }

    static let features: LEFeatures = [.encryption, .connectionParametersRequest, .peripheralInitiatedFeaturesExchange]

    private static func features(_ connection: ConnectionID, _ features: LEFeatures?) -> Event {
        .leReadRemoteFeaturesComplete(
            LEReadRemoteFeaturesComplete(
                status: features == nil ? .unsupportedRemoteFeature : .success,
                connection: connection.handle,
                features: features ?? []
            )
        )
    }

    /// A peripheral whose controller has the Link Layer's procedure.
    private static func capable() -> (HostBench, ConnectionID) {
        var bench = HostBench.up(ScriptedController(leFeatures: features))
        let connection = bench.connected()
        return (bench, connection)
    }

    // peripheral                              controller
    //  | LE Read Remote Features --------------> |
    //  | <----- LE Read Remote Features Complete |   the central has the procedure
    //  | LE Connection Update -----------------> |   LL_CONNECTION_PARAM_REQ
    //  | <-------- LE Connection Update Complete |
    @Test("A peripheral asks with the Link Layer's procedure if the central's features have it, and reads them once")
    func asPeripheralOverLinkLayer() throws {
        var (bench, connection) = Self.capable()
        try Self.update(connection, &bench)
        #expect(bench.controller.opcodes == [.leReadRemoteFeatures])
        #expect(throws: OrderError.busy) { try Self.update(connection, &bench) }
        // The central changes something by itself meanwhile: that is not the answer.
        bench.report(Self.complete(connection, interval: 40))
        #expect(bench.takeEvents().names == ["parametersChanged"])
        bench.report(Self.features(connection, .connectionParametersRequest))
        #expect(bench.controller.opcodes == [.leReadRemoteFeatures, .leConnectionUpdate])
        #expect(throws: OrderError.busy) { try Self.update(connection, &bench) }
        bench.report(Self.complete(connection))
        let events = bench.takeEvents()
        #expect(events.names == ["parameterUpdateCompleted", "parametersChanged"])
        #expect(Self.results(events) == [.accepted] && Self.signals(bench).isEmpty)
        bench.controller.forget()
        try Self.update(connection, &bench)
        #expect(bench.controller.opcodes == [.leConnectionUpdate])
        bench.report(Self.complete(connection, status: .unacceptableConnectionParameters))
        #expect(Self.results(bench.takeEvents()) == [.rejected] && Self.signals(bench).isEmpty)
    }

    @Test("A peripheral asks over L2CAP if the central lacks the procedure, or does not say", arguments: [true, false])
    func centralLacksProcedure(answers: Bool) throws {
        var (bench, connection) = Self.capable()
        try Self.update(connection, &bench)
        bench.report(Self.features(connection, answers ? .encryption : nil))
        #expect(bench.controller.opcodes == [.leReadRemoteFeatures])
        #expect(Self.signals(bench) == [[0x12, 0x01, 0x08, 0x00] + Self.rangeBytes])
        #expect(throws: OrderError.busy) { try Self.update(connection, &bench) }
        bench.receiveFrame([0x13, 0x01, 0x02, 0x00, 0x00, 0x00], channel: 5, on: connection)
        #expect(Self.results(bench.takeEvents()) == [.accepted])
    }

    @Test("A controller that will not read features leaves L2CAP's request, too")
    func featuresRefused() throws {
        var (bench, connection) = Self.capable()
        bench.controller.refusals[.leReadRemoteFeatures] = .commandDisallowed
        try Self.update(connection, &bench)
        #expect(Self.signals(bench).count == 1)
    }

    @Test(
        "A central that does not know the procedure after all is asked over L2CAP",
        arguments: [ControllerError.unsupportedRemoteFeature, .unknownCommand],
        [false, true]
    )
    func unsupportedAfterAll(status: ControllerError, atOnce: Bool) throws {
        var (bench, connection) = Self.capable()
        if atOnce { bench.controller.refusals[.leConnectionUpdate] = status }
        try Self.update(connection, &bench)
        bench.report(Self.features(connection, .connectionParametersRequest))
        if !atOnce { bench.report(Self.complete(connection, status: status)) }
        #expect(Self.signals(bench) == [[0x12, 0x01, 0x08, 0x00] + Self.rangeBytes])
        #expect(bench.takeEvents().isEmpty)
        bench.receiveFrame([0x13, 0x01, 0x02, 0x00, 0x01, 0x00], channel: 5, on: connection)
        #expect(Self.results(bench.takeEvents()) == [.rejected])
    }

    @Test("A central that does not answer within 30 s is not waited for; one that does not know the request is told")
    func noAnswer() throws {
        var bench = HostBench.up()
        let connection = bench.connected()
        try Self.update(connection, &bench)
        bench.run(for: .milliseconds(29_999))
        #expect(bench.takeEvents().isEmpty)
        bench.run(for: .milliseconds(1))
        #expect(Self.results(bench.takeEvents()) == [.timeout])
        #expect(bench.host.nextDeadline == nil)
        try Self.update(connection, &bench)
        bench.receiveFrame([0x01, 0x02, 0x02, 0x00, 0x00, 0x00], channel: 5, on: connection)
        #expect(Self.results(bench.takeEvents()) == [.notUnderstood])
    }

    @Test("A central grants what is valid: the answer first, then the change")
    func granted() {
        var bench = HostBench.up()
        let connection = bench.connected(role: .central)
        bench.receiveFrame([0x12, 0x09, 0x08, 0x00] + Self.rangeBytes, channel: 5, on: connection)
        #expect(Self.signals(bench) == [[0x13, 0x09, 0x02, 0x00, 0x00, 0x00]])
        #expect(bench.controller.opcodes == [.leConnectionUpdate])
        #expect(Self.answers(bench.takeEvents()) == [true])
        // A second wish while the first is being granted.
        bench.receiveFrame([0x12, 0x0A, 0x08, 0x00] + Self.rangeBytes, channel: 5, on: connection)
        #expect(Self.signals(bench).last == [0x13, 0x0A, 0x02, 0x00, 0x01, 0x00])
        #expect(Self.answers(bench.takeEvents()) == [false])
        bench.report(Self.complete(connection))
        #expect(bench.takeEvents().names == ["parametersChanged"])
    }

    @Test(
        "What the specification forbids is rejected",
        arguments: [
            [0x05, 0x00, 0x20, 0x03, 0x00, 0x00, 0xE8, 0x03], [0x50, 0x00, 0x81, 0x0C, 0x00, 0x00, 0xE8, 0x03],
            [0x51, 0x00, 0x50, 0x00, 0x00, 0x00, 0xE8, 0x03], [0x50, 0x00, 0x20, 0x03, 0xF4, 0x01, 0xE8, 0x03],
            [0x50, 0x00, 0x20, 0x03, 0x00, 0x00, 0x09, 0x00], [0x50, 0x00, 0x20, 0x03, 0x04, 0x00, 0xE8, 0x03],
        ] as [[UInt8]]
    )
    func invalid(bytes: [UInt8]) {
        var bench = HostBench.up()
        let connection = bench.connected(role: .central)
        bench.receiveFrame([0x12, 0x09, 0x08, 0x00] + bytes, channel: 5, on: connection)
        #expect(Self.signals(bench) == [[0x13, 0x09, 0x02, 0x00, 0x01, 0x00]])
        #expect(bench.controller.commands.isEmpty)
    }

    @Test("The policy decides about valid wishes, over L2CAP and over the Link Layer")
    func policy() throws {
        let near = try #require(
            ConnectionParameterRange(minimumSteps: 24, maximumSteps: 80, latencyEvents: 0, timeoutSteps: 1000)
        )
        let far = try #require(
            ConnectionParameterRange(minimumSteps: 24, maximumSteps: 79, latencyEvents: 0, timeoutSteps: 1000)
        )
        let cases: [(ParameterRequestPolicy, Bool)] = [
            (.acceptValid, true), (.reject, false), (.acceptWithin(near), true), (.acceptWithin(far), false),
        ]
        for (policy, isGranted) in cases {
            var bench = HostBench.up { $0.parameterRequestPolicy = policy }
            let connection = bench.connected(role: .central)
            bench.receiveFrame([0x12, 0x09, 0x08, 0x00] + Self.rangeBytes, channel: 5, on: connection)
            #expect(Self.answers(bench.takeEvents()) == [isGranted])
            bench.controller.forget()
            bench.report(
                .leRemoteConnectionParameterRequest(
                    LERemoteConnectionParameterRequest(
                        connection: connection.handle,
                        minimumInterval: 80,
                        maximumInterval: 800,
                        maximumLatency: 0,
                        supervisionTimeout: 1000
                    )
                )
            )
            #expect(Self.answers(bench.takeEvents()) == [isGranted])
            #expect(
                bench.controller.opcodes == [
                    isGranted
                        ? .leRemoteConnectionParameterRequestReply : .leRemoteConnectionParameterRequestNegativeReply
                ]
            )
        }
    }

    @Test("Where intervals have a shortest one, a request is narrowed to it, and rejected if all of it is shorter")
    func shortest() throws {
        for (steps, minimum) in [(24, 80), (80, 80), (200, 200), (800, 800), (801, nil)] as [(UInt16, UInt16?)] {
            let shortest = try #require(ConnectionInterval(steps: steps))
            var bench = HostBench.up { $0.parameterRequestPolicy = .acceptFrom(shortest) }
            let connection = bench.connected(role: .central)
            bench.controller.forget()
            bench.report(
                .leRemoteConnectionParameterRequest(
                    LERemoteConnectionParameterRequest(
                        connection: connection.handle,
                        minimumInterval: 80,
                        maximumInterval: 800,
                        maximumLatency: 0,
                        supervisionTimeout: 1000
                    )
                )
            )
            #expect(Self.answers(bench.takeEvents()) == [minimum != nil])
            let command = try #require(bench.controller.commands.last)
            if let minimum {
                let reply = LERemoteConnectionParameterRequestReply(
                    connection: connection.handle,
                    minimumInterval: minimum,
                    maximumInterval: 800,
                    maximumLatency: 0,
                    supervisionTimeout: 1000
                )
                #expect(command == .leRemoteConnectionParameterRequestReply(reply))
            } else {
                #expect(bench.controller.opcodes == [.leRemoteConnectionParameterRequestNegativeReply])
            }
        }
    }

    @Test("A peripheral rejects a request that only a central may get")
    func wrongRole() {
        var bench = HostBench.up()
        let connection = bench.connected()
        bench.receiveFrame([0x12, 0x09, 0x08, 0x00] + Self.rangeBytes, channel: 5, on: connection)
        #expect(Self.signals(bench) == [[0x01, 0x09, 0x02, 0x00, 0x00, 0x00]])
    }
}
