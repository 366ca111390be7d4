import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatHost
import BluethroatVirtualTime
import Testing

@Suite("Bring-up")
struct StartupTests {
    /// The commands that every LE controller answers, mask or no mask.
    static let mandatory: [Opcode] = [
        .reset, .readLocalVersionInformation, .readLocalSupportedCommands, .readLocalSupportedFeatures, .readBDADDR,
        .leReadLocalSupportedFeatures, .leReadBufferSize, .setEventMask, .leSetEventMask,
    ]

    static func identity(_ events: [HostEvent]) -> HostIdentity? {
        for case .poweredOn(let identity) in events { return identity }
        return nil
    }

    @Test("A usual controller is asked everything once, in order, and the host is up")
    func usual() throws {
        var bench = HostBench()
        bench.powerOn()
        let identity = try #require(Self.identity(bench.takeEvents()))
        #expect(identity.address == bench.controller.publicAddress)
        #expect(identity.publicAddress == identity.address)
        #expect(identity.staticAddress?.randomSubtype == .staticDevice)
        #expect(identity.version.hciVersion == 9)
        #expect(identity.aclPacketLength == 27 && identity.aclPacketCount == 4)
        #expect(bench.controller.opcodes == Self.mandatory + [.leReadFilterAcceptListSize, .leSetRandomAddress])
        #expect(bench.host.identity == identity)
        #expect(bench.host.nextDeadline == nil)
    }

