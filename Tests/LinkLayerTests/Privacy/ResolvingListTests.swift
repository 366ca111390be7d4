import BluethroatAirPackets
import BluethroatBluetoothCrypto
import BluethroatBluetoothValues
import BluethroatHCI
import BluethroatLinkLayer
import BluethroatVirtualTime
import Testing

/// The commands about the resolving list. Core 6.0, Vol 4, Part E, 7.8.38 to 7.8.45, 7.8.77.
@Suite("Resolving list commands")
struct ResolvingListTests {
    private static func identity(_ index: Int) -> DeviceAddress {
        DeviceAddress(value: 0xC000_0000_0000 + UInt64(index), kind: .random)
    }

    private static func key(_ index: Int) -> Block128 { Block128(high: 1, low: UInt64(index)) }

    private static func remove(_ peer: DeviceAddress) -> Command {
        .leRemoveDeviceFromResolvingList(LERemoveDeviceFromResolvingList(identity: PeerAddress(peer)))
    }

    private static func mode(_ peer: DeviceAddress, _ mode: LESetPrivacyMode.Mode = .device) -> Command {
        .leSetPrivacyMode(LESetPrivacyMode(identity: PeerAddress(peer), mode: mode))
    }

    private static func enable(_ isEnabled: Bool) -> Command {
        .leSetAddressResolutionEnable(LESetAddressResolutionEnable(isEnabled: isEnabled))
    }

    private static func timeout(_ seconds: UInt16) -> Command {
        .leSetResolvablePrivateAddressTimeout(LESetResolvablePrivateAddressTimeout(seconds: seconds))
    }

    @Test("The list holds as many as it says and no more, until there is room again", arguments: [1, 5, 32] as [UInt8])
    func capacity(size: UInt8) throws {
        var configuration = ControllerConfiguration(publicAddress: Bench.address)
        configuration.resolvingListSize = size
        let bench = try Bench(configuration: configuration)
        bench.send([1, 0x2A, 0x20, 0])
        #expect(bench.takePackets() == [[4, 0x0E, 5, 1, 0x2A, 0x20, 0, size]])
        for index in 0..<Int(size) {
            try bench.succeed(.know(Self.identity(index), peerKey: Self.key(index + 1), ownKey: Someone.ownKey))
        }
        let more = Command.know(Self.identity(99), peerKey: Self.key(99), ownKey: Someone.ownKey)
        #expect(try bench.status(of: more) == .memoryCapacityExceeded)
        // What is there already takes no room.
        try bench.succeed(.know(Self.identity(0), peerKey: Self.key(1), ownKey: Someone.ownKey))
        try bench.succeed(Self.remove(Self.identity(0)))
        try bench.succeed(more)
        #expect(try bench.status(of: more) == .success)
        try bench.succeed(.leClearResolvingList)
        for index in 0..<Int(size) {
            #expect(try bench.status(of: Self.remove(Self.identity(index))) == .unknownConnectionIdentifier)
        }
        #expect(try bench.status(of: Self.remove(Self.identity(99))) == .unknownConnectionIdentifier)
    }

    @Test("An identity stands in the list once, and a peer's key belongs to one")
    func duplicates() throws {
        let bench = try Bench()
        try bench.know()
        try bench.know()
        let others: [Command] = [
            .know(Someone.peer, peerKey: Someone.otherKey, ownKey: Someone.ownKey),
            .know(Someone.peer, peerKey: Someone.peerKey, ownKey: .zero),
            .know(Someone.other, peerKey: Someone.peerKey, ownKey: Someone.ownKey),
        ]
        for other in others { #expect(try bench.status(of: other) == .invalidCommandParameters) }
        // The same 48 bits as a random address are somebody else.
        let twin = DeviceAddress(value: Someone.peer.value | 0xC000_0000_0000, kind: .random)
        try bench.know(twin, peerKey: Someone.otherKey)
        // No key is no key that anybody could share.
        try bench.know(Someone.other, peerKey: .zero)
        try bench.know(Self.identity(1), peerKey: .zero)
        try bench.know(DeviceAddress(value: 0, kind: .public), peerKey: .zero)
    }

    @Test("Only public and random addresses are identities")
    func identityTypes() throws {
        for type: UInt8 in [2, 3, 4, 0xFE, 0xFF] {
            let bench = try Bench()
            let peer: [UInt8] = [type, 1, 2, 3, 4, 5, 6], keys = [UInt8](repeating: 1, count: 32)
            bench.send([1, 0x27, 0x20, 39] + peer + keys)
            bench.send([1, 0x28, 0x20, 7] + peer)
            bench.send([1, 0x2B, 0x20, 7] + peer)
            bench.send([1, 0x2C, 0x20, 7] + peer)
            bench.send([1, 0x4E, 0x20, 8] + peer + [0])
            let none: [UInt8] = [0, 0, 0, 0, 0, 0]
            #expect(
                bench.takePackets() == [
                    [4, 0x0E, 4, 1, 0x27, 0x20, 0x12], [4, 0x0E, 4, 1, 0x28, 0x20, 0x12],
                    [4, 0x0E, 10, 1, 0x2B, 0x20, 0x12] + none, [4, 0x0E, 10, 1, 0x2C, 0x20, 0x12] + none,
                    [4, 0x0E, 4, 1, 0x4E, 0x20, 0x12],
                ]
            )
        }
    }

