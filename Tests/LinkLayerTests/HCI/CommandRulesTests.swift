import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatVirtualTime
import Testing

@testable import BluethroatLinkLayer

/// When commands are allowed, and what of their parameters.
@Suite("Rules of commands")
struct CommandRulesTests {
    private static let random = Command.leSetRandomAddress(
        LESetRandomAddress(address: DeviceAddress(value: 0xC0DE_0000_0001, kind: .random))
    )
    private static let advertise = Command.leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true))
    private static let scan = Command.leSetScanEnable(LESetScanEnable(isEnabled: true))

    private static func connect(_ filter: InitiatorFilterPolicy = .peer) -> Command {
        .leCreateConnection(
            LECreateConnection(
                filterPolicy: filter,
                peer: PeerAddress(Bench.testerAddress),
                minimumInterval: 24,
                maximumInterval: 24,
                maximumLatency: 0,
                supervisionTimeout: 100
            )
        )
    }

    private func advertising(_ edit: (inout LESetAdvertisingParameters) -> Void) -> Command {
        var parameters = LESetAdvertisingParameters()
        edit(&parameters)
        return .leSetAdvertisingParameters(parameters)
    }

    @Test("The random address stays while anything is done under it")
    func randomAddress() throws {
        let off: [(Command, Command)] = [
            (Self.advertise, .leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: false))),
            (Self.scan, .leSetScanEnable(LESetScanEnable(isEnabled: false))),
            (Self.connect(), .leCreateConnectionCancel),
        ]
        let bench = try Bench()
        for (begin, end) in off {
            try bench.succeed(Self.random)
            try bench.succeed(begin)
            #expect(try bench.status(of: Self.random) == .commandDisallowed)
            try bench.succeed(end)
            _ = bench.takePackets()
        }
        try bench.succeed(Self.random)
    }

    @Test("A random address that was never set cannot be used")
    func missingRandomAddress() throws {
        let bench = try Bench()
        for type in [OwnAddressType.random, .resolvableOrRandom] {
            try bench.succeed(advertising { $0.ownAddressType = type })
            #expect(try bench.status(of: Self.advertise) == .invalidCommandParameters)
            try bench.succeed(.leSetScanParameters(LESetScanParameters(ownAddressType: type)))
            #expect(try bench.status(of: Self.scan) == .invalidCommandParameters)
        }
        // Without a resolving list the second kind falls back on the public address.
        try bench.succeed(advertising { $0.ownAddressType = .resolvableOrPublic })
        try bench.succeed(Self.advertise)
    }

    @Test("Advertising parameters out of range are Invalid HCI Command Parameters")
    func advertisingParameters() throws {
        let bench = try Bench()
        // Outside of the range that the command has: not a value that is there and not supported. Vol 1, Part F, 2.18.
        let invalid = [
            advertising { $0.minimumInterval = 0x1F }, advertising { $0.minimumInterval = 0x1E },
            advertising { $0.maximumInterval = 0x4001 },
            advertising { ($0.minimumInterval, $0.maximumInterval) = (0x40, 0x3F) }, advertising { $0.channelMap = 0 },
            advertising { $0.channelMap = 0xF8 },
            advertising { ($0.type, $0.peer) = (.directedLowDutyCycle, .anonymous) },
        ]
        for command in invalid { #expect(try bench.status(of: command) == .invalidCommandParameters) }
        // High duty cycle takes no notice of the interval.
        try bench.succeed(
            advertising { ($0.type, $0.minimumInterval, $0.maximumInterval) = (.directedHighDutyCycle, 0, 0) }
        )
        // Raw bytes with choices that do not exist: type 5, own address type 4, filter policy 4.
        for (index, byte) in [(8, 5), (9, 4), (18, 4)] as [(Int, UInt8)] {
            var packet = advertising { _ in }.packet()
            packet[index] = byte
            bench.send(packet)
            #expect(bench.takePackets() == [[4, 0x0E, 4, 1, 0x06, 0x20, 0x12]])
        }
    }

    @Test("Parameters do not change while they are in use, data may")
    func inUse() throws {
        let bench = try Bench()
        try bench.succeed(Self.advertise)
        #expect(try bench.status(of: advertising { _ in }) == .commandDisallowed)
        try bench.succeed(.leSetAdvertisingData(LESetAdvertisingData(data: [1])))
        try bench.succeed(.leSetScanResponseData(LESetScanResponseData(data: [1])))
        try bench.succeed(Self.scan)
        #expect(try bench.status(of: .leSetScanParameters(LESetScanParameters())) == .commandDisallowed)
    }

    @Test("Data longer than 31 bytes is refused; what pads it counts for nothing")
    func advertisingData() throws {
        let bench = try Bench()
        bench.send([1, 0x08, 0x20, 32, 32] + [UInt8](repeating: 1, count: 31))
        #expect(bench.takePackets() == [[4, 0x0E, 4, 1, 0x08, 0x20, 0x12]])
        bench.send([1, 0x08, 0x20, 32, 2] + [UInt8](repeating: 0xAA, count: 31))
        #expect(bench.takePackets() == [[4, 0x0E, 4, 1, 0x08, 0x20, 0]])
        try bench.succeed(Self.advertise)
        let sent = try bench.nextFrame(within: .seconds(2))
        let expected: UInt8 = 6 + 2
        #expect(sent.frame[5] == expected)
    }

    @Test("Scan parameters out of range")
    func scanParameters() throws {
        let bench = try Bench()
        for (interval, window) in [(3, 3), (4, 3), (0x10, 0x11), (0x4001, 0x4001), (0x4001, 4)] as [(UInt16, UInt16)] {
            let parameters = LESetScanParameters(interval: interval, window: window)
            #expect(try bench.status(of: .leSetScanParameters(parameters)) == .invalidCommandParameters)
        }
        try bench.succeed(.leSetScanParameters(LESetScanParameters(interval: 0x4000, window: 4)))
    }

    @Test("The filter accept list holds what it says it holds, and each device once")
    func listSize() throws {
        var configuration = ControllerConfiguration(publicAddress: Bench.address)
        configuration.filterAcceptListSize = 3
        let bench = try Bench(configuration: configuration)
        let add = { (value: UInt64) in
            let device = PeerAddress(DeviceAddress(value: value, kind: .public))
            return Command.leAddDeviceToFilterAcceptList(LEAddDeviceToFilterAcceptList(device: device))
        }
        for value in [1, 2, 3, 3, 1] as [UInt64] { try bench.succeed(add(value)) }
        #expect(try bench.status(of: add(4)) == .memoryCapacityExceeded)
        let device = PeerAddress(DeviceAddress(value: 2, kind: .public))
        let remove = Command.leRemoveDeviceFromFilterAcceptList(LERemoveDeviceFromFilterAcceptList(device: device))
        try bench.succeed(remove)
        try bench.succeed(add(4))
        try bench.succeed(.leClearFilterAcceptList)
        for value in [5, 6, 7] as [UInt64] { try bench.succeed(add(value)) }
    }

    @Test("Those without an address have one place in the list, and nobody else's")
    func anonymous() throws {
        var configuration = ControllerConfiguration(publicAddress: Bench.address)
        configuration.filterAcceptListSize = 2
        let bench = try Bench(configuration: configuration)
        func add(_ device: PeerAddress) throws -> ControllerError {
            try bench.status(of: .leAddDeviceToFilterAcceptList(LEAddDeviceToFilterAcceptList(device: device)))
        }
        func remove(_ device: PeerAddress) throws -> ControllerError {
            try bench.status(
                of: .leRemoveDeviceFromFilterAcceptList(LERemoveDeviceFromFilterAcceptList(device: device))
            )
        }
        let random = DeviceAddress(value: 0xC122_3344_5566, kind: .random)
        let first = PeerAddress(type: .anonymous, value: random.value), second = PeerAddress(type: .anonymous, value: 5)
        #expect(try add(first) == .success && add(second) == .success)
        #expect(bench.controller.filterAcceptList.count == 1 && !bench.controller.filterAcceptList.contains(random))
        #expect(try add(PeerAddress(random)) == .success && remove(second) == .success)
        #expect(bench.controller.filterAcceptList.count == 1 && bench.controller.filterAcceptList.contains(random))
        for type in [PeerAddress.AddressType.publicIdentity, .unresolved] {
            let device = PeerAddress(type: type, value: 7)
            #expect(try add(device) == .invalidCommandParameters && remove(device) == .invalidCommandParameters)
        }
    }

    @Test("The list does not change while a filter policy in use depends on it")
    func listInUse() throws {
        let device = PeerAddress(Bench.testerAddress)
        let changes: [Command] = [
            .leClearFilterAcceptList, .leAddDeviceToFilterAcceptList(LEAddDeviceToFilterAcceptList(device: device)),
            .leRemoveDeviceFromFilterAcceptList(LERemoveDeviceFromFilterAcceptList(device: device)),
        ]
        let users: [(Command?, Command, Bool)] = [
            (advertising { $0.filterPolicy = .onlyFromList }, Self.advertise, true),
            (advertising { $0.filterPolicy = .scansFromList }, Self.advertise, true),
            (advertising { $0.filterPolicy = .connectionsFromList }, Self.advertise, true),
            (nil, Self.advertise, false),
            (.leSetScanParameters(LESetScanParameters(filterPolicy: .basicFiltered)), Self.scan, true),
            (nil, Self.scan, false),
            (nil, Self.connect(.list), true), (nil, Self.connect(), false),
        ]
        for (prepare, begin, isInUse) in users {
            let bench = try Bench()
            if let prepare { try bench.succeed(prepare) }
            for change in changes { try bench.succeed(change) }
            try bench.succeed(begin)
            for change in changes {
                #expect(try bench.status(of: change) == (isInUse ? .commandDisallowed : .success))
            }
        }
    }

    @Test("Thirty-two connections, and not one more")
    func connectionLimit() throws {
        var configuration = ControllerConfiguration(publicAddress: Bench.address)
        configuration.connectionLimit = 2
        let bench = try Bench(configuration: configuration)
        for value in 1...2 as ClosedRange<UInt64> {
            let peer = DeviceAddress(value: value, kind: .public)
            _ = try bench.connectAsPeripheral(timeoutSteps: 3_200, initiator: peer)
        }
        #expect(try bench.status(of: Self.advertise) == .connectionLimitExceeded)
        #expect(try bench.status(of: Self.connect()) == .connectionLimitExceeded)
        // Advertising that leads to no connection is no matter.
        try bench.succeed(advertising { $0.type = .scannable })
        try bench.succeed(Self.advertise)
    }
}