    @Test("Only the events that are used are let through, and only those of features that the controller has")
    func masks() throws {
        func masks(_ features: LEFeatures) -> (EventMask?, LEEventMask?) {
            var bench = HostBench(ScriptedController(leFeatures: features))
            bench.powerOn()
            var events: EventMask?
            var leEvents: LEEventMask?
            for command in bench.controller.commands {
                if case .known(let set as SetEventMask) = command { events = set.mask }
                if case .known(let set as LESetEventMask) = command { leEvents = set.mask }
            }
            return (events, leEvents)
        }
        let plain = masks([])
        #expect(
            plain.0 == [
                .disconnectionComplete, .encryptionChange, .readRemoteVersionInformationComplete, .hardwareError,
                .dataBufferOverflow, .encryptionKeyRefreshComplete, .leMeta,
            ]
        )
        #expect(plain.1?.rawValue == 0x1F)
        #expect(masks([.dataPacketLengthExtension, .connectionParametersRequest]).1?.rawValue == 0x7F)
    }

    @Test("A controller that names nothing, or will not tell, is asked the mandatory things only")
    func emptyMask() throws {
        for supported in [SupportedCommands(), nil] {
            var bench = HostBench(ScriptedController(supported: supported))
            bench.powerOn()
            #expect(Self.identity(bench.takeEvents()) != nil)
            #expect(Array(bench.controller.opcodes.prefix(Self.mandatory.count)) == Self.mandatory)
        }
    }

    @Test("A controller that names little gets nothing it does not name, and orders that need more are refused")
    func shortMask() throws {
        var bench = HostBench(
            ScriptedController(supported: SupportedCommands([.reset, .leSetScanParameters, .leSetScanEnable]))
        )
        bench.powerOn()
        #expect(Self.identity(bench.takeEvents())?.staticAddress == nil)
        #expect(bench.controller.opcodes == Self.mandatory)
        bench.controller.forget()
        #expect(throws: OrderError.unsupported) {
            try bench.order { host, now, actions throws(OrderError) in
                let parameters = AdvertisingParameters(interval: AdvertisingInterval(steps: 160)!)
                try host.startAdvertising(parameters, at: now, into: &actions)
            }
        }
        #expect(bench.controller.commands.isEmpty)
    }

    @Test("A host that is told so goes by its static address, although the controller has a public one")
    func preferredStaticAddress() throws {
        let chosen = DeviceAddress(value: 0xC0FF_EE12_3456, kind: .random)
        var bench = HostBench(ScriptedController()) {
            $0.staticAddress = chosen
            $0.prefersStaticAddress = true
        }
        bench.powerOn()
        let identity = try #require(Self.identity(bench.takeEvents()))
        #expect(identity.address == chosen)
        #expect(identity.publicAddress != nil)
    }

    @Test("Without a public address the host goes by a static random one, the same for the same seed")
    func staticAddress() throws {
        let zero = DeviceAddress(value: 0, kind: .public)
        func address(seed: UInt64, device: UInt64) throws -> DeviceAddress {
            var bench = HostBench(ScriptedController(publicAddress: zero)) { configuration in
                configuration = HostConfiguration(seed: seed, device: device)
            }
            bench.powerOn()
            let identity = try #require(Self.identity(bench.takeEvents()))
            #expect(identity.publicAddress == nil)
            #expect(identity.address.randomSubtype == .staticDevice)
            #expect(
                bench.controller.commands.last == .leSetRandomAddress(LESetRandomAddress(address: identity.address))
            )
            return identity.address
        }
        #expect(try address(seed: 1, device: 2) == address(seed: 1, device: 2))
        #expect(try address(seed: 1, device: 2) != address(seed: 1, device: 3))
        let chosen = try #require(DeviceAddress("C0:01:02:03:04:05", kind: .random))
        var bench = HostBench(ScriptedController(publicAddress: zero)) { $0.staticAddress = chosen }
        bench.powerOn()
        #expect(Self.identity(bench.takeEvents())?.address == chosen)
    }

    @Test("A controller with both radios is told that this host uses the LE one, if it wants to know")
    func dualMode() {
        var supported = SupportedCommands(ScriptedController.usual)
        supported[octet: 24, bit: 6] = true
        let enable = Command.writeLEHostSupport(WriteLEHostSupport(isSupported: true))
        let cases: [(LMPFeatures, SupportedCommands, Bool)] = [
            ([.leSupported], supported, true), ([.leSupported, .brEDRNotSupported], supported, false),
            ([.leSupported], SupportedCommands(ScriptedController.usual), false),
        ]
        for (features, supported, isTold) in cases {
            var bench = HostBench(ScriptedController(supported: supported, lmpFeatures: features))
            bench.powerOn()
            #expect(Self.identity(bench.takeEvents()) != nil)
            #expect(bench.controller.commands.contains(enable) == isTold)
        }
    }

    @Test("No address at all is a failure that says so")
    func noAddress() {
        var controller = ScriptedController(publicAddress: DeviceAddress(value: 0, kind: .public))
        controller.refusals[.leSetRandomAddress] = .unknownCommand
        var bench = HostBench(controller)
        bench.powerOn()
        #expect(bench.takeEvents().startFailure == .noAddress)
    }

    @Test("Buffers are shared with the other radio where the LE ones are none")
    func sharedBuffers() throws {
        var bench = HostBench(
            ScriptedController(lePackets: LEReadBufferSizeReturn(aclDataLength: 0, aclPacketCount: 0))
        )
        bench.powerOn()
        let identity = try #require(Self.identity(bench.takeEvents()))
        #expect(identity.aclPacketLength == 1021 && identity.aclPacketCount == 8)
        #expect(bench.controller.opcodes.contains(.readBufferSize))
    }

    @Test("A controller without any buffers, or without LE, is a failure that says so")
    func unusable() {
        var bench = HostBench(
            ScriptedController(
                lePackets: LEReadBufferSizeReturn(aclDataLength: 0, aclPacketCount: 0),
                packets: ReadBufferSizeReturn(aclDataLength: 0, aclPacketCount: 0)
            )
        )
        bench.powerOn()
        #expect(bench.takeEvents().startFailure == .noDataBuffers)
        // Too short for the headers of a channel's frame, and for what every Link Layer takes.
        for length in [UInt16(1), 5, 26] {
            bench = HostBench(
                ScriptedController(lePackets: LEReadBufferSizeReturn(aclDataLength: length, aclPacketCount: 8))
            )
            bench.powerOn()
            #expect(bench.takeEvents().startFailure == .noDataBuffers, "\(length)")
        }
        bench = HostBench(ScriptedController(lmpFeatures: [.extendedFeatures]))
        bench.powerOn()
        #expect(bench.takeEvents().startFailure == .lowEnergyMissing)
    }

    @Test(
        "One refusal does not keep the host down, except of the reset",
        arguments: mandatory + [.leReadFilterAcceptListSize]
    )
    func oneRefusal(opcode: Opcode) {
        var controller = ScriptedController()
        controller.refusals[opcode] = .unknownCommand
        var bench = HostBench(controller)
        bench.powerOn()
        let events = bench.takeEvents()
        if opcode == .reset {
            #expect(events.startFailure == .commandRefused(opcode: 0x0C03, .unknownCommand))
        } else {
            #expect(Self.identity(events) != nil)
        }
    }

    @Test("Answers that are cut short are told of at most, and never believed", arguments: mandatory)
    func shortAnswers(opcode: Opcode) {
        for answer in [[], [0], [0, 1]] as [[UInt8]] {
            var controller = ScriptedController()
            controller.answers[opcode] = answer
            var bench = HostBench(controller)
            bench.powerOn()
            let events = bench.takeEvents()
            #expect(events.contains { if case .malformedPacket = $0 { true } else { false } } == answer.isEmpty)
            #expect(Self.identity(events) != nil || events.startFailure != nil)
        }
    }

    @Test("A command that is not answered in time is a failure that names it", arguments: mandatory)
    func timeout(opcode: Opcode) {
        var controller = ScriptedController()
        controller.silent = [opcode]
        var bench = HostBench(controller)
        bench.powerOn()
        #expect(bench.host.nextDeadline == .zero + .seconds(3))
        bench.run(for: .milliseconds(2_999))
        #expect(bench.takeEvents().isEmpty)
        bench.run(for: .milliseconds(1))
        #expect(bench.takeEvents().startFailure == .commandTimeout(opcode: opcode.rawValue))
        #expect(bench.host.nextDeadline == nil)
        bench.controller.silent = []
        bench.powerOn()
        #expect(Self.identity(bench.takeEvents()) != nil)
    }

    @Test("No command goes out while the controller takes none; a command complete for no command lets it go on")
    func credits() {
        var controller = ScriptedController()
        controller.credits = 0
        var bench = HostBench(controller)
        bench.powerOn()
        for count in 1..<11 {
            #expect(bench.controller.commands.count == count)
            bench.report(
                .commandComplete(CommandComplete(commandPacketCredits: 1, opcode: .none, returnParameters: []))
            )
        }
        #expect(Self.identity(bench.takeEvents()) != nil)
    }

    @Test("A controller that never takes another command is a failure")
    func starvation() {
        var controller = ScriptedController()
        controller.credits = 0
        var bench = HostBench(controller)
        bench.powerOn()
        bench.run(for: .seconds(3))
        #expect(bench.takeEvents().startFailure == .commandTimeout(opcode: Opcode.readLocalVersionInformation.rawValue))
    }

    @Test("A question that a controller names and never answers is given up alone; two in a row are a failure")
    func unansweredQuestion() throws {
        var bench = HostBench.up()
        let connection = bench.connected()
        func ask(_ bench: inout HostBench) throws(OrderError) {
            try bench.order { host, now, actions throws(OrderError) in
                try host.readRemoteVersion(connection, at: now, into: &actions)
                try host.readRSSI(connection, at: now, into: &actions)
            }
        }
        bench.controller.silent = [.readRemoteVersionInformation]
        for _ in 0..<2 {
            try ask(&bench)
            bench.run(for: .seconds(3))
            #expect(bench.takeEvents().names == ["connectionOrderFailed", "signalStrength"])
        }
        bench.controller.silent = [.readRemoteVersionInformation, .readRSSI]
        try ask(&bench)
        bench.run(for: .seconds(6))
        #expect(bench.takeEvents().names == ["connectionOrderFailed", "disconnected", "controllerFailed"])
    }

    @Test("A hardware error restarts the controller, after everything under way has ended")
    func hardwareError() throws {
        var bench = HostBench.up()
        let connection = bench.connected()
        try bench.order { host, now, actions throws(OrderError) in try host.startScanning(at: now, into: &actions) }
        _ = bench.takeEvents()
        bench.report(.hardwareError(HardwareError(code: 0x42)))
        let events = bench.takeEvents()
        let names = events.map(\.name)
        #expect(names == ["scanningEnded", "disconnected", "controllerFailed", "poweredOn"])
        guard case .disconnected(connection, reason: .hardwareFailure) = events[1] else {
            Issue.record("\(events[1])")
            return
        }
        #expect(bench.host.description(of: connection) == nil)
    }

    @Test("Switching off ends everything, resets the controller and stays silent")
    func powerOff() throws {
        var bench = HostBench.up()
        _ = bench.connected()
        try bench.order { host, now, actions throws(OrderError) in try host.startScanning(at: now, into: &actions) }
        _ = bench.takeEvents()
        bench.controller.forget()
        bench.order { host, now, actions in host.powerOff(at: now, into: &actions) }
        #expect(bench.takeEvents().map(\.name) == ["scanningEnded", "disconnected"])
        #expect(bench.controller.opcodes == [.reset])
        #expect(bench.host.identity == nil)
        bench.connectionComplete()
        #expect(bench.takeEvents().isEmpty)
        #expect(throws: OrderError.notPoweredOn) {
            try bench.order { host, now, actions throws(OrderError) in try host.startScanning(at: now, into: &actions) }
        }
    }

    @Test("A maker's own command is sent and its answer told, status or complete")
    func ownCommand() throws {
        var bench = HostBench.up()
        bench.controller.answers[Opcode(rawValue: 0xFC01)] = [0, 1, 2]
        var ids: [CommandID] = []
        try bench.order { host, now, actions throws(OrderError) in
            ids.append(try host.sendCommand(opcode: 0xFC01, parameters: [9], at: now, into: &actions))
            ids.append(try host.sendCommand(opcode: 0xFC02, parameters: [], at: now, into: &actions))
        }
        var answers: [CommandID: [UInt8]] = [:]
        for case .commandCompleted(let id, let parameters) in bench.takeEvents() { answers[id] = parameters }
        #expect(answers == [ids[0]: [0, 1, 2], ids[1]: [1]])
        #expect(bench.controller.commands.first == .unknown(Opcode(rawValue: 0xFC01), parameters: [9]))
    }
}