    @Test("Nobody is removed, asked about or given a mode who is not in the list")
    func unknown() throws {
        let bench = try Bench()
        try bench.know()
        #expect(try bench.status(of: Self.remove(Someone.other)) == .unknownConnectionIdentifier)
        #expect(try bench.status(of: Self.mode(Someone.other)) == .unknownConnectionIdentifier)
        #expect(try bench.privateAddress(of: Someone.other) == nil)
        #expect(try bench.privateAddress(towards: Someone.other) == nil)
        // And in the list, but no private address was used yet.
        #expect(try bench.privateAddress(of: Someone.peer) == nil)
        #expect(try bench.privateAddress(towards: Someone.peer) == nil)
        try bench.succeed(Self.mode(Someone.peer))
        bench.send([1, 0x4E, 0x20, 8, 0] + Someone.peer.bytes + [2])
        #expect(bench.takePackets() == [[4, 0x0E, 4, 1, 0x4E, 0x20, 0x12]])
    }

    @Test("The list stays as it is while it is at work; without address resolution it does not work")
    func disallowed() throws {
        let activities: [(Command, Command)] = [
            (
                .leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: true)),
                .leSetAdvertisingEnable(LESetAdvertisingEnable(isEnabled: false))
            ),
            (
                .leSetScanEnable(LESetScanEnable(isEnabled: true)),
                .leSetScanEnable(LESetScanEnable(isEnabled: false))
            ),
            (try Bench().connecting(as: .public), .leCreateConnectionCancel),
        ]
        let changes: [Command] = [
            .know(Someone.other, peerKey: Someone.otherKey, ownKey: Someone.ownKey), Self.mode(Someone.peer),
            Self.remove(Someone.peer), .leClearResolvingList,
        ]
        for isEnabled in [false, true] {
            let bench = try Bench()
            try bench.resolve(isEnabled)
            for (begin, end) in activities {
                try bench.know()
                try bench.succeed(begin)
                _ = bench.takePackets()
                for change in changes {
                    #expect(try bench.status(of: change) == (isEnabled ? .commandDisallowed : .success))
                }
                // This one not in any case.
                #expect(try bench.status(of: Self.enable(true)) == .commandDisallowed)
                #expect(try bench.status(of: Self.enable(false)) == .commandDisallowed)
                // These are always allowed.
                try bench.succeed(Self.timeout(10))
                try bench.succeed(.leReadResolvingListSize)
                _ = try bench.privateAddress(of: Someone.peer)
                _ = try bench.privateAddress(towards: Someone.peer)
                try bench.succeed(end)
                _ = bench.takePackets()
                if isEnabled { for change in changes { try bench.succeed(change) } }
            }
        }
    }

    @Test("A private address lasts a second to an hour")
    func timeouts() throws {
        let bench = try Bench()
        for seconds: UInt16 in [1, 900, 3_600] { try bench.succeed(Self.timeout(seconds)) }
        for seconds: UInt16 in [0, 3_601, 0xFFFF] {
            #expect(try bench.status(of: Self.timeout(seconds)) == .invalidCommandParameters)
        }
        bench.send([1, 0x2D, 0x20, 1, 2])
        #expect(bench.takePackets() == [[4, 0x0E, 4, 1, 0x2D, 0x20, 0x12]])
    }

    @Test("Reset empties the list, turns resolution off and sets the timeout back")
    func reset() throws {
        let bench = try Bench()
        try bench.know()
        try bench.resolve()
        try bench.keepAddresses(1)
        try bench.succeed(.reset)
        try bench.enableEvents()
        #expect(try bench.status(of: Self.remove(Someone.peer)) == .unknownConnectionIdentifier)
        try bench.know()
        try bench.scanning()
        bench.advertise(.advNonconnInd(advertiser: Someone.address(of: Someone.peerKey), data: []))
        guard case .leAdvertisingReport(let report) = try bench.nextEvent() else { throw Unexpected("no report") }
        #expect(report.reports.first?.peer == PeerAddress(Someone.address(of: Someone.peerKey)))
        try bench.advertising()
        let first = try bench.nextAdvertisement().pdu.advertiser
        bench.run(for: .seconds(800))
        #expect(try bench.nextAdvertisement().pdu.advertiser == first)
        bench.run(for: .seconds(101))
        #expect(try bench.nextAdvertisement().pdu.advertiser != first)
    }
}
