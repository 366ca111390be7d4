import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatHost
import BluethroatVirtualTime
import Testing

@Suite("Advertising")
struct AdvertisingTests {
    static let interval = AdvertisingInterval(steps: 0x00A0)!
    static let peer = DeviceAddress(value: 0xC0FF_EE00_0001, kind: .random)
    static let data = AdvertisingData([.flags([.limitedDiscoverable, .brEDRNotSupported])])
    static let scanResponse = AdvertisingData([.completeLocalName("Keyfobdemo")])

    static func start(
        _ bench: inout HostBench,
        _ parameters: AdvertisingParameters = AdvertisingParameters(interval: interval),
        data: AdvertisingData = data
    ) throws(OrderError) {
        try bench.order { host, now, actions throws(OrderError) in
            try host.startAdvertising(parameters, data: data, scanResponse: scanResponse, at: now, into: &actions)
        }
    }

    static func stop(_ bench: inout HostBench) throws(OrderError) {
        try bench.order { host, now, actions throws(OrderError) in
            try host.stopAdvertising(at: now, into: &actions)
        }
    }

    static func ends(_ events: [HostEvent]) -> [AdvertisingEnd] {
        events.compactMap { if case .advertisingEnded(let end) = $0 { end } else { nil } }
    }

    @Test("Both data blocks are set before advertising is enabled")
    func order() throws {
        var bench = HostBench.up()
        try Self.start(&bench)
        #expect(bench.takeEvents().names == ["advertisingStarted"])
        let parameters = LESetAdvertisingParameters(
            minimumInterval: 0xA0,
            maximumInterval: 0xA0,
            type: .connectable,
            ownAddressType: .public
        )
        #expect(
            bench.controller.commands == [
                .leSetAdvertisingParameters(parameters),
                .leSetAdvertisingData(LESetAdvertisingData(data: Self.data.bytes)),
                .leSetScanResponseData(LESetScanResponseData(data: Self.scanResponse.bytes)),
                .leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)),
            ]
        )
    }

    @Test(
        "Each of the five types goes out as itself",
        arguments: [
            (AdvertisingParameters.Kind.connectable, AdvertisingType.connectable),
            (.directedHighDuty(to: peer), .directedHighDutyCycle), (.directedLowDuty(to: peer), .directedLowDutyCycle),
            (.scannable, .scannable), (.nonConnectable, .nonConnectable),
        ]
    )
    func kinds(kind: AdvertisingParameters.Kind, type: AdvertisingType) throws {
        var bench = HostBench.up()
        var parameters = AdvertisingParameters(kind, interval: Self.interval)
        parameters.ownAddress = .staticRandom
        parameters.filter = .listedInitiators
        parameters.channels = [.channel38]
        try Self.start(&bench, parameters)
        #expect(bench.takeEvents().names == ["advertisingStarted"])
        guard case .known(let sent as LESetAdvertisingParameters) = bench.controller.commands.first else {
            Issue.record("no parameters were set")
            return
        }
        #expect(sent.type == type)
        #expect(sent.ownAddressType == .random)
        #expect(sent.filterPolicy == .connectionsFromList)
        #expect(sent.channelMap == 0x02)
        let isDirected = type == .directedHighDutyCycle || type == .directedLowDutyCycle
        #expect(sent.peer == PeerAddress(isDirected ? Self.peer : DeviceAddress(value: 0, kind: .public)))
        #expect(bench.controller.opcodes.last == .leSetAdvertisingEnable)
    }

    @Test("Parameters and scan response that the controller keeps are not told it again, until it may have others")
    func whatTheControllerKeeps() throws {
        var bench = HostBench.up()
        let all: [Opcode] = [
            .leSetAdvertisingParameters, .leSetAdvertisingData, .leSetScanResponseData, .leSetAdvertisingEnable,
        ]
        /// What a beginning takes.
        func begin(_ parameters: AdvertisingParameters = .init(interval: Self.interval)) throws -> [Opcode] {
            bench.controller.forget()
            try Self.start(&bench, parameters)
            defer { try? Self.stop(&bench) }
            return bench.controller.opcodes
        }
        #expect(try begin() == all)
        #expect(try begin() == [.leSetAdvertisingData, .leSetAdvertisingEnable])
        var others = AdvertisingParameters(interval: Self.interval)
        others.channels = [.channel38]
        #expect(try begin(others) == [.leSetAdvertisingParameters, .leSetAdvertisingData, .leSetAdvertisingEnable])
        bench.controller.refusals[.leSetAdvertisingEnable] = .commandDisallowed
        _ = try begin(others)
        bench.controller.refusals = [:]
        #expect(try begin(others) == all)
        // Whatever an application tells the controller itself.
        try bench.order { host, now, actions throws(OrderError) in
            let parameters = [UInt8](repeating: 0, count: 15)
            _ = try host.sendCommand(opcode: 0x2006, parameters: parameters, at: now, into: &actions)
        }
        #expect(try begin(others) == all)
        bench.powerOn()
        #expect(try begin(others) == all)
    }

    @Test("Advertising ends by itself when its duration is over")
    func duration() throws {
        var bench = HostBench.up()
        try Self.start(&bench, AdvertisingParameters(interval: Self.interval, duration: .milliseconds(30_720)))
        bench.run(for: .milliseconds(30_719))
        #expect(bench.takeEvents().names == ["advertisingStarted"])
        bench.run(for: .milliseconds(1))
        #expect(Self.ends(bench.takeEvents()) == [.durationOver])
        #expect(bench.controller.commands.last == .leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: false)))
        #expect(bench.host.nextDeadline == nil)
    }

    @Test("A connection as peripheral ends advertising, and is told after that")
    func connection() throws {
        var bench = HostBench.up()
        try Self.start(&bench, AdvertisingParameters(interval: Self.interval, duration: .seconds(30)))
        _ = bench.takeEvents()
        bench.controller.forget()
        bench.connectionComplete()
        let events = bench.takeEvents()
        #expect(events.names == ["advertisingEnded", "connected"])
        bench.run(for: .seconds(60))
        #expect(bench.controller.commands.isEmpty)
        #expect(throws: OrderError.notActive) { try Self.stop(&bench) }
        try Self.start(&bench)
        #expect(bench.takeEvents().names == ["advertisingStarted"])
    }

    @Test("A connection as central leaves advertising as it is")
    func connectionAsCentral() throws {
        var bench = HostBench.up()
        try Self.start(&bench)
        bench.connectionComplete(role: .central)
        #expect(bench.takeEvents().names == ["advertisingStarted", "connected"])
    }

    @Test("Directed advertising at high duty ends when the controller gives up")
    func directedTimeout() throws {
        var bench = HostBench.up()
        try Self.start(&bench, AdvertisingParameters(.directedHighDuty(to: Self.peer), interval: Self.interval))
        _ = bench.takeEvents()
        bench.connectionComplete(status: .advertisingTimeout)
        #expect(Self.ends(bench.takeEvents()) == [.directedTimeout])
        bench.connectionComplete(status: .advertisingTimeout)
        #expect(bench.takeEvents().isEmpty)
    }

    @Test(
        "Whatever step the controller refuses, advertising has not begun and the reason is told",
        arguments: [
            Opcode.leSetAdvertisingParameters, .leSetAdvertisingData, .leSetScanResponseData, .leSetAdvertisingEnable,
        ]
    )
    func refusal(opcode: Opcode) throws {
        var bench = HostBench.up()
        bench.controller.refusals[opcode] = .invalidCommandParameters
        try Self.start(&bench)
        #expect(Self.ends(bench.takeEvents()) == [.refused(.invalidCommandParameters)])
        #expect(bench.controller.opcodes.last == opcode)
        bench.controller.refusals = [:]
        try Self.start(&bench)
        #expect(bench.takeEvents().names == ["advertisingStarted"])
    }

    @Test("What is stopped at once has begun and ended, or ended, exactly once", arguments: 0...4)
    func stopWhileStarting(answered: Int) throws {
        var bench = HostBench.up()
        bench.holdsPackets = true
        try Self.start(&bench)
        for _ in 0..<answered where !bench.held.isEmpty { bench.releaseOne() }
        try Self.stop(&bench)
        #expect(throws: OrderError.notActive) { try Self.stop(&bench) }
        bench.release()
        let events = bench.takeEvents()
        #expect(Self.ends(events) == [.stopped])
        let isOn = bench.controller.commands.reduce(false) {
            if case .known(let set as LESetAdvertisingEnable) = $1 { set.isEnabled } else { $0 }
        }
        #expect(!isOn)
        #expect(events.names.count { $0 == "advertisingStarted" } == (answered >= 3 ? 1 : 0))
    }

    @Test("What is replaced before it is on gives way to what replaces it, and no order is refused", arguments: 0...4)
    func replaceWhileStarting(answered: Int) throws {
        var bench = HostBench.up()
        bench.holdsPackets = true
        try Self.start(&bench)
        for _ in 0..<answered where !bench.held.isEmpty { bench.releaseOne() }
        try Self.stop(&bench)
        try Self.start(&bench, data: AdvertisingData([.completeLocalName("Third")]))
        #expect(throws: OrderError.busy) { try Self.start(&bench) }
        try Self.stop(&bench)
        #expect(throws: OrderError.notActive) { try Self.stop(&bench) }
        let last = AdvertisingData([.completeLocalName("Second")])
        try Self.start(&bench, data: last)
        bench.release()
        let events = bench.takeEvents()
        #expect(Self.ends(events) == [.stopped])
        #expect(events.names.last == "advertisingStarted")
        #expect(events.names.count { $0 == "advertisingStarted" } == (answered >= 3 ? 2 : 1))
        var set: [UInt8] = []
        var isOn = false
        for command in bench.controller.commands {
            switch command {
            case .known(let command as LESetAdvertisingData): set = command.data
            case .known(let command as LESetAdvertisingEnable): isOn = command.isEnabled
            default: break
            }
        }
        #expect(set == last.bytes)
        #expect(isOn)
    }

    @Test("An order to begin anew waits until the old advertising is off")
    func restart() throws {
        var bench = HostBench.up()
        try Self.start(&bench)
        #expect(throws: OrderError.busy) { try Self.start(&bench) }
        bench.holdsPackets = true
        try Self.stop(&bench)
        try Self.start(&bench, AdvertisingParameters(.nonConnectable, interval: Self.interval))
        #expect(throws: OrderError.busy) { try Self.start(&bench) }
        bench.release()
        #expect(bench.takeEvents().names == ["advertisingStarted", "advertisingEnded", "advertisingStarted"])
    }

    @Test("A central that connects while advertising is being stopped is the one end that is told")
    func connectionWhileStopping() throws {
        var bench = HostBench.up()
        try Self.start(&bench)
        _ = bench.takeEvents()
        bench.holdsPackets = true
        try Self.stop(&bench)
        bench.connectionComplete()
        bench.release()
        #expect(bench.takeEvents().names == ["advertisingEnded", "connected"])
        try Self.start(&bench)
        #expect(bench.takeEvents().names == ["advertisingStarted"])
    }

    @Test("More than 31 bytes, and addresses that the host has not, are refused at once")
    func refusedOrders() throws {
        var bench = HostBench.up(ScriptedController(publicAddress: DeviceAddress(value: 0, kind: .public)))
        let long = AdvertisingData([.completeLocalName(String(repeating: "x", count: 30))])
        #expect(throws: OrderError.dataTooLong) { try Self.start(&bench, data: long) }
        var parameters = AdvertisingParameters(interval: Self.interval)
        parameters.ownAddress = .public
        #expect(throws: OrderError.noSuchAddress) { try Self.start(&bench, parameters) }
        #expect(bench.controller.commands.isEmpty)
    }
}
